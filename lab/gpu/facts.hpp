#pragma once

#include "lab/gpu/part.hpp"

namespace cellproof::lab {

/// Part `facts` of gpu-check: the open questions about cuDNN, asked of cellproof-cudnn-probe one letter after the
/// other. `record["facts"][LETTER]` is add_probe_answer's. What is answered is not asked again; a letter that fails
/// keeps none of the others from being asked, and is no success.
int check_facts(GpuPart& part);

}  // namespace cellproof::lab
