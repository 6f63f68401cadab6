#pragma once

#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "optimized/cudnn/context.hpp"

namespace cellproof::cudnn::probe {

/// Questions and cuDNN's answers, in words and numbers.
using Rows = std::vector<std::pair<std::string, std::string>>;

using Context = cellproof_cudnn_context;

/// One thing that is asked of cuDNN, answered in one row or a few.
struct Question {
  std::string asked;
  std::function<Rows(const Context& context)> ask;
};
Question one_row(const std::string& asked, std::function<std::string(const Context&)> answer);

/// Open questions about one side of cuDNN that only a device can answer. What the plan rests on comes first, and what
/// is likely to fail last.
struct Probe {
  const char* name;  ///< one letter
  const char* question;
  std::vector<Question> (*questions)();
};
std::span<const Probe> probes();

/// Answers of one question, and how the list stands behind it.
struct Step {
  Rows rows;
  std::size_t next;      ///< question
  bool is_lost = false;  ///< the device fails at every call: its process can ask nothing more
};

/// Asks question number `next`. A call that fails is an answer; where the device is lost by it, that is said, too.
Step ask(const cellproof_cudnn_context& context, const std::vector<Question>& questions, std::size_t next);

/// One line of JSON: {"probe", "question", "on", "rows": [{"asked", "answer"}], "next", "of"}; "next" of "of"
/// questions.
std::string json_line(const Probe& probe, const std::string& on, const Rows& rows, std::size_t next, std::size_t of);

std::vector<Question> questions_of_lengths();            ///< D: padding, neighbours, lengths of zero
std::vector<Question> questions_of_repeats();            ///< F: equal runs, absent states
std::vector<Question> questions_of_recording();          ///< I: graphs, replayed with other numbers
std::vector<Question> questions_of_lengths_in_flight();  ///< L: runs with other lengths, and no wait between them
std::vector<Question> questions_of_libraries();          ///< O: what is loaded
std::vector<Question> questions_of_pointers();           ///< P: misaligned and shared memory
std::vector<Question> questions_of_equations();          ///< J: our layer against ONNX's equations
std::vector<Question> questions_of_sums();               ///< K: what is kept between the steps, in closed form
std::vector<Question> questions_of_functions();          ///< N: tanh, relu and sigmoid against the host's

}  // namespace cellproof::cudnn::probe
