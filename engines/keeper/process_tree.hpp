#pragma once

#include <sys/types.h>

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace cellproof::engines {

/// A process as /proc/PID/stat shows it.
struct ProcessState {
  std::string name;  ///< at most 15 bytes, whatever they are
  char state = 0;    ///< 'R', 'S', ... 'Z'
  pid_t parent = 0;
  pid_t group = 0;
  bool has_ended() const { return state == 'Z' || state == 'X'; }
};

/// Looks a process up; nullopt where there is none.
std::optional<ProcessState> state_of(pid_t pid);

/// Has the process ended, or is a SIGKILL under way to it?
bool is_ending(pid_t pid);

/// Resident memory in pages; 0 where there is no such process.
std::uint64_t resident_pages(pid_t pid);

/// Does the kernel list the children of a thread? Some are built without, and then every process is looked at.
bool kernel_lists_children();

/// All that descends from a process, zombies included, nearest first. A process that is born or orphaned meanwhile may
/// be missing.
std::vector<pid_t> descendants_of(pid_t ancestor, bool by_lists = kernel_lists_children());

/// The same, one generation deep.
std::vector<pid_t> children_of(pid_t parent, bool by_lists = kernel_lists_children());

}  // namespace cellproof::engines
