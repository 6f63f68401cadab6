#include "cli/out_of_memory.hpp"

#include <unistd.h>

#include <cstdlib>
#include <exception>
#include <new>
#include <string_view>

#include "campaign/exit_code.hpp"
#include "oracle/ball/refused_memory.hpp"

namespace cellproof::cli {
namespace {

[[noreturn]] void end_for_want_of_memory() {
  complain_of_memory();
  _exit(campaign::bad_input);  // what was judged is in the store, and the keepers end the workers
}

thread_local bool memory_was_refused = false;

[[noreturn]] void refuse() {
  memory_was_refused = true;
  throw std::bad_alloc();
}

/// Ends a program in which memory was refused where no exception may pass: before main, in a destructor.
[[noreturn]] void end_at_once() {
  try {
    if (const std::exception_ptr cause = std::current_exception()) std::rethrow_exception(cause);
    // If the compiler has put the end into a function (libstdc++'s directory_iterator), no handler has caught the
    // exception.
    if (memory_was_refused && std::uncaught_exceptions() > 0) end_for_want_of_memory();
  } catch (const std::bad_alloc&) {
    end_for_want_of_memory();
  } catch (...) {  // a fault of ours, which a core dump shows best
  }
  std::abort();
}

/// Comes before all other initialisers of the program.
[[gnu::constructor(101)]] void prepare_for_refused_memory() {
  std::set_new_handler(refuse);
  std::set_terminate(end_at_once);
  oracle::on_refused_memory(end_for_want_of_memory);
}

}  // namespace

void complain_of_memory() {
  constexpr std::string_view line = "cellproof: out of memory\n";
  static_cast<void>(!::write(STDERR_FILENO, line.data(), line.size()));
}

}  // namespace cellproof::cli
