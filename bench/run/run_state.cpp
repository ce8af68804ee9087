#include "bench/run/run_state.hpp"

#include <algorithm>

namespace roofline {
namespace {

/// Two turns minutes apart tell how a machine drifts; where nothing is timed, or time is short, one has to do.
int passes_of(const Suite& suite, const Options& options) {
  const bool once = options.quick || options.repetitions > 1 || !options.model.empty();
  return once || suite.platform() == Platform::cuda ? 1 : 2;
}

}  // namespace

RunState::RunState(const Suite& s, const Options& o, const Plan& p)
    : suite(s),
      options(o),
      plan(p),
      passes(passes_of(s, o)),
      progress(static_cast<int>(p.ceilings.size() + p.kernels.size() * static_cast<std::size_t>(passes)) *
                   o.repetitions +
               p.with_ert) {
  results.machine = s.machine();
  results.gpu = s.target().gpu;
  results.command_line = o.command_line;
  results.left_out = p.left_out;
  if (!p.ceilings.empty()) results.ceilings_origin = {CeilingsOrigin::Kind::measured, "measured in this run"};
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
