#include <algorithm>
#include <cstring>
#include <new>

#include "optimized/cuda/backend.hpp"

namespace cellproof::cuda {
namespace {

/// Few blocks with as much room as a real one, so that units are shared unevenly; little memory ahead, so that longer
/// cases take several chunks.
constexpr Index blocks_at_once = 3;
constexpr std::size_t room_of_block = 227 << 10;
constexpr Limits host_limits{rows_at_once, 64 << 10, 0};

class HostBackend : public Backend {
 public:
  Limits limits() const override { return host_limits; }
  bool is_host() const override { return true; }
  void* allocate(std::size_t bytes) override { return ::operator new(bytes); }
  void release(void* memory) override { ::operator delete(memory); }
  void upload(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void download(void* to, const void* from, std::size_t bytes) override { copy(to, from, bytes); }
  void clear(void* memory, std::size_t bytes) override {
    if (bytes > 0) std::memset(memory, 0, bytes);
  }
  void finish() override {}
  void replay(const std::vector<std::uint64_t>&, Index, const std::function<void()>& work) override { work(); }
  void product(const RowsProduct<float>& product) override { sums(product); }
  void product(const RowsProduct<double>& product) override { sums(product); }
  Index persistent_blocks(Recurrence, bool is_double, Index H, Index G) override {
    const Index blocks = std::min(H, blocks_at_once);
    const auto kept = static_cast<std::size_t>(G * ((H + blocks - 1) / blocks) * H);
    return kept * (is_double ? sizeof(double) : sizeof(float)) <= room_of_block ? blocks : 0;
  }

 protected:
  void* stream() override { return nullptr; }
  void check(int) override {}

 private:
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }
};

}  // namespace

std::unique_ptr<Backend> make_host_backend() {
  return std::make_unique<HostBackend>();
}

}  // namespace cellproof::cuda
