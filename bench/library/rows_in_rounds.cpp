#include "bench/library/rows_in_rounds.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "bench/library/declared/declared.hpp"
#include "bench/machine/clock.hpp"
#include "bench/storage/google_rows.hpp"

namespace roofline {
namespace {

using Run = benchmark::BenchmarkReporter::Run;

/// What Google Benchmark takes to find the iterations of a row and to time them.
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

/// Google Benchmark has no function for it, and keeps the pointer to the program's name.
void set_min_time(double seconds) {
  auto flag = fmt::format("--benchmark_min_time={:.6f}{}", seconds, ROOFLINE_BENCHMARK_VERSION < 10800 ? "" : "s");
  char* argv[] = {const_cast<char*>(benchmark::BenchmarkReporter::Context::executable_name), flag.data(), nullptr};
  int argc = 2;
  benchmark::Initialize(&argc, argv);
}

/// A regular expression that matches these names and no other.
std::string pattern_of(const std::vector<std::string>& names) {
  std::string pattern;
  for (const auto& name : names) {
    pattern += pattern.empty() ? "^(" : "|";
    for (const char c : name) {
      if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos) pattern += '\\';
      pattern += c;
    }
  }
  return pattern + ")$";
}

bool says_how_to_measure(const Run& run) {
  const auto& name = run.run_name;
  return !name.iterations.empty() || !name.repetitions.empty() || !name.min_time.empty();
}

/// The median of repetitions stands for them where only aggregates are reported.
bool is_sample(const Run& run, const std::vector<Run>& all) {
  if (run.run_type == Run::RT_Iteration) return true;
  const bool only_aggregates =
      std::all_of(all.begin(), all.end(), [](const Run& other) { return other.run_type == Run::RT_Aggregate; });
  return only_aggregates && run.aggregate_name == "median";
}

}  // namespace

int rounds_of_row(double min_time, double iteration, double first_round, double probes, int most) {
  constexpr double may_take = 1.15;
  const auto part = search_of(min_time / most, iteration), whole = search_of(min_time, iteration);
  const double entering = std::max(0.0, first_round - part.seconds) / part.calls;
  const double usual = whole.seconds + whole.calls * entering;
  return static_cast<int>(std::clamp(may_take * usual / (first_round + probes), 1.0, 1.0 * most));
}

RowsInRounds::RowsInRounds(const Machine& machine, const RooflineFlags& flags, benchmark::BenchmarkReporter* live)
    : machine_(machine), flags_(flags), shown_(live), in_rounds_(!flags.says_how_to_measure) {}

std::size_t RowsInRounds::run() {
  KeptRows ignored;
  const bool file = !flags_.benchmark_out.empty();  // which Google Benchmark opens; its content is written at the end
  if (in_rounds_) set_min_time(flags_.min_time / most_rounds);
  const auto found = benchmark::RunSpecifiedBenchmarks(this, !file ? nullptr : in_rounds_ ? &ignored : &for_file_);
  for (round_ = 1; in_rounds_ && round_ < most_rounds && !wrong_; ++round_) {
    std::vector<std::string> names;
    for (const auto& row : rows_)
      if (row->wanted > round_) names.push_back(row->name);
    if (names.empty()) break;
    if (auto* const first = after(nullptr)) probe({first});
    row_start_ = Clock::now();
    benchmark::RunSpecifiedBenchmarks(this, file ? &ignored : nullptr, pattern_of(names));
  }
  progress_.clear();
  benchmark::Shutdown();
  if (wrong_) std::rethrow_exception(wrong_);
  if (in_rounds_ && context_) {
    for (auto* const kept : {&shown_, &for_file_}) kept->ReportContext(*context_);
    for (const auto& row : rows_) shown_.ReportRuns(merged(*row)), for_file_.ReportRuns(merged(*row));
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
  try {
    if (!in_rounds_) shown_.ReportRuns(runs);
    take(runs, seconds);
  } catch (...) {
    wrong_ = std::current_exception();
  }
  row_start_ = Clock::now();
}

void RowsInRounds::take(const std::vector<Run>& runs, double seconds) {
  const auto name = runs.front().run_name.str();
  auto found = std::find_if(rows_.begin(), rows_.end(), [&](const auto& row) { return row->name == name; });
  if (found == rows_.end()) {
    rows_.push_back(std::make_unique<Row>());
    found = rows_.end() - 1;
    (*found)->name = name;
  }
  auto& row = **found;
  row.rounds.push_back(runs);
  for (const auto& run : runs)
    if (const auto why = row_error(run); !why.empty()) {
      failures_.emplace_back(point_name(run), why);
      row.point.reset(), row.probes.clear(), row.wanted = 1;
      return;
    }
  if (row.rounds.size() == 1) set_up(row, runs);
  add_samples(row, runs);
  const auto start = Clock::now();
  probe({&row, in_rounds_ ? after(&row) : nullptr});
  if (in_rounds_ && row.rounds.size() == 1 && !says_how_to_measure(runs.front())) {
    const double iteration = seconds_of(runs.front()), probes = 2 * seconds_since(start);
    row.wanted = rounds_of_row(flags_.min_time, iteration, seconds, probes, most_rounds);
  }
  progress_.show(fmt::format("round {} of {}: {}", round_ + 1, in_rounds_ ? most_rounds : 1, row.name));
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
  if (!roofs) roofs = std::make_unique<RoofsBeside>(machine_, row.point->threads, flags_.ceilings);
  row.probes = roofs->binding(*row.point);
}

void RowsInRounds::add_samples(Row& row, const std::vector<Run>& runs) {
  if (!row.point) return;
  auto& samples = row.point->samples;
  const double start = std::chrono::duration<double>(row_start_ - start_).count();
  for (const auto& run : runs) {
    if (!is_sample(run, runs)) continue;
    // Repetitions are rounds, too: all of them next to one sample of the ceilings.
    samples.push_back({static_cast<int>(samples.size()), start, seconds_of(run)});
    const double whole = run.real_accumulated_time;
    if (shortest_.first == 0 || whole < shortest_.first) shortest_ = {whole, row.point->name};
  }
}

void RowsInRounds::probe(const std::vector<Row*>& rows) {
  std::map<std::pair<int, std::string>, double> rates;
  for (auto* const row : rows) {
    if (!row || !row->point) continue;
    auto& point = *row->point;
    // Of a row that has just run its last samples, of the one that comes its next.
    const bool comes = row != rows.front() || row->rounds.size() <= static_cast<std::size_t>(round_);
    const auto first = in_rounds_ ? static_cast<std::size_t>(round_) : 0;
    const auto end = comes ? first + 1 : point.samples.size();
    for (const auto& name : row->probes) {
      const std::pair key(point.threads, name);
      if (!rates.contains(key)) rates[key] = roofs_.at(point.threads)->sample(name, round_);
      auto probe = std::find_if(point.probes.begin(), point.probes.end(),
                                [&, &name = name](const Probe& known) { return known.ceiling == name; });
      if (probe == point.probes.end()) probe = point.probes.insert(probe, {name, {}});
      probe->rates.resize(std::max(probe->rates.size(), end));
      for (auto i = first; i < end; ++i) {
        auto& rate = probe->rates[i];  // before and after the row
        rate = rate > 0 ? (rate + rates[key]) / 2 : rates[key];
      }
    }
  }
}

RowsInRounds::Row* RowsInRounds::after(const Row* row) {
  bool passed = !row;
  for (const auto& other : rows_) {
    if (passed && other->wanted > round_) return other.get();
    passed = passed || other.get() == row;
  }
  return nullptr;
}

std::vector<KernelPoint> RowsInRounds::points() const {
  std::vector<KernelPoint> points;
  for (const auto& row : rows_)
    if (row->point && !row->point->samples.empty()) points.push_back(*row->point), set_time(points.back());
  return points;
}

std::vector<Run> RowsInRounds::merged(const Row& row) {
  auto runs = row.rounds.back();
  if (!row_error(runs.front()).empty()) return runs;
  runs = row.rounds.front();
  auto& sum = runs.front();
  const auto rounds = static_cast<double>(row.rounds.size());
  for (auto& [name, counter] : sum.counters) counter.value = counter.value / rounds;
  for (std::size_t i = 1; i < row.rounds.size(); ++i) {
    const auto& more = row.rounds[i].front();
    sum.iterations += more.iterations;
    sum.real_accumulated_time += more.real_accumulated_time, sum.cpu_accumulated_time += more.cpu_accumulated_time;
    for (auto& [name, counter] : sum.counters)
      if (const auto found = more.counters.find(name); found != more.counters.end())
        counter.value += found->second.value / rounds;
  }
  return runs;
}

}  // namespace roofline
