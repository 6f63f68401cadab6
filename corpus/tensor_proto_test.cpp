#include "corpus/tensor_proto.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <onnx/onnx-ml.pb.h>
#include <rapidcheck/gtest.h>

#include <array>
#include <functional>
#include <limits>

#include "corpus/model.hpp"
#include "corpus/testing/files.hpp"

namespace cellproof::corpus {
namespace {

using onnx::TensorProto;
using ::testing::HasSubstr;

Tensor patterned(ElementType type, Shape shape) {
  Tensor tensor(type, std::move(shape));
  for (std::size_t i = 0; i < tensor.bytes().size(); ++i) tensor.bytes()[i] = static_cast<std::byte>(37 * i + 11);
  return tensor;
}

Tensor read(const TensorProto& proto, const std::string& directory = {}) {
  return from_tensor_proto(proto.SerializeAsString(), "file.pb", directory);
}

TensorProto proto_of(TensorProto::DataType type, std::initializer_list<std::int64_t> dims) {
  TensorProto proto;
  proto.set_data_type(type);
  for (const auto dim : dims) proto.add_dims(dim);
  return proto;
}

TEST(TensorProto, EveryTypeGoesThereAndBack) {
  for (const ElementType type : all_element_types()) {
    for (const Shape& shape : {Shape{2, 3}, Shape{}, Shape{0, 4}, Shape{1, 1, 1, 5}}) {
      const Tensor tensor = patterned(type, shape);
      EXPECT_EQ(from_tensor_proto(to_tensor_proto(tensor, "x"), "file.pb"), tensor)
          << onnx_name(type) << to_string(shape);
    }
  }
}

TEST(TensorProto, DataTypesMapBothWaysAndOthersAreNamed) {
  for (const ElementType type : all_element_types()) EXPECT_EQ(element_type_of(onnx_data_type(type)), type);
  EXPECT_EQ(onnx_data_type(ElementType::BFloat16), 16);
  EXPECT_EQ(onnx_data_type(ElementType::Float16), 10);
  EXPECT_FALSE(element_type_of(TensorProto::STRING));
  EXPECT_EQ(data_type_name(TensorProto::STRING), "STRING");
  EXPECT_EQ(data_type_name(4711), "4711");
}

TEST(TensorProto, ReadsTheTypedFieldOfEachType) {
  auto floats = proto_of(TensorProto::FLOAT, {2});
  floats.add_float_data(1.5F);
  floats.add_float_data(-0.0F);
  EXPECT_EQ(read(floats), Tensor::from_values(ElementType::Float, {2}, std::array{1.5, -0.0}));

  auto doubles = proto_of(TensorProto::DOUBLE, {1});
  doubles.add_double_data(0.1);
  EXPECT_EQ(read(doubles), Tensor::from_values(ElementType::Double, {1}, std::array{0.1}));

  auto ints = proto_of(TensorProto::INT64, {1});
  ints.add_int64_data(-7);
  EXPECT_EQ(read(ints), Tensor::from_values(ElementType::Int64, {1}, std::array{-7.0}));

  for (const auto& [data_type, type, low, high] :
       {std::tuple{TensorProto::INT32, ElementType::Int32, -2147483647, 2147483647},
        std::tuple{TensorProto::INT8, ElementType::Int8, -128, 127},
        std::tuple{TensorProto::UINT8, ElementType::UInt8, 0, 255}}) {
    auto proto = proto_of(data_type, {2});
    proto.add_int32_data(low);
    proto.add_int32_data(high);
    EXPECT_EQ(read(proto), Tensor::from_values(type, {2}, std::array{double(low), double(high)})) << onnx_name(type);
  }
}

TEST(TensorProto, SixteenBitTypesAreBitPatternsInInt32Data) {
  auto half = proto_of(TensorProto::FLOAT16, {2});
  half.add_int32_data(0x3e00);  // 1.5
  half.add_int32_data(0xfc00);  // -inf
  const Tensor h = read(half);
  EXPECT_EQ(h.value(0), 1.5);
  EXPECT_EQ(h.value(1), -std::numeric_limits<double>::infinity());

  auto brain = proto_of(TensorProto::BFLOAT16, {1});
  brain.add_int32_data(0xbfc0);  // -1.5
  EXPECT_EQ(read(brain).value(0), -1.5);
}

/// Fault of a tensor, and the words by which it must be named.
struct Damage {
  const char* name;
  std::function<TensorProto()> make;
  const char* words;
};

const Damage damages[] = {
    {"string tensor", [] { return proto_of(TensorProto::STRING, {1}); }, "element type STRING"},
    {"undefined type", [] { return proto_of(TensorProto::UNDEFINED, {1}); }, "element type UNDEFINED"},
    {"unknown type",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {1});
       proto.set_data_type(99);
       return proto;
     },
     "element type 99"},
    {"2 GiB declared", [] { return proto_of(TensorProto::FLOAT, {1 << 29}); }, "at most 1 GiB"},
    {"dims overflow",
     [] {
       return proto_of(TensorProto::FLOAT, {1LL << 40, 1LL << 40, 1LL << 40});
     },
     "at most 1 GiB"},
    {"dims overflow to zero",
     [] {
       return proto_of(TensorProto::FLOAT, {1LL << 32, 1LL << 32});
     },
     "at most 1 GiB"},
    {"largest dim", [] { return proto_of(TensorProto::UINT8, {std::numeric_limits<std::int64_t>::max()}); }, "1 GiB"},
    {"empty beside huge",
     [] {
       return proto_of(TensorProto::FLOAT, {1LL << 29, 0});
     },
     "an empty tensor with huge dims"},
    {"negative dim", [] { return proto_of(TensorProto::FLOAT, {-1}); }, "dimension -1"},
    {"two negative dims",
     [] {
       return proto_of(TensorProto::FLOAT, {-1, -1});
     },
     "dimension -1"},
    {"no data", [] { return proto_of(TensorProto::FLOAT, {3}); },
     "no data, expected 3 elements of float for shape [3]"},
    {"raw too short",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {3});
       proto.set_raw_data(std::string(11, 'x'));
       return proto;
     },
     "raw_data of 11 bytes"},
    {"raw too long",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {3});
       proto.set_raw_data(std::string(16, 'x'));
       return proto;
     },
     "raw_data of 16 bytes"},
    {"raw in an empty tensor",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {0});
       proto.set_raw_data("abcd");
       return proto;
     },
     "raw_data of 4 bytes"},
    {"wrong count",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {3});
       proto.add_float_data(1);
       return proto;
     },
     "float_data with 1 elements, expected 3 elements"},
    {"wrong field",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {1});
       proto.add_double_data(1);
       return proto;
     },
     "data in double_data, expected float_data or raw_data"},
    {"two fields",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {1});
       proto.add_float_data(1);
       proto.set_raw_data("abcd");
       return proto;
     },
     "data in both raw_data and float_data"},
    {"value out of range",
     [] {
       auto proto = proto_of(TensorProto::UINT8, {2});
       proto.add_int32_data(0);
       proto.add_int32_data(256);
       return proto;
     },
     "element 1 is 256, expected 0 to 255"},
    {"bit pattern out of range",
     [] {
       auto proto = proto_of(TensorProto::BFLOAT16, {1});
       proto.add_int32_data(-1);
       return proto;
     },
     "element 0 is -1, expected 0 to 65535"},
    {"segment",
     [] {
       auto proto = proto_of(TensorProto::FLOAT, {1});
       proto.mutable_segment()->set_end(1);
       return proto;
     },
     "a segment"},
};

TEST(TensorProto, DamageIsNamed) {
  for (const auto& damage : damages) {
    EXPECT_THAT(corpus_error_of([&] { read(damage.make()); }), HasSubstr(damage.words)) << damage.name;
  }
}

TEST(TensorProto, ErrorsSayWhere) {
  EXPECT_THAT(
      corpus_error_of([] { from_tensor_proto("\x0a\xff", "some/input_0.pb"); }),
      ::testing::StartsWith("some/input_0.pb: 2 bytes that are no protobuf, expected a serialised TensorProto"));
}

TEST(TensorProto, EveryTruncationIsRefused) {
  const std::string whole = to_tensor_proto(patterned(ElementType::Float, {2, 3}), "x");
  for (std::size_t length = 0; length < whole.size(); ++length) {
    corpus_error_of([&] { from_tensor_proto(whole.substr(0, length), "cut"); });
  }
}

RC_GTEST_PROP(TensorProto, MutatedBytesGiveATensorOrACorpusError, ()) {
  std::string bytes = to_tensor_proto(patterned(ElementType::Float16, {2, 3}), "x");
  const auto changes = *rc::gen::inRange(1, 4);
  for (int i = 0; i < changes; ++i) {
    bytes[*rc::gen::inRange<std::size_t>(0, bytes.size())] = *rc::gen::arbitrary<char>();
  }
  try {
    const Tensor tensor = from_tensor_proto(bytes, "mutated");
    RC_ASSERT(tensor.bytes().size() == tensor.size() * size_of(tensor.type()));
  } catch (const CorpusError&) {
    RC_TAG("refused");
  }
}

}  // namespace
}  // namespace cellproof::corpus
