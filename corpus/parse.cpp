#include "corpus/parse.hpp"

#include <google/protobuf/message.h>
#include <google/protobuf/stubs/logging.h>

#include <limits>

namespace cellproof::corpus {

bool parse(std::string_view serialized, google::protobuf::Message& message) {
  if (serialized.size() > std::numeric_limits<int>::max()) return false;
  const google::protobuf::LogSilencer quiet;
  return message.ParseFromArray(serialized.data(), static_cast<int>(serialized.size()));
}

std::string serialize(const google::protobuf::Message& message) {
  const google::protobuf::LogSilencer quiet;
  return message.SerializeAsString();
}

}  // namespace cellproof::corpus
