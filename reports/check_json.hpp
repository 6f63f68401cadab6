#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "spec/finding.hpp"

namespace cellproof::reports {

/// The stable object of `check --json`, one line without its line break: path, data_set (null: the directory itself
/// could not be read), operator, domain, opset (the one that the model imports), version, verdict, reading, contract,
/// bits, fault, first, elements, worst_ratio, max_ulp, message. For UNREADABLE without an opset, what the model is
/// stays null. Bytes that are not UTF-8 become U+FFFD.
std::string check_json_line(const std::string& path, std::optional<std::int64_t> data_set,
                            std::optional<std::int64_t> opset, const Finding& finding);

}  // namespace cellproof::reports
