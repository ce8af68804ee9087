#pragma once
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "reporters/claims/claim.hpp"
#include "reporters/claims/facts.hpp"

namespace roofline::labs {

/// An answer that is typically wrong, and what is behind it.
struct Misconception {
  std::string answer;  ///< an expression, or a choice
  std::string says;    ///< to whoever gave it
};

/// A question whose right answer follows from a run.
struct Question {
  std::string id, phase, text, unit;  ///< phase: predict or explain
  std::string answer;                 ///< an expression over figures; for a choice a comparison, "yes" if it holds
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
  std::string flags;                                 ///< of roofline_bench besides the device; they measure the lab
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

using claims::filled;  // texts of the lab with the student's numbers in them

/// A student's answers, by the id of the question.
using Answers = std::map<std::string, std::string>;

/// Lines NAME = VALUE with '#' comments: the part of TOML that a list of answers needs. Throws FileError with the line.
Answers parse_answers(const std::string& text, const std::string& origin);

/// The error in the form of an answer: not a number, not one of the words. Empty: it can be graded.
std::string unreadable(const Question& question, const std::string& given);

/// The right answer, as the run has it.
struct Solution {
  std::optional<claims::Value> number;  ///< absent: for a choice, or if it cannot be had
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

/// The sheet for a student, as Markdown: text, questions with the student's numbers, where to write the answers. It
/// contains no answers.
std::string handout(const Lab& lab, const std::string& student);

/// The input of `--predict`, with every question as a comment and nothing answered.
std::string answer_sheet(const Lab& lab, const std::string& student);

/// The sheet for a teacher: every right answer of a run with its interval, and the mistakes that feedback recognises.
std::string solution_sheet(const Lab& lab, const claims::Facts& run, const std::string& student);

/// A grade as text for the student.
std::string grade_text(const Lab& lab, const Grade& grade);

/// Gradescope's results.json: score, and one test per question.
std::string gradescope(const Lab& lab, const Grade& grade);

/// A class: one line per student, one column per question.
std::string grades_csv(const Lab& lab, const std::vector<Grade>& grades);

/// Our Markdown (headings, paragraphs, lists, code, tables, `code`, **strong**) as a printable page without scripts.
std::string html_of(const std::string& markdown, const std::string& title);

/// A lab's files in content/: questions (JSON) and text (Markdown), under their common name "06-gpp-over-nw".
struct LabFile {
  std::string_view name, data, text;
};
const std::vector<LabFile>& lab_files();

}  // namespace roofline::labs
