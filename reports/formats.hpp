#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "reports/render.hpp"

namespace cellproof::reports {

/// A way to render a run into one file.
struct Format {
  std::string_view name;  ///< as `--format` takes it
  std::string_view file;
  std::string (*render)(const ReportData&);
  void (*write)(const ReportData&, const Sink&) = nullptr;  ///< the same in parts, for what grows with the cases
};

/// All formats.
std::span<const Format> formats();

/// Their names, in the same order.
std::vector<std::string> names_of_formats();

/// Throws std::invalid_argument that lists the names.
const Format& format_named(std::string_view name);

}  // namespace cellproof::reports
