#include "tools/labs/lab.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <iostream>

#include "bench/storage/stored_run.hpp"
#include "bench/text/clean.hpp"
#include "bench/text/output.hpp"
#include "bench/text/table.hpp"
#include "tools/roofline/subcommand.hpp"

namespace roofline::cli::lab_command {
namespace {

namespace fs = std::filesystem;

struct Arguments {
  int number = 0;
  std::string predict, replay, student, results, csv, folder, out;
  bool measure = false, grade = false, html = false, handout = false, solutions = false, sheet = false;
};

int list_labs() {
  Table table{"Labs: predict, measure, explain", table_columns("lab|minutes|<measures|<title")};
  for (const auto& lab : labs::all_labs())
    table.rows.push_back({{std::to_string(lab.number), std::to_string(lab.minutes),
                           lab.device.empty() ? "CPU" : "GPU model", lab.title}});
  table.notes = {"roofline lab N prints one; --sheet writes an empty answer sheet, --html a page to print.",
                 "roofline lab N --predict answers.toml --grade grades it with lab-N/run.json, or --replay run.json."};
  print(to_text(table, output_width()));
  return exit_ok;
}

std::string quoted(const std::string& text) {
  std::string word = "'";
  for (const char c : text) word += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return word + "'";
}

std::string run_file(const Arguments& arguments) {
  return arguments.replay.empty() ? fmt::format("lab-{}/run.json", arguments.number) : arguments.replay;
}

/// A copy of the run that is there already, under the first free name, because a user who measures again may want
/// either. Empty: there is none.
std::string keep_earlier(const std::string& run) {
  if (!fs::exists(run)) return {};
  const auto kept = [&](int number) { return fmt::format("{}-{}.json", run.substr(0, run.rfind('.')), number); };
  int number = 1;
  while (fs::exists(kept(number))) ++number;
  write_file(kept(number), read_file(run));
  return kept(number);
}

int measure(const labs::Lab& lab, const Arguments& arguments) {
  const auto flags = labs::measuring_flags(lab, arguments.student);
  const auto command = fmt::format("{} {} --out=lab-{}", quoted(bench_program().string()), flags, lab.number);
  const auto run = run_file(arguments), earlier = keep_earlier(run);
  print(command + "\n");
  const int status = std::system(command.c_str());
  // One that was interrupted, or never began, replaces nothing.
  const bool is_new = fs::exists(run) && (earlier.empty() || read_file(run) != read_file(earlier));
  if (!earlier.empty() && is_new)
    print(fmt::format("the run before is kept: --replay={} grades with it\n", earlier));
  else if (!earlier.empty() && fs::exists(run))
    fs::remove(earlier);
  return WIFEXITED(status) ? WEXITSTATUS(status) : exit_failed;
}

/// Answers from the keyboard or a pipe, a question at a time.
labs::Answers ask(const labs::Lab& lab, const std::string& student) {
  labs::Answers answers;
  const auto numbers = labs::numbers_of(lab, student);
  for (const auto& question : lab.questions) {
    print(printable(wrap(fmt::format("{}: {} {}", question.id, labs::filled(question.text, numbers), question.unit),
                         terminal_width)) +
          "> ");
    std::string line;
    if (!std::getline(std::cin, line)) break;
    if (!line.empty()) answers[question.id] = line;
  }
  print("\n");
  return answers;
}

/// Names in an answer file that no question has: most often a typing error.
void warn_of_unknown(const labs::Lab& lab, const labs::Answers& answers, const std::string& file) {
  for (const auto& [name, value] : answers)
    if (std::none_of(lab.questions.begin(), lab.questions.end(), [&](const auto& q) { return q.id == name; }))
      fmt::print(stderr, "roofline: {}: lab {} has no question {:.40}\n", printable(file), lab.number, printable(name));
}

labs::Answers answers_of(const labs::Lab& lab, const Arguments& arguments) {
  if (arguments.predict.empty() || arguments.predict == "-") return ask(lab, arguments.student);
  const auto answers = labs::parse_answers(read_file(arguments.predict, 1 << 20), arguments.predict);
  warn_of_unknown(lab, answers, arguments.predict);
  return answers;
}

int grade_class(const labs::Lab& lab, const Arguments& arguments, const claims::Facts& run) {
  const auto files = files_in(arguments.folder, ".toml");
  if (files.empty()) throw FileError(fmt::format("{}: has no .toml files, one per student", arguments.folder));
  std::vector<labs::Grade> grades;
  for (const auto& file : files) try {
      const auto answers = labs::parse_answers(read_file(file, 1 << 20), file.string());
      grades.push_back(labs::grade(lab, answers, run, file.stem().string()));
    } catch (const FileError& wrong) {
      // One unreadable sheet should not leave a class ungraded.
      fmt::print(stderr, "roofline: {}; graded as empty\n", printable(wrong.what()));
      grades.push_back(labs::grade(lab, {}, run, file.stem().string()));
    }
  return put(labs::grades_csv(lab, grades), arguments.csv);
}

int with_run(const labs::Lab& lab, const Arguments& arguments) {
  const auto file = run_file(arguments);
  if (arguments.replay.empty() && !fs::exists(file))
    throw FileError(fmt::format("{}: not there; roofline lab {} --measure makes it, --replay FILE takes another", file,
                                lab.number));
  const auto results = read_run(file);
  const claims::RunFacts run(results);
  if (arguments.solutions) {
    const auto sheet = labs::solution_sheet(lab, run, arguments.student);
    return put(arguments.html ? labs::html_of(sheet, lab.title + ": solutions") : sheet, arguments.out);
  }
  if (!arguments.folder.empty()) return grade_class(lab, arguments, run);
  const auto grade = labs::grade(lab, answers_of(lab, arguments), run, arguments.student);
  if (!arguments.results.empty()) write_file(arguments.results, labs::gradescope(lab, grade));
  if (!arguments.csv.empty()) write_file(arguments.csv, labs::grades_csv(lab, {grade}));
  print(printable(labs::grade_text(lab, grade)));
  return exit_ok;
}

/// The next steps of a student, who may answer the questions of Explain only with a run at hand.
std::string next_step(const labs::Lab& lab, bool predictions_lack, bool explanations_lack) {
  const auto run = fmt::format("lab-{}/run.json", lab.number);
  if (predictions_lack) return "next: the other predictions, before you measure\n";
  if (!fs::exists(run))
    return fmt::format("next: roofline lab {0} --measure (or a stored run), then Explain, then --grade\n", lab.number);
  if (explanations_lack)
    return fmt::format("next: the questions of Explain, with roofline show {}; then --grade\n", run);
  return "next: --grade\n";
}

/// Without a grade: says which answers are readable, but not whether they are right.
int check_answers(const labs::Lab& lab, const Arguments& arguments) {
  const auto answers = answers_of(lab, arguments);
  std::map<std::string, int> asked, answered;  // by phase
  bool readable = true;
  for (const auto& question : lab.questions) {
    if (question.program) continue;
    ++asked[question.phase];
    const auto given = answers.find(question.id);
    if (given == answers.end() || given->second.empty()) continue;
    const auto why = labs::unreadable(question, given->second);
    if (!why.empty()) readable = false, print(printable(question.id + ": " + why) + "\n");
    answered[question.phase] += why.empty();
  }
  std::string text;
  for (const auto* phase : {"predict", "explain"})
    if (asked[phase] > 0)
      text += fmt::format("{}{}: {} of {} questions are answered", text.empty() ? "" : "; ", phase, answered[phase],
                          asked[phase]);
  print(text + "\n" + next_step(lab, answered["predict"] < asked["predict"], answered["explain"] < asked["explain"]));
  return readable ? exit_ok : exit_usage;
}

/// Flags that make sense only with one of several others.
void require_use(const Arguments& arguments) {
  const bool with_grades = arguments.grade || !arguments.folder.empty();
  if (!arguments.replay.empty() && !with_grades && !arguments.solutions)
    throw std::invalid_argument("--replay gives numbers to --grade, --solutions or --class; add one of them");
  if (!arguments.csv.empty() && !with_grades) throw std::invalid_argument("--csv: needs --grade or --class");
}

int run_lab(const Arguments& arguments) {
  require_use(arguments);
  if (arguments.number == 0) return list_labs();
  const auto& lab = labs::lab(arguments.number);
  if (arguments.measure) return measure(lab, arguments);
  if (arguments.grade || arguments.solutions || !arguments.folder.empty()) return with_run(lab, arguments);
  if (!arguments.predict.empty()) return check_answers(lab, arguments);
  auto text = arguments.sheet ? labs::answer_sheet(lab, arguments.student) : labs::handout(lab, arguments.student);
  if (arguments.html) text = labs::html_of(text, lab.title);
  return put(text, arguments.out);
}

/// A flag that would do nothing is refused: every pair here has one.
void combine(CLI::App& flags) {
  const std::pair<const char*, std::vector<std::string>> never_with[] = {
      {"--measure",
       {"--predict", "--replay", "--grade", "--class", "--results", "--csv", "--sheet", "--html", "--solutions",
        "--out"}},
      {"--grade", {"--sheet", "--html", "--solutions", "--out"}},
      {"--class", {"--predict", "--student", "--results", "--sheet", "--html", "--solutions", "--out"}},
      {"--solutions", {"--predict", "--sheet"}},
      {"--predict", {"--sheet", "--html", "--out"}}};
  for (const auto& [flag, others] : never_with) exclude(flags, flag, others);
  flags.get_option("--results")->needs(flags.get_option("--grade"));
  auto* const number = flags.get_option("N");
  for (auto* const option : flags.get_options())
    if (option != number && option->get_name() != "--help") option->needs(number);
}

void define(CLI::App& flags, Arguments& arguments) {
  flags.add_option("N", arguments.number, "which lab; without it they are listed");
  flags.add_option("--predict", arguments.predict, "answers as NAME = VALUE lines; -: ask for them")->type_name("FILE");
  flags.add_flag("--measure", arguments.measure, "run roofline_bench for this lab, at most a minute, into lab-N/");
  flags.add_option("--replay", arguments.replay, "a stored run in the place of lab-N/run.json")->type_name("run.json");
  flags.add_flag("--grade", arguments.grade,
                 "print score and feedback; answers that the run cannot decide do not count");
  flags.add_option("--student", arguments.student, "name of the student, which chooses the numbers in the questions")
      ->type_name("ID");
  flags.add_option("--class", arguments.folder, "grade every NAME.toml of a folder, as --student=NAME")
      ->type_name("FOLDER");
  flags.add_option("--results", arguments.results, "write Gradescope's results.json")->type_name("FILE");
  flags.add_option("--csv", arguments.csv, "write the grades as CSV")->type_name("FILE");
  flags.add_flag("--sheet", arguments.sheet, "an empty answer sheet instead of the handout");
  flags.add_flag("--html", arguments.html, "as a page to print");
  flags.add_flag("--solutions", arguments.solutions,
                 "for teachers: right answers of the run, with the mistakes behind wrong ones");
  flags.add_option("--out", arguments.out, "write handout, sheet or solutions to a file")->type_name("FILE");
  combine(flags);
  flags.footer("Example: roofline lab 6 --predict answers.toml --grade");
}

const Subcommand registered("lab", "teaching labs: handouts, measuring, grading", define, run_lab);

}  // namespace
}  // namespace roofline::cli::lab_command
