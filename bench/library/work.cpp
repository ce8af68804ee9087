#include <atomic>
#include <roofline/work.hpp>

#include "bench/library/declared/declared_row.hpp"

namespace roofline {
namespace {

std::atomic<bool> wanted_by_run{false}, found_wrong{false};

}  // namespace

bool collecting() { return wanted_by_run.load(std::memory_order_relaxed); }
void collect(bool wanted) { wanted_by_run = wanted; }
void note_wrong_result() { found_wrong = true; }
bool any_wrong_result() { return found_wrong; }

Work::~Work() {
  if (!wrong_.empty()) {
    note_wrong_result();
    state_.SkipWithError(wrong_.c_str());
  } else if (collecting()) {
    put({declared(), {}}, state_.counters);
  }
}

}  // namespace roofline
