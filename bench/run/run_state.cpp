#include "bench/run/run_state.hpp"

#include <fmt/format.h>

#include <algorithm>

namespace roofline {
namespace {

/// Two turns minutes apart tell how a machine drifts; where nothing is timed, or time is short, one has to do.
int passes_of(const Suite& suite, const Options& options, bool in_turns) {
  const bool once = in_turns || options.quick || options.repetitions > 1 || !options.model.empty();
  return once || suite.platform() == Platform::cuda ? 1 : 2;
}

/// Seconds that a run keeps to; 0: none. Who asks for everything, for repetitions or for long samples gets them.
double time_limit(const Suite& suite, const Options& options, bool in_turns) {
  if (in_turns) return 0;  // most of it would be spent waiting; who shares out turns has a limit
  if (options.time_limit > 0) return options.time_limit;
  const bool asked_for_more = options.full || !options.case_study.empty() || options.repetitions > 1 ||
                              options.min_time > 0 || options.ceilings.kind == CeilingsChoice::Kind::full;
  if (suite.platform() != Platform::cpu || !options.model.empty() || asked_for_more) return 0;
  return options.quick ? 25 : 135;
}

}  // namespace

RunState::RunState(const Suite& s, const Options& o, const Plan& p)
    : suite(s),
      options(o),
      plan(p),
      turns(o.model.empty() ? SampleTurns::from_environment() : nullptr),
      passes(passes_of(s, o, turns != nullptr)),
      time(time_limit(s, o, turns != nullptr)),
      // A GPU does not mind, and a model has no cores.
      placement(s.platform() == Platform::cpu && o.model.empty() ? placement_of(s.machine(), s.threads())
                                                                 : Placement()),
      progress(static_cast<int>(p.ceilings.size() + p.kernels.size() * static_cast<std::size_t>(passes)) *
                   o.repetitions +
               p.with_ert) {
  results.machine = s.machine();
  results.roofline = Roofline({}, s.threads());  // a run without ceilings has threads, too
  results.gpu = s.target().gpu;
  results.command_line = o.command_line;
  results.left_out = p.left_out;
  if (!p.ceilings.empty()) results.ceilings_origin = {CeilingsOrigin::Kind::measured, "measured in this run"};
}

std::string RunState::estimate() const {
  // Measured on two quiet cores: set-up, trials of the variants, samples, verification, a second look at ceilings.
  const double per_ceiling = options.quick ? 0.25 : 1.2, per_turn = options.quick ? 0.5 : 0.8, sweep = 8;
  double seconds =
      options.repetitions * (per_ceiling * static_cast<double>(plan.ceilings.size()) +
                             passes * (per_turn + options.min_time) * static_cast<double>(plan.kernels.size()));
  for (const auto* ceiling : plan.ceilings) seconds += ceiling->ceiling.sustained ? 4 : 0;
  seconds += (plan.with_ert ? sweep : 0) + 2;
  const auto limit = time.limited() ? fmt::format(", at most {:.0f} s", time.seconds()) : std::string();
  return fmt::format("measuring {} ceilings and {} kernels{}: about {:.0f} s{}\n\n", plan.ceilings.size(),
                     plan.kernels.size(), passes > 1 ? " in two turns" : "",
                     time.limited() ? std::min(seconds, time.seconds()) : seconds, limit);
}

void RunState::add_row(const std::string& name, const std::function<void(benchmark::State&)>& body) const {
  auto* const row = benchmark::RegisterBenchmark(name.c_str(), body);
  row->Iterations(1)->UseManualTime()->Unit(benchmark::kMillisecond);
  if (options.repetitions > 1) row->Repetitions(options.repetitions);
}

void RunState::fail(benchmark::State& state, const std::string& row, const std::string& why) {
  results.failures.emplace_back(row, why);
  state.SkipWithError(why.c_str());
  journal.fail(row, why);
  if (after_failure) after_failure();
}

bool RunState::recall_failure(benchmark::State& state, const std::string& row) {
  const auto why = journal.failure(row);
  if (why.empty()) return false;
  results.failures.emplace_back(row, why);
  state.SkipWithError(why.c_str());
  return true;
}

void RunState::warn_once(std::string line) {
  auto& known = results.warnings;
  if (std::find(known.begin(), known.end(), line) == known.end()) known.push_back(std::move(line));
}

void report_time(benchmark::State& state, double seconds) {
  for (auto _ : state) state.SetIterationTime(seconds);
}

void run_rows(benchmark::BenchmarkReporter& to) {
  benchmark::RunSpecifiedBenchmarks(&to, "all");
  benchmark::ClearRegisteredBenchmarks();
}

std::size_t repetition_of(const benchmark::BenchmarkReporter::Run& run, std::size_t n) {
  return std::min<std::size_t>(n - 1, run.repetition_index < 0 ? 0 : static_cast<std::size_t>(run.repetition_index));
}

}  // namespace roofline
