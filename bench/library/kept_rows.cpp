#include "bench/library/kept_rows.hpp"

#include <cmath>
#include <set>
#include <string>

#include "bench/library/declared/declared.hpp"

namespace roofline {

bool KeptRows::ReportContext(const Context& context) {
  context_.emplace(context);
  return !live_ || live_->ReportContext(context);
}

void KeptRows::ReportRuns(const Rows& runs) {
  groups_.push_back(runs);
  if (!live_) return;
  auto shown = runs;
  for (auto& run : shown) take(run.counters);
  live_->ReportRuns(shown);
}

void KeptRows::Finalize() {
  if (live_) live_->Finalize();
}

void KeptRows::replay(benchmark::BenchmarkReporter& to, const std::function<void(Run&)>& annotate,
                      bool same_counters) const {
  auto groups = groups_;
  std::set<std::string> columns;
  for (auto& group : groups)
    for (auto& run : group) {
      annotate(run);
      for (const auto& [name, counter] : run.counters) columns.insert(name);
    }
  if (context_ && !to.ReportContext(*context_)) return;
  for (auto& group : groups) {
    for (auto& run : group)
      for (const auto& name : same_counters ? columns : std::set<std::string>())
        run.counters.try_emplace(name, std::nan(""));
    to.ReportRuns(group);
  }
  to.Finalize();
}

}  // namespace roofline
