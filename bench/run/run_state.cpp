#include "bench/run/run_state.hpp"

#include "bench/options/choices.hpp"

namespace roofline {

RunState::RunState(const Suite& s, const Options& o, const Plan& p, Records& r)
    : suite(s), options(o), plan(p), records(r) {
  records.say([&](Results& results) {
    results.machine = s.machine();
    results.roofline = Roofline({}, s.threads());  // a run without ceilings has threads, too
    results.gpu = s.target().gpu;
    results.command_line = o.command_line;
    results.skipped = p.skipped;
    if (!p.ceilings.empty()) results.ceilings_origin = {CeilingsOrigin::Kind::measured, "measured in this run"};
  });
}

double RunState::elapsed() const {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start_).count();
}

double RunState::time_limit() const {
  if (options.time_limit > 0) return options.time_limit;
  const bool asked_for_more = options.full || !options.case_study.empty() || options.repetitions > 1 ||
                              options.min_time > 0 || options.ceilings.kind == CeilingsChoice::Kind::full;
  if (!suite.is_timed() || on_virtual_clock(options.device) || asked_for_more) return 0;
  constexpr double usual = 58, filtered = 19, quick = 14.8;
  return options.quick ? quick : options.has_filter() ? filtered : usual;
}

void RunState::fail(const std::string& row, const std::string& why) {
  records.append({.row = row, .failed = why});
  if (after_failure) after_failure();
}

void RunState::warn(const std::string& line) {
  records.say([&](Results& results) { results.warnings = {line}; });
}

}  // namespace roofline
