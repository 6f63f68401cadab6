#pragma once

#include <string>
#include <string_view>

namespace google::protobuf {
class Message;
}

namespace cellproof::corpus {

/// Parses a serialised message; false where the bytes are none, or 2 GiB and more. Says nothing on stderr, unlike
/// protobuf by itself.
bool parse(std::string_view serialized, google::protobuf::Message& message);

/// The inverse, as quiet.
std::string serialize(const google::protobuf::Message& message);

}  // namespace cellproof::corpus
