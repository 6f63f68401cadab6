// A backend-test directory as `check` finds it. The bytes hold its files one behind the other: one byte says which
// file, two how long it is.

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>

#include "campaign/check_directory.hpp"
#include "lab/fuzz_targets/target.hpp"

using namespace cellproof;

namespace {

constexpr std::array file_names{"model.onnx",
                                "data.json",
                                "test_data_set_0/input_0.pb",
                                "test_data_set_0/output_0.pb",
                                "test_data_set_0/output_1.pb",
                                "test_data_set_0/input_1.pb",
                                "weights.bin",
                                "test_data_set_1/input_0.pb"};

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::filesystem::path folder = fuzz::scratch_folder();
  std::filesystem::create_directories(folder / "test_data_set_0");
  std::filesystem::create_directories(folder / "test_data_set_1");
  for (std::size_t at = 0; at + 3 <= size;) {
    const char* const name = file_names.at(data[at] % file_names.size());
    const std::size_t length = std::min<std::size_t>(data[at + 1] + 256 * std::size_t{data[at + 2]}, size - at - 3);
    std::ofstream(folder / name, std::ios::binary) << fuzz::text_of(data + at + 3, length);
    at += 3 + length;
  }
  // Whatever is wrong becomes an UNREADABLE finding; nothing is thrown.
  const auto checked = campaign::check_directory(folder);
  if (checked.empty()) fuzz::found("a directory of which nothing is said");
  return 0;
}
