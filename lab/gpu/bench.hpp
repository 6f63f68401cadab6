#pragma once

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <string>

#include "lab/command.hpp"
#include "lab/gpu/part.hpp"

namespace cellproof::lab {

/// Figures of a row of bench/gpu/grid.hpp, measured in processes of their own for at most so many seconds: ours and
/// cuDNN's by cellproof-gpu-bench, PyTorch's by lab/bench/gpu/torch_row.py ($CELLPROOF_TORCH_PYTHON, else python3).
/// {"failed": why} where there are none, and {"absent": why} where there is no device.
nlohmann::json measure_gpu_row(const std::string& row, int seconds);

/// Part `bench` of gpu-check: the pairwise rows, each once. `record["bench"][ROW]`: its figures. A row that failed is
/// measured again by the next call. No success where a row is left or a bar is missed, or not measured at all; each row
/// that misses one is named.
int check_speed(GpuPart& part);

/// `cellproof lab bench gpu`.
void add_gpu_bench(CLI::App& bench, Work& work);

}  // namespace cellproof::lab
