#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <map>
#include <span>
#include <stdexcept>
#include <utility>
#include <vector>

#include "optimized/cudnn/testing/stand_in_state.hpp"

namespace cellproof::cudnn::testing {
namespace {

constexpr int invalid_value = 1, out_of_memory = 2;  // cudaErrorInvalidValue, cudaErrorMemoryAllocation

/// Reserved memory: where it begins, and how many bytes.
std::map<const char*, std::size_t>& blocks() {
  static std::map<const char*, std::size_t> all;
  return all;
}

int do_what_waits() {
  if (is_lost()) {
    stand_in().waiting.clear();
    return sticky_error;
  }
  for (auto& work : std::exchange(stand_in().waiting, {})) work();
  return 0;
}

bool is_on_device(const void* memory) {
  return is_reserved(memory, 1);
}

/// A wrong place is found when the work is done, as a device would find it.
void move_rows(char* to, const char* from, std::size_t row, std::span<const RowMove> moves) {
  for (const RowMove& move : moves) {
    char* const target = to + move.to * static_cast<std::int64_t>(row);
    const char* const source = from + move.from * static_cast<std::int64_t>(row);
    const bool is_right = is_reserved(target, row) && (move.from < 0 || (is_reserved(source, row) && source != target));
    if (!is_right) throw std::logic_error("rows are moved from or to memory that is not the device's");
    if (move.from < 0)
      std::memset(target, 0, row);
    else
      std::memcpy(target, source, row);
  }
}

}  // namespace

bool is_lost() {
  return stand_in().forwards > stand_in().lost_after;
}

bool is_reserved(const void* memory, std::size_t bytes) {
  const char* const at = static_cast<const char*>(memory);
  auto after = blocks().upper_bound(at);
  if (memory == nullptr || after == blocks().begin()) return false;
  --after;
  return at + bytes <= after->first + after->second;
}

namespace {

int describe(char* text, std::size_t size) {
  std::strncpy(text, "a stand-in", size - 1);
  return 0;
}

int allocate(void** memory, std::size_t bytes) {
  if (is_lost()) return sticky_error;
  if (stand_in().live_memory + bytes > stand_in().memory_limit) return out_of_memory;
  *memory = std::malloc(bytes);
  std::memset(*memory, poison, bytes);
  blocks()[static_cast<const char*>(*memory)] = bytes;
  stand_in().live_memory += bytes;
  return 0;
}

int release(void* memory) {
  if (memory == nullptr) return 0;
  do_what_waits();  // memory in use is not freed before
  const auto block = blocks().find(static_cast<const char*>(memory));
  if (block == blocks().end()) return invalid_value;
  stand_in().live_memory -= block->second;
  blocks().erase(block);
  std::free(memory);
  return 0;
}

int copy(void* to, const void* from, std::size_t bytes, Copy kind, void*) {
  const bool to_device = kind != Copy::FromDevice, from_device = kind != Copy::ToDevice;
  const bool right_places = (to_device ? is_reserved(to, bytes) : !is_on_device(to)) &&
                            (from_device ? is_reserved(from, bytes) : !is_on_device(from));
  if (!right_places) return invalid_value;
  if (kind != Copy::ToDevice) return issue([=] { std::memmove(to, from, bytes); });
  // The host's memory is read before the call returns.
  const auto* const first = static_cast<const char*>(from);
  return issue(
      [=, read = std::vector<char>(first, first + bytes)] { std::ranges::copy(read, static_cast<char*>(to)); });
}

int zero(void* memory, std::size_t bytes, void*) {
  if (bytes > 0 && !is_reserved(memory, bytes)) return invalid_value;
  return issue([=] { std::memset(memory, 0, bytes); });
}

int issue_moves(void* to, const void* from, std::size_t row, const RowMove* moves, std::size_t count, void*) {
  if (!is_reserved(moves, count * sizeof(RowMove))) return invalid_value;
  return issue([=] { move_rows(static_cast<char*>(to), static_cast<const char*>(from), row, {moves, count}); });
}

int record_and_launch(int (*work)(void*), int (*between)(void*), void* argument, void*) {
  if (const int failed = work(argument); failed != 0) return failed;
  const auto recorded = stand_in().waiting;
  if (const int error = do_what_waits(); error != 0 || between == nullptr) return error;
  if (const int failed = between(argument); failed != 0) return failed;
  for (const auto& one : recorded) one();
  return 0;
}

}  // namespace

const DeviceApi& stand_in_device() {
  static const DeviceApi device{.absence = [] { return ""; },
                                .describe = describe,
                                .current =
                                    [](int* number) {
                                      *number = stand_in().device;
                                      return 0;
                                    },
                                .use =
                                    [](int number) {
                                      stand_in().device = number;
                                      return 0;
                                    },
                                .create_stream =
                                    [](void** stream) {
                                      *stream = new int;
                                      return 0;
                                    },
                                .destroy_stream =
                                    [](void* stream) {
                                      delete static_cast<int*>(stream);
                                      return 0;
                                    },
                                .allocate = allocate,
                                .release = release,
                                .copy = copy,
                                .zero = zero,
                                .move_rows = issue_moves,
                                .synchronize = [](void*) { return do_what_waits(); },
                                .record_and_launch = record_and_launch,
                                .error_text = [](int) { return "an error of the stand-in"; }};
  return device;
}

}  // namespace cellproof::cudnn::testing
