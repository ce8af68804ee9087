#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "tools/labs/grade.hpp"

namespace roofline::labs {

/// What a student gets, as Markdown: text, questions with the student's numbers, where to write the answers. No answer
/// is in it.
std::string handout(const Lab& lab, const std::string& student);

/// What `--predict` reads, with every question as a comment and nothing answered.
std::string answer_sheet(const Lab& lab, const std::string& student);

/// What a teacher gets: every right answer of a run with its interval, and the mistakes that feedback recognises.
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
