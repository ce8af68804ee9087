#pragma once
#include <map>
#include <string>
#include <vector>

#include "reporters/claims/facts.hpp"
#include "reporters/claims/value.hpp"

namespace roofline::labs {

/// An answer that is typically wrong, and what is behind it.
struct Misconception {
  std::string answer;  ///< an expression, or a choice
  std::string says;    ///< to whoever gave it
};

/// A question whose right answer follows from a run.
struct Question {
  std::string id, phase, text, unit;  ///< phase: predict or explain
  std::string answer;                 ///< an expression over figures; of a choice a comparison: yes where it holds
  std::vector<std::string> choices;   ///< empty: a number. With "yes" and "no" a comparison decides
  double points = 1;
  bool program = false;     ///< graded by the measured value itself: full points from 80 on
  double tolerance = 0.05;  ///< relative, next to the interval of what was measured
  std::vector<Misconception> misconceptions;
  std::string because;  ///< the explanation, for feedback and the solution sheet

  bool is_choice() const { return !choices.empty(); }
};

/// A teaching lab: content, not code.
struct Lab {
  int number = 0;
  std::string name, title;
  int minutes = 45;
  std::string device;                                ///< of roofline_bench; empty: the CPU
  std::string flags;                                 ///< of roofline_bench beside the device: what measures the lab
  std::string text;                                  ///< Markdown: goal, theory, what to do, what to read
  std::map<std::string, std::vector<double>> drawn;  ///< numbers that differ between students: name -> choices
  std::vector<Question> questions;
};

const std::vector<Lab>& all_labs();

/// Throws std::invalid_argument, one line, when there is none of that number.
const Lab& lab(int number);

/// The numbers of a student: the same for the same name, without which the first of each.
std::map<std::string, std::string> numbers_of(const Lab& lab, const std::string& student);

/// The flags that measure a lab, each quoted for a shell where it has to be.
std::string measuring_flags(const Lab& lab, const std::string& student);

/// A text of the lab with the student's numbers in it.
std::string filled(const std::string& text, const std::map<std::string, std::string>& numbers);

}  // namespace roofline::labs
