#pragma once

#include <sys/types.h>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "engines/serve.hpp"
#include "spec/tensor.hpp"

namespace cellproof::engines::hostile {

/// The shape of every output of the good behaviour: a float tensor of ones.
inline const Shape good_shape{2, 3};

/// Writes bytes to the harness, whatever they are.
void write_raw(std::string_view bytes);
/// Returns the frame of an answer with these TensorProtos.
std::string ran_frame(const std::vector<std::string_view>& tensors, std::string_view json = "{}");
/// Returns a TensorProto that holds one value.
std::string ones(ElementType type, const Shape& shape, double value = 1);
/// Returns the JSON with which an answer names its request.
std::string numbered(const ModelRequest& request);

[[noreturn]] void hang();
/// Dies also where a sanitizer has put a handler of its own.
[[noreturn]] void die_of(int number);

/// Asks for a file to be made at the first misdeed; where it is there already the worker behaves. Empty: none.
void misbehave_once(std::filesystem::path file);
/// Is it the first time that any worker asks this? Without a file beside it always is.
bool is_first_time();

ModelReply behave(const ModelRequest& request, double value = 1);
ModelReply with_outputs(std::vector<std::string> outputs);
ModelReply reject(std::string message);
ModelReply raw_then_hang(std::string_view bytes);

/// Answers the request before a second time, and only then its own.
ModelReply answer_again_in_the_next(const ModelRequest& request);
/// Answers the request behind this one first; it takes its number for the next.
ModelReply answer_the_next_first(const ModelRequest& request);
/// Gives two answers, with the values 7 and 8, to one request; `pause`: microseconds between them.
ModelReply answer_again(const ModelRequest& request, useconds_t pause);
/// Answers, then does something else, and hangs if that comes back.
ModelReply behind_the_answer(const ModelRequest& request, void (*deed)());

}  // namespace cellproof::engines::hostile
