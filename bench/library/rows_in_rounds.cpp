#include "bench/library/rows_in_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <stdexcept>

#include "bench/library/declared/declared.hpp"
#include "bench/machine/clock.hpp"
#include "bench/storage/google_rows.hpp"

namespace roofline {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

/// The time that Google Benchmark takes to find the iterations of a row and to time them.
struct Search {
  double seconds = 0;
  int calls = 0;  ///< of the benchmark
};
Search search_of(double min_time, double iteration) {
  constexpr double aimed_at = 1.4, significant = 0.1, most_iterations = 1e9;  // as in its BenchmarkRunner
  Search search;
  for (double iterations = 1;; ++search.calls) {
    const double seconds = iterations * iteration;
    search.seconds += seconds;
    if (seconds >= min_time || iterations >= most_iterations) return ++search.calls, search;
    double factor = min_time * aimed_at / std::max(seconds, 1e-9);
    if (seconds <= significant * min_time) factor = std::min(10.0, factor);
    iterations = std::max(std::round(factor * iterations), iterations + 1);
  }
}

constexpr int most_rounds = 12, least_of_three = 6, most_samples = 3;

/// Google Benchmark has no function for it, and keeps the pointer to the program's name.
void set_flag(std::string flag) {
  char* argv[] = {const_cast<char*>(benchmark::BenchmarkReporter::Context::executable_name), flag.data(), nullptr};
  int argc = 2;
  benchmark::Initialize(&argc, argv);
}
void set_min_time(double seconds) {
  set_flag(fmt::format("--benchmark_min_time={:.6f}{}", seconds, ROOFLINE_BENCHMARK_VERSION < 10800 ? "" : "s"));
}

/// A regular expression that matches this name and no other.
std::string pattern_of(const std::string& name) {
  std::string pattern = "^";
  for (const char c : name) {
    if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
    pattern += c;
  }
  return pattern + "$";
}

bool says_how_to_measure(const Run& run) {
  const auto& name = run.run_name;
  return !name.iterations.empty() || !name.repetitions.empty() || !name.min_time.empty();
}

Sample sample_of(const Run& run, double start) {
  return {.start = start, .seconds = seconds_of(run), .launches = static_cast<double>(run.iterations)};
}

/// The median of repetitions stands for them where only aggregates are reported.
bool is_sample(const Run& run, const std::vector<Run>& all) {
  if (run.run_type == Run::RT_Iteration) return true;
  const bool only_aggregates =
      std::all_of(all.begin(), all.end(), [](const Run& other) { return other.run_type == Run::RT_Aggregate; });
  return only_aggregates && run.aggregate_name == "median";
}

}  // namespace

RowRoundsWanted rounds_of_row(double min_time, double part, double iteration, double first_pass, double roofs) {
  constexpr double may_take = 1.15, nobody_minds = 0.3;  // seconds
  const auto of_part = search_of(part, iteration), whole = search_of(min_time, iteration);
  const double entering = std::max(0.0, first_pass - of_part.seconds) / of_part.calls;
  const double usual = whole.seconds + whole.calls * entering;
  const double left = std::max(may_take * usual - first_pass, nobody_minds);
  // A round of n samples has n + 1 of its roofs.
  const auto fitting = [&](int samples) {
    const double round = samples * first_pass + (samples + 1) * roofs;
    return static_cast<int>(std::clamp(left / round, 0.0, 1.0 * most_rounds));
  };
  if (const int rounds = fitting(most_samples); rounds >= least_of_three) return {rounds, most_samples};
  return {fitting(1), 1};
}

RowsInRounds::RowsInRounds(const Machine& machine, const RooflineFlags& flags, benchmark::BenchmarkReporter* live)
    : machine_(machine),
      flags_(flags),
      shown_(live),
      in_rounds_(!flags.says_how_to_measure),
      part_(flags.min_time / (most_rounds * most_samples)) {}

std::size_t RowsInRounds::run() {
  const bool file = !flags_.benchmark_out.empty();  // which Google Benchmark opens; its content is written at the end
  if (in_rounds_) set_min_time(part_);
  KeptRows ignored;
  const auto found = benchmark::RunSpecifiedBenchmarks(this, !file ? nullptr : in_rounds_ ? &ignored : &for_file_);
  if (in_rounds_ && file) set_flag("--benchmark_out=");  // opened and checked once
  for (round_ = 0; in_rounds_ && round_ < most_rounds && !wrong_; ++round_)
    for (const auto& row : rows_)
      if (row->wanted.rounds > round_ && !wrong_) take_round(*row);
  progress_.clear();
  benchmark::Shutdown();
  if (wrong_) std::rethrow_exception(wrong_);
  if (in_rounds_ && context_) {
    for (auto* const kept : {&shown_, &for_file_}) {
      kept->ReportContext(*context_);
      for (const auto& row : rows_) kept->ReportRuns(merged(*row));
    }
  }
  shown_.Finalize();
  return found;
}

bool RowsInRounds::ReportContext(const Context& context) {
  if (context_) return true;
  context_.emplace(context);
  row_start_ = Clock::now();
  return in_rounds_ || shown_.ReportContext(context);
}

void RowsInRounds::ReportRuns(const std::vector<Run>& runs) {
  const double seconds = seconds_since(row_start_);
  if (runs.empty() || wrong_) return;
  if (sampled_) {
    sampled_->reported.push_back(runs);
    return;
  }
  try {
    if (!in_rounds_) shown_.ReportRuns(runs);
    enter(runs, seconds);
  } catch (...) {
    wrong_ = std::current_exception();
  }
  row_start_ = Clock::now();
}

std::string RowsInRounds::failure_of(Row& row, const std::vector<Run>& runs) {
  for (const auto& run : runs)
    if (const auto why = row_error(run); !why.empty()) {
      failures_.emplace_back(point_name(run), why);
      row.point.reset();
      row.wanted = {};
      return why;
    }
  return {};
}

void RowsInRounds::enter(const std::vector<Run>& runs, double seconds) {
  rows_.push_back(std::make_unique<Row>());
  auto& row = *rows_.back();
  row.name = runs.front().run_name.str();
  row.reported.push_back(runs);
  if (!failure_of(row, runs).empty()) return;
  set_up(row, runs);
  if (!row.point) return;
  if (!in_rounds_ || says_how_to_measure(runs.front())) return add_as_measured(row, runs);
  // A sample has the rest of Google Benchmark's usual run: no shorter than it, no shorter than a roof's.
  const double roofs = sample_seconds * static_cast<double>(std::min<std::size_t>(row.roofs.size(), 2));
  row.wanted = rounds_of_row(flags_.min_time, part_, seconds_of(runs.front()), seconds, roofs);
  if (row.wanted.rounds == 0) add_as_measured(row, runs);
}

void RowsInRounds::set_up(Row& row, std::vector<Run> runs) {
  const auto declared = roofline::take(runs.front().counters);
  if (!declared) return;
  try {
    row.point = declared_point(runs.front(), *declared, machine_);
  } catch (const std::invalid_argument& wrong) {
    failures_.emplace_back(point_name(runs.front()), wrong.what());
    return;
  }
  auto& roofs = roofs_[row.point->threads];
  auto& records = records_[row.point->threads];
  if (!roofs) {
    roofs = std::make_unique<RoofsBeside>(machine_, row.point->threads, flags_.ceilings);
    for (const auto& ceiling : roofs->ceilings().ceilings) records.append({.row = ceiling.name, .ceiling = ceiling});
  }
  row.roofs = roofs->binding(*row.point);
  records.append({.row = row.point->name, .kernel = *row.point});
}

double RowsInRounds::sample_roof(const Row& row, const std::string& roof, double seconds) {
  return roofs_.at(row.point->threads)->sample(roof, seconds);
}

void RowsInRounds::add_as_measured(Row& row, const std::vector<Run>& runs) {
  RowRound round;
  for (const auto& roof : row.roofs)
    for (int i = 0; i <= most_samples; ++i) round.probes[roof].push_back(sample_roof(row, roof, sample_seconds));
  const double start = std::chrono::duration<double>(row_start_ - start_).count();
  for (const auto& run : runs) {
    if (!is_sample(run, runs)) continue;
    round.samples = {sample_of(run, start)};
    add_round(row, round);
  }
}

Sample RowsInRounds::sample_row(Row& row) {
  const double start = seconds_since(start_);
  sampled_ = &row;
  benchmark::RunSpecifiedBenchmarks(this, nullptr, pattern_of(row.name));
  sampled_ = nullptr;
  const auto& runs = row.reported.back();
  if (!failure_of(row, runs).empty()) throw std::runtime_error("the row failed");
  return sample_of(runs.front(), start);
}

void RowsInRounds::take_round(Row& row) {
  progress_.show(fmt::format("round {} of {}: {}", round_ + 1, most_rounds, row.name));
  RoundParts parts{.roofs = row.roofs, .samples = row.wanted.samples, .seconds = part_};
  parts.kernel = [&] { return sample_row(row); };
  parts.roof = [&](const std::string& roof, double seconds) { return sample_roof(row, roof, seconds); };
  try {
    add_round(row, sample_between_roofs(parts));
  } catch (const std::exception&) {
    // Entered by failure_of(): a row that failed once has no result.
    if (row.point) wrong_ = std::current_exception();
  }
}

void RowsInRounds::add_round(Row& row, RowRound round) {
  records_[row.point->threads].append({.row = row.point->name, .round = row.rounds++, .found = std::move(round)});
}

std::vector<Run> RowsInRounds::merged(const Row& row) {
  auto runs = row.reported.back();
  if (!row_error(runs.front()).empty()) return runs;
  runs = row.reported.front();
  auto& sum = runs.front();
  const auto rounds = static_cast<double>(row.reported.size());
  for (auto& [name, counter] : sum.counters) counter.value = counter.value / rounds;
  for (std::size_t i = 1; i < row.reported.size(); ++i) {
    const auto& more = row.reported[i].front();
    sum.iterations += more.iterations;
    sum.real_accumulated_time += more.real_accumulated_time;
    sum.cpu_accumulated_time += more.cpu_accumulated_time;
    for (auto& [name, counter] : sum.counters)
      if (const auto found = more.counters.find(name); found != more.counters.end())
        counter.value += found->second.value / rounds;
  }
  return runs;
}

}  // namespace roofline
