#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace cellproof::lab::bench {

/// The C interface of oneDNN as a shared library opened at run time, so that nothing needs its headers to build: the
/// functions that an inference of a recurrent layer takes, in version 2 and in version 3, which differ in how memory
/// and primitives are described. The numbers in the enumerations are those of its public headers.
class OneDnn {
 public:
  /// Throws Unavailable: which library, why not, and the remedy where it is not there.
  OneDnn(const std::string& library, std::string_view remedy);

  std::string version() const;
  int major() const { return version_->major; }

  /// Frees what oneDNN's function `destroy` frees.
  struct Destroy {
    int (*destroy)(void*);
    void operator()(void* object) const { destroy(object); }
  };
  using Handle = std::unique_ptr<void, Destroy>;

  /// A memory descriptor: version 2 hands its structure round, version 3 an object of its own.
  class Description {
   public:
    const void* get() const { return object_ ? object_.get() : bytes_ ? bytes_->data() : borrowed_; }

   private:
    friend class OneDnn;
    std::shared_ptr<std::vector<std::max_align_t>> bytes_;
    Handle object_;
    const void* borrowed_ = nullptr;
  };

  using Dimensions = std::vector<std::int64_t>;
  /// Dense floats, the last dimension fastest.
  Description dense(const Dimensions& dimensions) const;
  /// Floats in whatever order the primitive likes best.
  Description any_order(const Dimensions& dimensions) const;

  Handle cpu_engine() const;
  Handle stream(void* engine) const;
  /// Over these floats, or, for nullptr, over memory of oneDNN's own.
  Handle memory(const Description& description, void* engine, float* data) const;

  enum class Cell { Lstm, Gru, GruLinearBeforeReset, RnnTanh };
  enum class Walk { Forward, Reverse, BothConcatenated };
  /// One layer without initial state; cells only for Lstm.
  struct Layer {
    Cell cell;
    Walk walk;
    const Description &source, &weights, &recurrent_weights, &bias, &destination, &last_state;
    const Description* last_cell;
  };
  Handle describe(const Layer& layer, void* engine) const;
  /// The order of the weights that a described primitive has chosen: 0 for X, 1 for H. Borrows from it.
  Description chosen_weights(void* primitive_description, int index) const;
  Handle primitive(void* primitive_description) const;
  Handle reorder(const Description& from, const Description& to, void* engine) const;

  /// DNNL_ARG_...
  enum Argument : int {
    source = 1,
    destination = 17,
    last_state = 18,
    last_cell = 19,
    weights = 33,
    recurrent_weights = 34,
    bias = 41,
    reorder_from = 1,
    reorder_to = 17
  };
  struct Binding {
    int argument;
    void* memory;
  };
  /// Runs it to its end.
  void execute(void* primitive, void* stream, const std::vector<Binding>& bindings) const;

 private:
  struct Version {
    int major, minor, patch;
  };

  template <class Function>
  Function* find(const char* name) const;
  template <class... Arguments>
  void call(const char* name, Arguments... arguments) const;
  template <class... Arguments>
  Handle create(const char* name, const char* destroy, Arguments... arguments) const;
  Handle describe_2(const Layer& layer, void* engine) const;
  Handle describe_3(const Layer& layer, void* engine) const;

  void* library_;
  const Version* version_;
};

}  // namespace cellproof::lab::bench
