#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <string_view>

// Parts that all fuzz targets share. A target is one function of bytes, LLVMFuzzerTestOneInput; libFuzzer calls it in
// the preset `fuzz`, and replay_main.cpp with the committed seeds everywhere else.

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace cellproof::fuzz {

inline std::string_view text_of(const std::uint8_t* data, std::size_t size) {
  return {reinterpret_cast<const char*>(data), size};
}

/// Says on stderr what should never have been, and aborts: that is how libFuzzer learns of a find.
[[noreturn]] void found(const std::string& what);

/// A folder of this process alone, removed when the process ends. A find ends it otherwise: what lies there then is
/// left, to be looked at.
std::filesystem::path process_folder();

/// A folder in that one, emptied at each call.
std::string scratch_folder();

}  // namespace cellproof::fuzz
