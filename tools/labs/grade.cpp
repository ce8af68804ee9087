#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/claims/claim_result.hpp"
#include "reporters/claims/expression.hpp"
#include "tools/labs/lab.hpp"

namespace roofline::labs {
namespace {

/// A finite number with nothing behind it. "1/12" is one, too: it is how the lecture writes it.
std::optional<double> number(std::string_view text) {
  const auto one = [](std::string_view of) -> std::optional<double> {
    const std::string part(trimmed(of));
    char* end = nullptr;
    const double value = std::strtod(part.c_str(), &end);
    if (part.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
    return value;
  };
  const auto slash = text.find('/');
  if (slash == text.npos) return one(text);
  const auto above = one(text.substr(0, slash)), below = one(text.substr(slash + 1));
  if (!above || !below || *below == 0) return std::nullopt;
  return *above / *below;
}

/// A '#' between quotes belongs to the value.
std::string without_comment(const std::string& line) {
  bool quoted = false;
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '"') quoted = !quoted;
    if (line[i] == '#' && !quoted) return line.substr(0, i);
  }
  return line;
}

/// The expected form of a number; a factor and a share have no unit that could be left out.
std::string unit_hint(const std::string& unit) {
  if (unit.empty()) return {};
  if (unit == "factor" || unit == "share") return fmt::format("; the {} is a number alone", unit);
  return "; write it in " + unit + ", without the unit";
}

/// An answer within so many tolerances of the measured interval has half of the points. An interval that reaches
/// further from its middle decides nothing: it would make wrong answers right.
constexpr double half_points = 3;
/// Percent of a roof that have all points of a program.
constexpr double enough = 80;
/// Share of the CPUs from which on other programs may be the reason for what a program lacks, unless it is below `slow`
/// percent of its roof: that has a reason of its own.
constexpr double busy = 0.1, slow = 20;

/// How far outside of the measured interval a number lies, in tolerances.
double distance(double given, const claims::Value& right, double tolerance) {
  const double room = std::max(std::abs(right.value) * tolerance, 1e-12);
  if (given < right.low) return (right.low - given) / room;
  if (given > right.high) return (given - right.high) / room;
  return 0;
}

std::string misconception(const Question& question, double given, const claims::Facts& run,
                          const std::map<std::string, std::string>& numbers) {
  for (const auto& [answer, says] : question.misconceptions) try {
      claims::Scope scope{.facts = run};
      const claims::Value wrong(claims::evaluate(filled(answer, numbers), scope).value);
      if (distance(given, wrong, std::min(question.tolerance, 0.05)) <= 1) return says;
    } catch (const claims::Missing&) {
    }
  return {};
}

void mark_number(Mark& mark, const claims::Facts& run, const std::map<std::string, std::string>& numbers) {
  const auto& question = *mark.question;
  const auto given = number(mark.given);
  const double far = distance(*given, *mark.solution.number, question.tolerance);
  if (far <= 1) {
    mark.score = question.points, mark.feedback = "right. " + question.because;
    return;
  }
  mark.feedback = misconception(question, *given, run, numbers);
  // A known mistake earns nothing for being near.
  if (mark.feedback.empty() && far <= half_points)
    mark.score = question.points / 2, mark.feedback = "nearly. " + question.because;
  if (mark.feedback.empty()) {
    const double powers = std::log10(*given / mark.solution.number->value), whole = std::round(powers);
    mark.feedback = whole != 0 && std::abs(powers - whole) < 0.02 ? "a power of ten off: look at the unit"
                                                                  : "different from the run";
  }
}

void mark_choice(Mark& mark) {
  const auto& question = *mark.question;
  const auto given = lower_case(mark.given);
  if (given == lower_case(mark.solution.choice)) {
    mark.score = question.points, mark.feedback = "right. " + question.because;
    return;
  }
  for (const auto& [answer, says] : question.misconceptions)
    if (lower_case(answer) == given) mark.feedback = says;
  if (mark.feedback.empty()) mark.feedback = "different from the run";
}

/// Code is graded by what it reached.
void mark_program(Mark& mark) {
  const double reached = mark.solution.number->value;
  mark.given = fmt::format("{:.1f}", reached);
  mark.score = mark.question->points * std::clamp(reached / enough, 0.0, 1.0);
  mark.feedback = fmt::format("reached {:.1f} {}; full points from {:g} on", reached, mark.question->unit, enough);
}

/// The reason not to grade a program by this run; empty if there is none.
std::string disturbance(const Mark& mark, const claims::Facts& run) {
  const auto others = run.find("machine", "busy", claims::End::middle);
  const double reached = mark.solution.number->value;
  if (reached >= enough || reached < slow || !others || others->value.value <= busy) return {};
  return fmt::format("it reached {:.1f} {}, and other programs used {:.0f} % of the CPUs: measure again without them",
                     reached, mark.question->unit, 100 * others->value.value);
}

/// A wrong answer would have no points, whatever the right one is within its interval.
bool is_resolved(const Question& question, const claims::Value& right) {
  if (std::isnan(right.value)) return false;
  double room = half_points * question.tolerance * std::abs(right.value) + 1e-12;
  // The points of a program grow with its share, so a small share may have a wide range beside it.
  if (question.program) room = std::max(room, question.tolerance * enough);
  const bool passed = question.program && right.low >= enough;
  return passed || (right.low >= right.value - room && right.high <= right.value + room);
}

}  // namespace

std::string unreadable(const Question& question, const std::string& given) {
  if (question.program) return {};
  if (!question.is_choice())
    return number(given) ? std::string() : fmt::format("'{:.40}' is not a number{}", given, unit_hint(question.unit));
  std::string choices;
  for (const auto& choice : question.choices) {
    if (lower_case(choice) == lower_case(given)) return {};
    choices += (choices.empty() ? "" : ", ") + choice;
  }
  return "expected one of: " + choices;
}

Answers parse_answers(const std::string& text, const std::string& origin) {
  Answers answers;
  int line_number = 0;
  std::size_t at = 0;
  while (at < text.size()) {
    const auto end = std::min(text.find('\n', at), text.size());
    const std::string line(trimmed(without_comment(text.substr(at, end - at))));
    at = end + 1, ++line_number;
    if (line.empty() || line[0] == '[') continue;
    const auto equals = line.find('=');
    if (equals == std::string::npos) throw FileError(fmt::format("{}:{}: expected NAME = VALUE", origin, line_number));
    std::string value(trimmed(std::string_view(line).substr(equals + 1)));
    if (value.size() >= 2 && value.front() == '"') {
      const auto close = value.find('"', 1);
      if (close == std::string::npos) throw FileError(fmt::format("{}:{}: a quote is not closed", origin, line_number));
      value = value.substr(1, close - 1);
    }
    const std::string name(trimmed(std::string_view(line).substr(0, equals)));
    if (!answers.emplace(name, value).second)
      throw FileError(fmt::format("{}:{}: {:.40} is answered twice", origin, line_number, name));
  }
  return answers;
}

Solution solve(const Question& question, const claims::Facts& run, const std::map<std::string, std::string>& numbers) {
  Solution solution;
  claims::Scope scope{.facts = run};
  const auto answer = filled(question.answer, numbers);
  try {
    std::optional<claims::Truth> truth;
    for (const auto end : {claims::End::middle, claims::End::low, claims::End::high}) {
      scope.end = end;
      if (question.is_choice()) {
        const auto found = claims::compare(answer, scope).truth;
        truth = truth.value_or(found) == found ? found : claims::Truth::unknown;
      } else {
        const auto value = claims::evaluate(answer, scope);
        auto& number = solution.number;
        if (!number || std::isnan(value.value))
          number = value;
        else
          number = {number->value, std::min(number->low, value.low), std::max(number->high, value.high)};
      }
    }
    // The first choice is what is right where the comparison holds, the second where it does not.
    if (truth == claims::Truth::unknown) solution.missing = "the ranges of the run hold both answers";
    if (truth) solution.choice = question.choices.at(truth == claims::Truth::yes ? 0 : 1);
    if (solution.number && !is_resolved(question, *solution.number))
      solution.missing = fmt::format("the run says {} only, and that is too wide a range to grade by",
                                     claims::in_digits(*solution.number));
    // A row above its roof has a wrong count or ceiling, and whoever read it right is not to lose points.
    for (const auto& [text, fact] : scope.used.facts)
      if (fact.impossible) solution.missing = text + " is of a row above its roof";
  } catch (const claims::Missing& missing) {
    solution.missing = fmt::format("the run does not have {}", missing.what());
  }
  return solution;
}

double Grade::score() const {
  double sum = 0;
  for (const auto& mark : marks) sum += mark.score;
  return sum;
}
double Grade::possible() const {
  double sum = 0;
  for (const auto& mark : marks) sum += mark.counted ? mark.question->points : 0;
  return sum;
}

Grade grade(const Lab& lab, const Answers& answers, const claims::Facts& run, const std::string& student) {
  const auto numbers = numbers_of(lab, student);
  Grade grade{student, {}};
  for (const auto& question : lab.questions) {
    Mark mark;
    mark.question = &question, mark.solution = solve(question, run, numbers);
    const auto given = answers.find(question.id);
    if (given != answers.end()) mark.given = given->second;
    if (question.program && !mark.solution.number) {
      mark.feedback = mark.solution.missing + ": measure your program, and grade with its run.json";
    } else if (!mark.solution.missing.empty()) {
      mark.counted = false, mark.feedback = "undecided: " + mark.solution.missing;
    } else if (const auto why = question.program ? disturbance(mark, run) : ""; !why.empty()) {
      mark.counted = false, mark.feedback = "undecided: " + why;
    } else if (question.program) {
      mark_program(mark);
    } else if (mark.given.empty()) {
      mark.feedback = "no answer";
    } else if (const auto why = unreadable(question, mark.given); !why.empty()) {
      mark.feedback = why;
    } else if (question.is_choice()) {
      mark_choice(mark);
    } else {
      mark_number(mark, run, numbers);
    }
    mark.feedback = filled(mark.feedback, numbers);
    grade.marks.push_back(std::move(mark));
  }
  return grade;
}

}  // namespace roofline::labs
