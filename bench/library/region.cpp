#include <dlfcn.h>

#include <atomic>
#include <chrono>
#include <cstdlib>
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <roofline/region.hpp>
#include <set>
#include <string>
#include <thread>

#include "bench/library/region_rows.hpp"

namespace roofline {

/// A region within its outer ones: the sum of all that ended there.
struct RegionPlace {
  RegionPlace* outer = nullptr;
  std::string path = {};  ///< "whole/sum": a region within another one
  std::map<std::string, std::unique_ptr<RegionPlace>, std::less<>> inner = {};
  RegionRow sum = {};
  std::set<std::thread::id> threads = {};
};

namespace {

/// All regions of the program, below a root that is not itself a region. Never destroyed, because regions may end after
/// main().
struct Tree {
  std::mutex mutex;
  RegionPlace root;
  std::atomic<bool> reported{false};
};

void report_at_exit();

Tree& tree() {
  static auto* const all = [] {
    std::atexit(report_at_exit);
    return new Tree;
  }();
  return *all;
}

/// Tells `roofline cpu`, which counts between marks that it preloads into the program; else nobody is there to be told.
void tell(const char* mark, const RegionPlace& place) {
  using Mark = void(const char* region);
  if (auto* const told = reinterpret_cast<Mark*>(::dlsym(RTLD_DEFAULT, mark))) told(place.path.c_str());
}

/// The innermost region of this thread; null: none.
thread_local RegionPlace* innermost = nullptr;

long long nanoseconds_now() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

void add_up(DeclaredWork& sum, const DeclaredWork& more) {
  sum.add += more.add, sum.mul += more.mul, sum.fma += more.fma, sum.div += more.div, sum.sqrt += more.sqrt;
  sum.read += more.read, sum.written += more.written, sum.updated += more.updated;
  if (more.threads > 0) sum.threads = more.threads;
  if (more.precision == Precision::fp32) sum.precision = Precision::fp32;
}

void collect_rows(const RegionPlace& place, int depth, std::vector<RegionRow>& rows) {
  for (const auto& [name, inner] : place.inner) {
    auto row = inner->sum;
    row.name = name, row.depth = depth;
    row.threads = static_cast<int>(inner->threads.size());
    if (row.calls > 0) rows.push_back(row);
    collect_rows(*inner, depth + 1, rows);
  }
}

void forget(RegionPlace& place) {
  place.sum = {};
  place.threads.clear();
  for (auto& [name, inner] : place.inner) forget(*inner);  // a region may still be running in it
}

void report_at_exit() {
  const auto* const wish = std::getenv("ROOFLINE_REGIONS");
  if (tree().reported || (wish && std::string(wish) == "off")) return;
  write_region_report(std::cerr);
}

}  // namespace

Region::Region(std::string_view name) : outer_(innermost), begin_(0) {
  auto& all = tree();
  const std::lock_guard lock(all.mutex);
  auto& around = outer_ ? *outer_ : all.root;
  auto found = around.inner.find(name);
  if (found == around.inner.end()) {
    found = around.inner.emplace(name, std::make_unique<RegionPlace>()).first;
    found->second->outer = outer_;
    found->second->path = (outer_ ? outer_->path + "/" : "") + std::string(name);
  }
  innermost = place_ = found->second.get();
  tell("roofline_region_begin", *place_);
  begin_ = nanoseconds_now();
}

Region::~Region() {
  const auto end = nanoseconds_now();
  const std::lock_guard lock(tree().mutex);
  tell("roofline_region_end", *place_);
  const double seconds = 1e-9 * static_cast<double>(end - begin_);
  ++place_->sum.calls;
  place_->sum.seconds += seconds;
  place_->threads.insert(std::this_thread::get_id());
  add_up(place_->sum.work, declared());
  if (outer_) outer_->sum.inner_seconds += seconds;
  innermost = outer_;
}

std::vector<RegionRow> region_rows() {
  std::vector<RegionRow> rows;
  const std::lock_guard lock(tree().mutex);
  collect_rows(tree().root, 0, rows);
  return rows;
}

void report_regions(std::ostream& to) {
  tree().reported = true;
  write_region_report(to);
}

void reset_regions() {
  const std::lock_guard lock(tree().mutex);
  forget(tree().root);
}

}  // namespace roofline
