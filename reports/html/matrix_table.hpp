#pragma once

#include <string>
#include <vector>

#include "reports/matrix.hpp"

namespace cellproof::reports::html {

/// The matrix engine x operator x axis value, symbols and colours, counts on hover.
std::string matrix_table(const std::vector<MatrixBlock>& blocks, const std::vector<EngineTally>& engines);

}  // namespace cellproof::reports::html
