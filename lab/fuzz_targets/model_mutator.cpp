#include "lab/fuzz_targets/model_mutator.hpp"

#include <google/protobuf/message.h>
#include <onnx/onnx-ml.pb.h>

#include <array>
#include <iterator>
#include <limits>
#include <memory>
#include <vector>

#include "corpus/model.hpp"
#include "corpus/parse.hpp"
#include "spec/case.hpp"
#include "spec/values/counter.hpp"

namespace cellproof::fuzz {
namespace {

using google::protobuf::FieldDescriptor;
using google::protobuf::Message;
using google::protobuf::Reflection;

constexpr std::int64_t integers[] = {
    0,  1,  2,  3,   4,   5,      6,       7,       8,  -1,
    10, 11, 14, 127, 255, 0x7fff, 1 << 20, 1 << 30, -8, std::numeric_limits<std::int64_t>::max()};
constexpr float numbers[] = {
    0, -0.0F, 1, 0.5F, 1e-40F, 3e38F, std::numeric_limits<float>::infinity(), std::numeric_limits<float>::quiet_NaN()};
constexpr const char* texts[] = {"",
                                 "LSTM",
                                 "GRU",
                                 "RNN",
                                 "X",
                                 "W",
                                 "R",
                                 "Y",
                                 "Y_h",
                                 "Constant",
                                 "Relu",
                                 "clip",
                                 "layout",
                                 "direction",
                                 "reverse",
                                 "forward",
                                 "bidirectional",
                                 "T",
                                 "value",
                                 "location",
                                 "../weights.bin",
                                 "com.microsoft",
                                 "hidden_size",
                                 "activations",
                                 "\xff",
                                 "DynamicQuantizeLSTM"};

/// Draws from a seed, one number after the other.
class Draws {
 public:
  explicit Draws(std::uint64_t seed) : counter_(seed, "mutation") {}
  std::uint64_t below(std::uint64_t count) { return counter_.word(drawn_++, 0) % count; }
  template <class List>
  const auto& of(const List& list) {
    return list[below(std::size(list))];
  }

 private:
  Counter counter_;
  std::uint64_t drawn_ = 0;
};

/// The message and all below it.
void collect(Message& message, std::vector<Message*>& all) {
  all.push_back(&message);
  const Reflection& reflection = *message.GetReflection();
  std::vector<const FieldDescriptor*> fields;
  reflection.ListFields(message, &fields);
  for (const FieldDescriptor* field : fields) {
    if (field->cpp_type() != FieldDescriptor::CPPTYPE_MESSAGE) continue;
    if (!field->is_repeated()) {
      collect(*reflection.MutableMessage(&message, field), all);
      continue;
    }
    for (int k = 0; k < reflection.FieldSize(message, field); ++k)
      collect(*reflection.MutableRepeatedMessage(&message, field, k), all);
  }
}

/// Sets a single field, or adds an element to a list.
void put(Message& message, const FieldDescriptor* field, Draws& draws) {
  const Reflection& r = *message.GetReflection();
  const auto put_value = [&](auto set, auto add, const auto& value) {
    if (field->is_repeated())
      (r.*add)(&message, field, value);
    else
      (r.*set)(&message, field, value);
  };
  switch (field->cpp_type()) {
    case FieldDescriptor::CPPTYPE_INT32:
      return put_value(&Reflection::SetInt32, &Reflection::AddInt32, static_cast<std::int32_t>(draws.of(integers)));
    case FieldDescriptor::CPPTYPE_INT64:
      return put_value(&Reflection::SetInt64, &Reflection::AddInt64, draws.of(integers));
    case FieldDescriptor::CPPTYPE_UINT64:
      return put_value(&Reflection::SetUInt64, &Reflection::AddUInt64, static_cast<std::uint64_t>(draws.of(integers)));
    case FieldDescriptor::CPPTYPE_FLOAT:
      return put_value(&Reflection::SetFloat, &Reflection::AddFloat, draws.of(numbers));
    case FieldDescriptor::CPPTYPE_DOUBLE:
      return put_value(&Reflection::SetDouble, &Reflection::AddDouble, double{draws.of(numbers)});
    case FieldDescriptor::CPPTYPE_ENUM:
      return put_value(&Reflection::SetEnumValue, &Reflection::AddEnumValue, static_cast<int>(draws.below(24)));
    case FieldDescriptor::CPPTYPE_STRING:
      return put_value(&Reflection::SetString, &Reflection::AddString, std::string(draws.of(texts)));
    case FieldDescriptor::CPPTYPE_MESSAGE:
      static_cast<void>(field->is_repeated() ? r.AddMessage(&message, field) : r.MutableMessage(&message, field));
      return;
    default:
      return;
  }
}

/// Removes, doubles or moves an element of a list that has some.
void rearrange(Message& message, const FieldDescriptor* field, Draws& draws) {
  const Reflection& r = *message.GetReflection();
  const int size = r.FieldSize(message, field);
  const int last = size - 1, some = static_cast<int>(draws.below(static_cast<std::uint64_t>(size)));
  if (draws.below(2) == 0) r.SwapElements(&message, field, some, last);
  if (draws.below(3) == 0) return;
  if (field->cpp_type() == FieldDescriptor::CPPTYPE_MESSAGE && draws.below(2) == 0) {
    const auto copy = std::unique_ptr<Message>(r.GetRepeatedMessage(message, field, some).New());
    copy->CopyFrom(r.GetRepeatedMessage(message, field, some));
    r.AddMessage(&message, field)->CopyFrom(*copy);
  } else {
    r.RemoveLast(&message, field);
  }
}

}  // namespace

std::string mutated_model(std::string_view serialized, std::uint64_t seed) {
  Draws draws(seed);
  onnx::ModelProto model;
  if (!corpus::parse(serialized, model)) {
    const auto versions = all_operator_versions();
    return corpus::to_model(make_problem(plain_case(draws.of(versions), ElementType::Float, 2, 1, 2, 2)));
  }
  std::vector<Message*> messages;
  collect(model, messages);
  Message& message = *draws.of(messages);
  const google::protobuf::Descriptor& descriptor = *message.GetDescriptor();
  if (descriptor.field_count() == 0) return corpus::serialize(model);
  const FieldDescriptor* field =
      descriptor.field(static_cast<int>(draws.below(static_cast<std::uint64_t>(descriptor.field_count()))));
  const Reflection& reflection = *message.GetReflection();
  const bool filled =
      field->is_repeated() ? reflection.FieldSize(message, field) > 0 : reflection.HasField(message, field);
  if (filled && field->is_repeated() && draws.below(3) != 0) {
    rearrange(message, field, draws);
  } else if (filled && draws.below(4) == 0) {
    reflection.ClearField(&message, field);
  } else {
    put(message, field, draws);
  }
  return corpus::serialize(model);
}

}  // namespace cellproof::fuzz
