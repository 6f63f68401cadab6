// Loaded by LD_PRELOAD: call number N of one family fails as it does where the system has no more to give. Calls of the
// harness count alone, or of its keepers where the family is theirs: an engine that fails is tested elsewhere.
//   CELLPROOF_FAIL_FAMILY  process, fork, descriptor, write, thread or memory
//   CELLPROOF_FAIL_AT      N, from 1 on
//   CELLPROOF_FAIL_COUNT   a file of 8 bytes, which all processes share: the number of calls so far
#include <dlfcn.h>
#include <fcntl.h>
#include <pthread.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/uio.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>

// glibc's own, below the ones that stand here: dlsym may itself ask for memory.
extern "C" {
void* __libc_malloc(size_t size);                      // NOLINT(bugprone-reserved-identifier)
void* __libc_calloc(size_t count, size_t size);        // NOLINT(bugprone-reserved-identifier)
void* __libc_realloc(void* old, size_t size);          // NOLINT(bugprone-reserved-identifier)
void* __libc_memalign(size_t alignment, size_t size);  // NOLINT(bugprone-reserved-identifier)
}

namespace {

enum class Family { None, Process, Fork, FileDescriptor, Write, Thread, Memory };

struct FamilyText {
  Family family;
  const char* name;
  const char* program;  ///< whose calls count
};
constexpr std::array<FamilyText, 6> families{{{Family::Process, "process", "cellproof"},
                                              {Family::Fork, "fork", "cellproof-keeper"},
                                              {Family::FileDescriptor, "descriptor", "cellproof"},
                                              {Family::Write, "write", "cellproof"},
                                              {Family::Thread, "thread", "cellproof"},
                                              {Family::Memory, "memory", "cellproof"}}};

constinit Family failing = Family::None;
constinit std::uint64_t fails_at = 0;
constinit std::atomic<std::uint64_t>* calls = nullptr;
static_assert(std::atomic<std::uint64_t>::is_always_lock_free && sizeof(std::atomic<std::uint64_t>) == 8);

/// Opens the count. A mistake here must not look like a harness that survives.
std::atomic<std::uint64_t>* shared_count(const char* file) {
  const int descriptor = file == nullptr ? -1 : open(file, O_RDWR | O_CLOEXEC);
  void* const page = mmap(nullptr, sizeof *calls, PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  if (page == MAP_FAILED) abort();
  close(descriptor);
  return static_cast<std::atomic<std::uint64_t>*>(page);
}

__attribute__((constructor)) void arm() {
  const char* const family = getenv("CELLPROOF_FAIL_FAMILY");
  const char* const at = getenv("CELLPROOF_FAIL_AT");
  if (family == nullptr || at == nullptr) return;
  for (const FamilyText& one : families) {
    if (strcmp(one.name, family) != 0 || strcmp(one.program, program_invocation_short_name) != 0) continue;
    calls = shared_count(getenv("CELLPROOF_FAIL_COUNT"));
    fails_at = strtoull(at, nullptr, 10);
    failing = one.family;
  }
}

/// Is this the call that fails? Counts it.
bool fails(Family family) {
  return failing == family && calls->fetch_add(1) + 1 == fails_at;
}

bool fails(Family family, int error) {
  if (!fails(family)) return false;
  errno = error;
  return true;
}

/// The function that this one stands before.
template <class Function>
Function* next(const char* name) {
  return reinterpret_cast<Function*>(dlsym(RTLD_NEXT, name));
}

/// Is it where the harness says what is wrong?
bool is_stderr(int descriptor) {
  return descriptor == STDERR_FILENO;
}

}  // namespace

extern "C" {

int posix_spawn(pid_t* pid, const char* path, const posix_spawn_file_actions_t* actions,
                const posix_spawnattr_t* attributes, char* const argv[], char* const envp[]) {
  if (fails(Family::Process)) return EAGAIN;
  return next<decltype(posix_spawn)>("posix_spawn")(pid, path, actions, attributes, argv, envp);
}

pid_t fork() noexcept {
  if (fails(Family::Fork, EAGAIN)) return -1;
  return next<decltype(fork)>("fork")();
}

int pipe2(int ends[2], int flags) noexcept {
  if (fails(Family::FileDescriptor, EMFILE)) return -1;
  return next<decltype(pipe2)>("pipe2")(ends, flags);
}

int socketpair(int domain, int type, int protocol, int ends[2]) noexcept {
  if (fails(Family::FileDescriptor, EMFILE)) return -1;
  return next<decltype(socketpair)>("socketpair")(domain, type, protocol, ends);
}

int memfd_create(const char* name, unsigned flags) noexcept {
  if (fails(Family::FileDescriptor, EMFILE)) return -1;
  return next<decltype(memfd_create)>("memfd_create")(name, flags);
}

ssize_t write(int descriptor, const void* bytes, size_t size) {
  if (!is_stderr(descriptor) && fails(Family::Write, ENOSPC)) return -1;
  return next<decltype(write)>("write")(descriptor, bytes, size);
}

ssize_t writev(int descriptor, const iovec* parts, int count) {
  if (!is_stderr(descriptor) && fails(Family::Write, ENOSPC)) return -1;
  return next<decltype(writev)>("writev")(descriptor, parts, count);
}

ssize_t pwrite(int descriptor, const void* bytes, size_t size, off_t offset) {
  if (fails(Family::Write, EIO)) return -1;
  return next<decltype(pwrite)>("pwrite")(descriptor, bytes, size, offset);
}

ssize_t pwrite64(int descriptor, const void* bytes, size_t size, off64_t offset) {
  if (fails(Family::Write, EIO)) return -1;
  return next<decltype(pwrite64)>("pwrite64")(descriptor, bytes, size, offset);
}

// Streams write by a way inside glibc that nothing can stand before, so they fail as they are emptied.
size_t fwrite(const void* bytes, size_t size, size_t count, FILE* stream) {
  if (stream != stderr && stream != stdout && fails(Family::Write, ENOSPC)) return 0;
  return next<decltype(fwrite)>("fwrite")(bytes, size, count, stream);
}

int fflush(FILE* stream) {
  if (stream != nullptr && stream != stderr && stream != stdout && fails(Family::Write, ENOSPC)) return EOF;
  return next<decltype(fflush)>("fflush")(stream);
}

int pthread_create(pthread_t* thread, const pthread_attr_t* attributes, void* (*work)(void*), void* argument) noexcept {
  if (fails(Family::Thread)) return EAGAIN;
  return next<decltype(pthread_create)>("pthread_create")(thread, attributes, work, argument);
}

void* malloc(size_t size) noexcept {
  return fails(Family::Memory, ENOMEM) ? nullptr : __libc_malloc(size);
}

void* calloc(size_t count, size_t size) noexcept {
  return fails(Family::Memory, ENOMEM) ? nullptr : __libc_calloc(count, size);
}

void* realloc(void* old, size_t size) noexcept {
  return fails(Family::Memory, ENOMEM) ? nullptr : __libc_realloc(old, size);
}

void* aligned_alloc(size_t alignment, size_t size) noexcept {
  return fails(Family::Memory, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}

void* memalign(size_t alignment, size_t size) noexcept {
  return fails(Family::Memory, ENOMEM) ? nullptr : __libc_memalign(alignment, size);
}

int posix_memalign(void** place, size_t alignment, size_t size) noexcept {
  if (fails(Family::Memory)) return ENOMEM;
  *place = __libc_memalign(alignment, size);
  return *place == nullptr ? ENOMEM : 0;
}
}
