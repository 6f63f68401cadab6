#pragma once

#include <optional>
#include <span>
#include <string_view>

namespace cellproof {

/// Sizes that the model declares as symbols. A symbol stands for the same number in every tensor.
enum class Dims {
  Static,            ///< none: all are numbers
  Steps,             ///< T, wherever it stands
  Batch,             ///< N, likewise
  StepsAndBatch,     ///< both
  StepsAndBatchOfX,  ///< both in X alone, numbers in all other tensors
  All,               ///< every size of every graph input and output
  Unranked,          ///< graph outputs are declared without a shape
};
std::span<const Dims> all_dims();
/// "static", "T", "N", "TN", "X", "all", "unranked"
std::string_view name(Dims dims);
std::optional<Dims> dims_named(std::string_view text);

/// Graph in which the node stands.
enum class Nesting {
  Flat,      ///< the model's own
  If,        ///< the branch of an If that is taken
  NestedIf,  ///< the same, in the branch of another If
  Loop,      ///< the body of a Loop of one trip
  Function,  ///< a function of the model, which is called once
};
std::span<const Nesting> all_nestings();
/// "flat", "if", "nested-if", "loop", "function"
std::string_view name(Nesting nesting);
std::optional<Nesting> nesting_named(std::string_view text);

/// Way in which the weights that the model holds come to the node.
enum class Weights {
  Stored,    ///< as initializers of their own shape
  Computed,  ///< each direction's as an initializer, which Unsqueeze gives its first axis; Concat joins two
};
std::span<const Weights> all_weights();
/// "stored", "computed"
std::string_view name(Weights weights);
std::optional<Weights> weights_named(std::string_view text);

/// Tensors of the initial states.
enum class States {
  Own,     ///< one each
  Shared,  ///< initial_h and initial_c are one tensor
};
std::span<const States> all_states();
/// "own", "shared"
std::string_view name(States states);
std::optional<States> states_named(std::string_view text);

/// Manner in which a node is put before an engine. It changes nothing of what the node means.
struct Presentation {
  Dims dims = Dims::Static;
  Nesting nesting = Nesting::Flat;
  Weights weights = Weights::Stored;
  States states = States::Own;
  friend bool operator==(const Presentation&, const Presentation&) = default;
};

}  // namespace cellproof
