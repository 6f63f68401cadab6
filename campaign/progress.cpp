#include "campaign/progress.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <utility>

namespace cellproof::campaign {

using std::chrono::milliseconds;
using std::chrono::steady_clock;

Progress::Progress(std::string what, std::int64_t total, std::FILE* out, std::optional<milliseconds> every)
    : what_(std::move(what)),
      total_(total),
      out_(out),
      terminal_(isatty(fileno(out)) == 1),
      every_(every.value_or(terminal_ ? milliseconds(100) : milliseconds(5000))),
      started_(steady_clock::now()),
      shown_(started_) {}

Progress::~Progress() {
  const std::scoped_lock lock(mutex_);
  show(true);
}

void Progress::advance(const std::string& note) {
  const std::scoped_lock lock(mutex_);
  ++done_;
  note_ = note;
  show_where_it_is_time();
}

void Progress::go_on() {
  const std::scoped_lock lock(mutex_);
  show_where_it_is_time();
}

void Progress::show_where_it_is_time() {
  if (steady_clock::now() - shown_ >= every_) show(false);
}

void Progress::show(bool last) {
  if (last && total_ == 0 && !is_shown_) return;
  is_shown_ = true;
  shown_ = steady_clock::now();
  const double seconds = std::chrono::duration<double>(shown_ - started_).count();
  std::string line = total_ > 0 ? fmt::format("{}: {}/{}", what_, done_, total_) : fmt::format("{}: {}", what_, done_);
  line += fmt::format(" in {:.1f} s", seconds);
  if (!note_.empty()) line += ", " + note_;
  // A live line is overwritten in place and cleared to its end; the last state stays.
  if (terminal_) {
    fmt::print(out_, "\r{}\x1b[K{}", line, last ? "\n" : "");
  } else {
    fmt::print(out_, "{}\n", line);
  }
  std::fflush(out_);
}

}  // namespace cellproof::campaign
