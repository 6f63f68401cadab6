#include "engines/testing/hostile/answers.hpp"

#include <fcntl.h>
#include <signal.h>
#include <unistd.h>

#include <utility>

#include "corpus/model.hpp"
#include "engines/protocol.hpp"

namespace cellproof::engines::hostile {
namespace {

std::filesystem::path once_file;

}  // namespace

void write_raw(std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = write(reply_descriptor, bytes.data(), bytes.size());
    if (count <= 0) _exit(1);
    bytes.remove_prefix(static_cast<std::size_t>(count));
  }
}

std::string ran_frame(const std::vector<std::string_view>& tensors, std::string_view json) {
  return encode({.kind = FrameKind::Ran, .json = json, .blobs = tensors});
}

std::string ones(ElementType type, const Shape& shape, double value) {
  Tensor tensor(type, shape);
  for (std::size_t i = 0; i < tensor.size(); ++i) tensor.set_value(i, value);
  return corpus::to_tensor_proto(tensor, "Y");
}

std::string numbered(const ModelRequest& request) {
  return R"({"number":)" + std::to_string(request.number) + "}";
}

void hang() {
  for (;;) pause();
}

void die_of(int number) {
  signal(number, SIG_DFL);
  raise(number);
  hang();
}

void misbehave_once(std::filesystem::path file) {
  once_file = std::move(file);
}

bool is_first_time() {
  if (once_file.empty()) return true;
  if (std::filesystem::exists(once_file)) return false;
  const int mark = open(once_file.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0644);
  if (mark < 0) _exit(9);
  close(mark);
  return true;
}

ModelReply behave(const ModelRequest& request, double value) {
  ModelReply reply;
  reply.outputs.assign(request.output_names.size(), ones(ElementType::Float, good_shape, value));
  return reply;
}

ModelReply with_outputs(std::vector<std::string> outputs) {
  ModelReply reply;
  reply.outputs = std::move(outputs);
  return reply;
}

ModelReply reject(std::string message) {
  ModelReply reply;
  reply.kind = OutcomeKind::Rejected;
  reply.message = std::move(message);
  return reply;
}

ModelReply raw_then_hang(std::string_view bytes) {
  write_raw(bytes);
  hang();
}

ModelReply answer_again_in_the_next(const ModelRequest& request) {
  static std::string before;
  if (!before.empty() && is_first_time()) write_raw(ran_frame({}, before));
  before = numbered(request);
  return behave(request);
}

ModelReply answer_the_next_first(const ModelRequest& request) {
  ModelRequest next = request;
  ++next.number;
  const std::string one = ones(ElementType::Float, good_shape);
  write_raw(ran_frame(std::vector<std::string_view>(request.output_names.size(), one), numbered(next)));
  return behave(request);
}

ModelReply answer_again(const ModelRequest& request, useconds_t pause) {
  const std::string first = ones(ElementType::Float, good_shape, 7);
  write_raw(ran_frame(std::vector<std::string_view>(request.output_names.size(), first), numbered(request)));
  usleep(pause);
  return behave(request, 8);
}

ModelReply behind_the_answer(const ModelRequest& request, void (*deed)()) {
  const std::string one = ones(ElementType::Float, good_shape);
  write_raw(ran_frame(std::vector<std::string_view>(request.output_names.size(), one), numbered(request)));
  deed();
  hang();
}

}  // namespace cellproof::engines::hostile
