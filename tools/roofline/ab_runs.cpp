#include "tools/roofline/ab_runs.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>
#include <stdexcept>

#include "bench/text/output.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Samples of one row in one pair of processes: what they scatter by is soon less than what processes differ by.
constexpr int fewest_samples = 9, most_samples = 31;
constexpr double seconds_of_a_row = 1.5;

/// Words of a command line; quotes keep blanks, a backslash the character after it.
std::vector<std::string> words_of(const std::string& command) {
  std::vector<std::string> words;
  std::string word;
  char quote = 0;
  bool open = false;
  for (std::size_t i = 0; i < command.size(); ++i) {
    const char c = command[i];
    if (c == '\\' && quote != '\'' && i + 1 < command.size()) {
      word += command[++i], open = true;
    } else if (quote ? c == quote : c == '"' || c == '\'') {
      quote = quote ? 0 : c, open = true;
    } else if (!quote && (c == ' ' || c == '\t')) {
      if (open) words.push_back(word);
      word.clear(), open = false;
    } else {
      word += c, open = true;
    }
  }
  if (quote) throw std::invalid_argument(fmt::format("'{}': a quote is not closed", command));
  if (open) words.push_back(word);
  if (words.empty())
    throw std::invalid_argument("a side of ab needs a command, as in --base='base/roofline_bench --quick'");
  return words;
}

/// The file that the shell would run.
fs::path program_named(const std::string& name) {
  if (name.find('/') == name.npos) {
    const char* const path = std::getenv("PATH");
    std::string_view rest = path ? path : "";
    while (!rest.empty()) {
      const auto colon = std::min(rest.find(':'), rest.size());
      const auto candidate = fs::path(rest.substr(0, colon)) / name;
      if (::access(candidate.c_str(), X_OK) == 0 && fs::is_regular_file(candidate)) return fs::canonical(candidate);
      rest.remove_prefix(std::min(colon + 1, rest.size()));
    }
  } else if (::access(name.c_str(), X_OK) == 0 && fs::is_regular_file(name)) {
    return fs::canonical(name);
  }
  throw FileError(fmt::format("{}: there is no such program; build it, or give its path", name));
}

/// What a program said last.
std::string last_line(const fs::path& log) {
  auto text = read_file(log);
  while (text.ends_with('\n')) text.pop_back();
  return text.substr(text.rfind('\n') + 1).substr(0, 300);
}

}  // namespace

AbSide::AbSide(const std::string& command, const fs::path& root, char letter)
    : command_(command),
      folder_(root / std::string(1, letter)),
      program_(folder_ / "program"),
      flags_(words_of(command)) {
  const auto program = program_named(flags_.front());
  flags_.erase(flags_.begin());
  std::error_code error;
  fs::create_directories(folder_, error);
  fs::remove(program_, error);
  fs::create_symlink(program, program_, error);
  if (error) throw FileError(fmt::format("{}: {}", program_.string(), error.message()));
}

Child::Command AbSide::prepare(const std::string& filter, double most_seconds) {
  out_ = folder_ / fmt::format("{:03d}", ++runs_);
  auto flags = flags_;
  if (!filter.empty()) flags.push_back("--benchmark_filter=" + filter);
  flags.push_back("--out=" + out_.string());
  return {program_, flags, folder_ / fmt::format("{:03d}.log", runs_), command_, most_seconds};
}

Side AbSide::result(const Child& run) {
  seconds_ += run.seconds();
  // A failed verification or a strict run has a result all the same.
  if (!fs::exists(run_json()))
    throw FileError(fmt::format("'{}' ended with code {} and wrote no run.json: {}", command_, run.code(),
                                last_line(out_.string() + ".log")));
  auto side = read_side(run_json());
  side.origin = command_;
  return side;
}

void AbSide::use_ceilings(const fs::path& run_json) {
  const bool said =
      std::any_of(flags_.begin(), flags_.end(), [](const auto& flag) { return flag.starts_with("--ceilings"); });
  if (!said) flags_.push_back("--ceilings=" + run_json.string());
}

void run_in_turns(const std::vector<Child*>& runs, const std::function<void(const std::string&)>& tell) {
  for (auto* const run : runs) run->advance();
  for (;;) {
    std::vector<Waiting> sides;
    for (const auto* run : runs) sides.push_back(run->waiting());
    auto at_row = together(sides);
    if (at_row.empty()) return;
    const auto row = sides[at_row.front()].row;
    tell(row);
    const auto still_there = [&](std::size_t i) { return !runs[i]->waiting().ended && runs[i]->waiting().row == row; };
    const auto start = Clock::now();
    const auto enough = [&](int samples) {
      const double seconds = std::chrono::duration<double>(Clock::now() - start).count();
      return samples >= most_samples || (samples >= fewest_samples && seconds >= seconds_of_a_row);
    };
    for (int samples = 0; !enough(samples); ++samples) {
      for (const auto i : at_row)
        if (still_there(i)) runs[i]->advance('g');
      std::reverse(at_row.begin(), at_row.end());
    }
    for (const auto i : at_row)
      if (still_there(i)) runs[i]->advance('s');
  }
}

}  // namespace roofline::cli
