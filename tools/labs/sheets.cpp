#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/text/csv.hpp"
#include "bench/text/table.hpp"
#include "reporters/claims/claim_result.hpp"
#include "tools/labs/lab.hpp"

namespace roofline::labs {
namespace {

std::string question_line(const Question& question, const std::map<std::string, std::string>& numbers) {
  auto text = filled(question.text, numbers);
  if (question.is_choice()) text += fmt::format(" ({})", fmt::join(question.choices, " / "));
  if (!question.unit.empty()) text += fmt::format(" [{}]", question.unit);
  return text;
}

std::string questions(const Lab& lab, const std::string& phase, const std::map<std::string, std::string>& numbers) {
  std::string text;
  for (const auto& question : lab.questions)
    if (question.phase == phase)
      text += fmt::format("- **{}** ({:g} point{}) {}\n", question.id, question.points, question.points == 1 ? "" : "s",
                          question_line(question, numbers));
  return text;
}

/// Graded by a run that the student's own program wrote.
bool has_program(const Lab& lab) {
  return std::any_of(lab.questions.begin(), lab.questions.end(), [](const auto& q) { return q.program; });
}

constexpr const char* no_disturbance =
    "Nothing is timed, and every machine finds the same numbers. Where the program was built without GPU kernels, "
    "which it says, take your teacher's run: add `--replay=FILE` to the command that you hand in with.\n";
constexpr const char* on_busy_machines =
    "You are graded by your own run, within its ranges. Where something else runs on the machine these are wide, and "
    "questions are then undecided: they do not count. Stop it and measure again, or go on. The run before is kept as "
    "`lab-{0}/run-1.json`; `--replay=FILE` with the command that you hand in with grades by it instead, or, where "
    "hardware or permission is missing, by a run.json that your teacher names.\n";

std::string right_answer(const Mark& mark) {
  if (!mark.solution.missing.empty()) return "-";
  if (mark.question->is_choice()) return mark.solution.choice;
  return claims::in_digits(*mark.solution.number) + (mark.question->unit.empty() ? "" : " " + mark.question->unit);
}

}  // namespace

std::string handout(const Lab& lab, const std::string& student) {
  const auto numbers = numbers_of(lab, student);
  auto text = fmt::format("# Lab {}: {}\n\n", lab.number, lab.title);
  text += fmt::format("About {} minutes, at most one of them for the machine.{}\n\n", lab.minutes,
                      student.empty() ? "" : " For " + student + ": your numbers differ from your neighbour's.");
  text += filled(lab.text, numbers);
  const auto student_flag = student.empty() ? "" : " --student=" + student;
  text += fmt::format(
      "\n## Predict\n\nThe commands expect `roofline` and `roofline_bench` on the PATH: `export PATH=$PWD:$PATH` in "
      "their folder.\n\nBefore you measure. Write each answer into a file `answers.toml`, one per line: the bold name, "
      "`=`, and a number in the unit that stands behind the question, without the unit (`1/12` is a number), or one of "
      "the words. `roofline lab {0} --sheet --out=answers.toml{1}` makes an empty one; `roofline lab {0} --predict "
      "answers.toml{1}` lists the answers that cannot be read.\n\n",
      lab.number, student_flag);
  text += questions(lab, "predict", numbers);
  const auto flags = measuring_flags(lab, student);
  text += fmt::format(
      "\n## Measure\n\n```\nroofline lab {0} --measure{1}\n```\n\nThis runs `roofline_bench {2} --out=lab-{0}`. ",
      lab.number, student_flag, flags);
  text += !lab.device.empty() ? no_disturbance : fmt::format(on_busy_machines, lab.number);
  text += fmt::format(
      "\n## Explain\n\nWith `roofline show lab-{0}/run.json`, `roofline explain ROW lab-{0}/run.json` (ROW: a row's "
      "name or a part of it) and `lab-{0}/report.html` at hand. **bound** names the resource that limits a row: a "
      "level such as DRAM or L2 (memory), or an operation such as fma (compute). **% roof** is the share of the "
      "lowest roof at the row's intensity, **% mix** that of the ceilings of its own mix. **ridge** stands next "
      "to each level's bandwidth. Other words: `roofline_bench --describe=glossary`.\n\n",
      lab.number);
  text += questions(lab, "explain", numbers);
  text += fmt::format("\n## Hand in\n\n```\nroofline lab {0} --predict answers.toml --grade{1}{2}\n```\n", lab.number,
                      has_program(lab) ? " --replay=roofline-out/run.json" : "", student_flag);
  return text;
}

std::string answer_sheet(const Lab& lab, const std::string& student) {
  const auto numbers = numbers_of(lab, student);
  auto text = fmt::format(
      "# Lab {}: {}\n# Take the # before a name away and write a number without its unit (1/12 is one), "
      "or one of the words.\n",
      lab.number, lab.title);
  for (const auto& question : lab.questions)
    text += "\n# " + question.phase + ": " + question_line(question, numbers) + "\n# " + question.id + " = \n";
  return text;
}

std::string solution_sheet(const Lab& lab, const claims::Facts& run, const std::string& student) {
  const auto numbers = numbers_of(lab, student);
  auto text = fmt::format("# Lab {}: {}: solutions\n\nFor teachers. From a run, not from a book{}.\n\n", lab.number,
                          lab.title, student.empty() ? "" : "; for " + student);
  for (const auto& mark : grade(lab, {}, run, student).marks) {
    const auto& question = *mark.question;
    text += fmt::format("## {} ({}, {:g} points)\n\n{}\n\n", question.id, question.phase, question.points,
                        question_line(question, numbers));
    text += fmt::format("**{}**{}\n\n{}\n\n", right_answer(mark),
                        mark.counted ? "" : ", undecided: " + mark.solution.missing, filled(question.because, numbers));
    for (const auto& [answer, says] : question.misconceptions)
      text += fmt::format("- `{}`: {}\n", filled(answer, numbers), filled(says, numbers));
    if (!question.misconceptions.empty()) text += "\n";
  }
  return text;
}

std::string grade_text(const Lab& lab, const Grade& grade) {
  Table table{fmt::format("Lab {}: {}{}", lab.number, lab.title, grade.student.empty() ? "" : ", " + grade.student),
              table_columns("<question|<answer|points|of")};
  for (const auto& mark : grade.marks) {
    table.rows.push_back(
        {{mark.question->id, mark.given.empty() ? "-" : fmt::format("{:.20}", mark.given),
          mark.counted ? fmt::format("{:g}", mark.score) : "-", fmt::format("{:g}", mark.question->points)}});
    table.notes.push_back(fmt::format("{}: {}", mark.question->id, mark.feedback));
  }
  const auto open =
      std::count_if(grade.marks.begin(), grade.marks.end(), [](const Mark& mark) { return !mark.counted; });
  const auto undecided = open == 0 ? "" : fmt::format("; {} of {} questions undecided", open, grade.marks.size());
  return to_text(table) + fmt::format("score: {:g} of {:g}{}\n", grade.score(), grade.possible(), undecided);
}

std::string gradescope(const Lab& lab, const Grade& grade) {
  nlohmann::ordered_json json;
  json["score"] = grade.score();
  json["output"] = fmt::format("Lab {}: {}: {:g} of {:g}", lab.number, lab.title, grade.score(), grade.possible());
  json["visibility"] = "visible";
  json["stdout_visibility"] = "hidden";
  json["tests"] = nlohmann::ordered_json::array();
  for (const auto& mark : grade.marks) {
    const double most = mark.counted ? mark.question->points : 0;
    json["tests"].push_back({{"score", mark.score},
                             {"max_score", most},
                             {"status", mark.score >= most ? "passed" : "failed"},
                             {"name", mark.question->id},
                             {"number", fmt::format("{}.{}", lab.number, json["tests"].size() + 1)},
                             {"output", mark.feedback},
                             {"tags", {mark.question->phase}},
                             {"visibility", "visible"}});
  }
  return json.dump(1, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

std::string grades_csv(const Lab& lab, const std::vector<Grade>& grades) {
  std::string text = "student,score,possible";
  for (const auto& question : lab.questions) text += "," + question.id;
  text += "\n";
  for (const auto& grade : grades) {
    text += fmt::format("{},{:g},{:g}", csv_field(grade.student), grade.score(), grade.possible());
    for (const auto& mark : grade.marks) text += mark.counted ? fmt::format(",{:g}", mark.score) : ",";
    text += "\n";
  }
  return text;
}

}  // namespace roofline::labs
