#pragma once
#include <optional>
#include <string>
#include <vector>

#include "tools/labs/lab.hpp"

namespace roofline::labs {

/// What a student wrote, by the id of the question.
using Answers = std::map<std::string, std::string>;

/// Lines NAME = VALUE with '#' comments: the part of TOML that a list of answers needs. Throws FileError with the line.
Answers parse_answers(const std::string& text, const std::string& origin);

/// What is wrong with the form of an answer: not a number, none of the words. Empty: it can be graded.
std::string unreadable(const Question& question, const std::string& given);

/// The right answer, as the run has it.
struct Solution {
  std::optional<claims::Value> number;  ///< absent: of a choice, or not to be had
  std::string choice;
  std::string missing;  ///< why the run cannot say; empty: it can
};
Solution solve(const Question& question, const claims::Facts& run, const std::map<std::string, std::string>& numbers);

/// One question, graded.
struct Mark {
  const Question* question = nullptr;
  std::string given;
  Solution solution;
  double score = 0;     ///< of question->points
  bool counted = true;  ///< false: the run cannot decide it, and it is nobody's fault
  std::string feedback;
};

struct Grade {
  std::string student;
  std::vector<Mark> marks;
  double score() const;
  double possible() const;
};

/// Full points within the tolerance around the measured interval, half within three times of it, and feedback that
/// names what is behind a typical wrong answer.
Grade grade(const Lab& lab, const Answers& answers, const claims::Facts& run, const std::string& student);

}  // namespace roofline::labs
