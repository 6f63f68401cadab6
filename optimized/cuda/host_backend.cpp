#include <algorithm>
#include <cmath>
#include <cstring>
#include <new>

#include "optimized/cuda/backend.hpp"

namespace cellproof::cuda {
namespace {

/// Few blocks with as much room as a real one, so that units are shared unevenly; little memory ahead, so that longer
/// cases take several chunks.
constexpr Index blocks_at_once = 3;
constexpr std::size_t room_of_block = 227 << 10;
constexpr Limits host_limits{rows_at_once, 64 << 10, 4096, 100, 100};

/// Towards zero, as tensor cores were seen to round their sums; what is beyond float becomes infinite.
float truncated(double value) {
  const auto nearest = static_cast<float>(value);
  return std::fabs(static_cast<double>(nearest)) > std::fabs(value) && std::isfinite(nearest)
             ? std::nextafter(nearest, 0.0F)
             : nearest;
}

/// As tensor cores add: so many products at a time are added exactly to the sum before them, which is then cut to
/// float. It is what honest hardware does worst, so that what holds here holds there.
void multiply_in_blocks(const WordsProduct& product) {
  constexpr Index block = 16;
  for (Index row = 0; row < product.rows; ++row)
    for (Index column = 0; column < product.columns; ++column) {
      float sum = 0;
      for (Index begin = 0; begin < product.terms; begin += block) {
        double exact = static_cast<double>(sum);
        for (Index k = begin; k < std::min(begin + block, product.terms); ++k)
          exact += static_cast<double>(load<float>(product.storage, product.a, row * product.terms + k)) *
                   static_cast<double>(load<float>(product.storage, product.w, column * product.terms + k));
        sum = truncated(exact);
      }
      product.out[row * product.columns + column] = sum;
    }
}

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
  int enter() override { return 0; }
  void leave(int) override {}
  void product(const RowsProduct<float>& product) override { sums(product); }
  void product(const RowsProduct<double>& product) override { sums(product); }
  void product(const WordsProduct& product) override {
    if (product.rows <= host_limits.few_rows) return sums(product);
    multiply_in_blocks(product);
  }
  void fork(int) override {}
  void use_branch(int) override {}
  void join() override {}
  /// Both directions fit if blocks are at most half full.
  Persistence persistence(const PersistentShape& shape) override {
    const Index blocks = std::min(shape.H, blocks_at_once);
    const std::size_t bytes =
        with_storage(shape.storage, [&](auto stored) { return bytes_kept<stored>(shape, blocks); });
    return {bytes <= room_of_block ? blocks : 0, shape.directions == 2 && 2 * bytes <= room_of_block, shape.exchanges};
  }
  void* first_stream() override { return nullptr; }

 protected:
  void* stream() override { return nullptr; }
  void check(int, std::string_view, Index) override {}
  void check_persistent(int, Index) override {}
  /// A recording is the work itself, to be done when it is launched.
  bool record(const std::function<void()>& work) override {
    recorded_ = work;
    return !faults_.recording;
  }
  bool launch_recorded() override {
    if (faults_.replaying) return false;
    recorded_();
    return true;
  }

 private:
  static void copy(void* to, const void* from, std::size_t bytes) {
    if (bytes > 0) std::memcpy(to, from, bytes);
  }

  std::function<void()> recorded_;
};

}  // namespace

std::unique_ptr<Backend> make_host_backend() {
  return std::make_unique<HostBackend>();
}

}  // namespace cellproof::cuda
