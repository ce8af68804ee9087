#pragma once
#include <gtest/gtest.h>

#include <memory>
#include <utility>

#include "bench/recovery/results_of.hpp"
#include "bench/run/session.hpp"
#include "tests/example_results.hpp"

namespace roofline {

/// A launch that takes a millisecond by its own account, however often it is made.
inline CeilingWork workload(double work) {
  CeilingWork w;
  w.launch = [] {};
  w.time = [](int batch) { return 1e-3 * batch; };
  w.check = [] { return Check{}; };
  w.work = work;
  return w;
}

/// Ceilings that launches give by their own account, in a session of one thread.
class SessionCeilings : public ::testing::Test {
 protected:
  void add(const char* name, std::vector<std::function<CeilingWork()>> make) {
    CeilingVariant variant;
    variant.ceiling.name = name;
    variant.make = std::move(make);
    suite_.add_ceiling(std::move(variant));
  }
  /// A row of that name that does nothing for a millisecond, the only one, whose launch has these counts.
  void add_kernel(const Counts& counts) {
    Workload kernel;
    static_cast<Runnable&>(kernel) = workload(0);
    suite_.add({.name = "kernel", .family = "kernel", .make = [=] { return kernel; }});
    plan_.kernels = {&suite_.variants()[0]};
    counter_ = std::make_shared<CounterFunction>([=](auto&, auto&) { return std::optional(counts); });
  }
  static Counts read_from_dram(double bytes) {
    Counts counts;
    counts.at(MemoryLevel::DRAM) = Traffic{bytes, 0};
    return counts;
  }
  const Results& run() {
    options_.quick = quick_;
    for (const auto& ceiling : suite_.ceilings()) plan_.ceilings.push_back(&ceiling);
    records_ = std::exchange(journal_, {});
    return measured(Session(suite_, options_, plan_, records_, counter_));
  }
  const Results& measured(Session&& session) {
    session.measure();
    return results_ = results_of(records_.all());
  }

  static Machine machine() {
    Machine machine;
    machine.fingerprint = "ours";
    return machine;
  }
  Suite suite_{cpu_target(machine(), 1)};
  Options options_;
  Plan plan_;
  Records journal_;  ///< with which the next run begins: what these know is not measured
  Records records_;  ///< of the last run
  Results results_;  ///< of it
  bool quick_ = true;
  std::shared_ptr<CounterSource> counter_;
};

}  // namespace roofline
