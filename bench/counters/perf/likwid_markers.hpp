#pragma once
#include <memory>
#include <string>

#include "bench/counters/counter_source.hpp"

namespace roofline::perf {

/// Makes one launch of each row a region, named like the row, of the program that `likwid-perfctr -m` or `roofline cpu`
/// started: each thread that computes starts it and stops it. The counts returned are the model's; those two print
/// their own at the end.
class LikwidMarkers final : public CounterSource {
 public:
  /// Whether one of them started this process.
  static bool wanted();
  /// Loads LIKWID's library, version 5 or that of the linker's path. Throws CountersUnavailable when there is none, or
  /// one without markers.
  explicit LikwidMarkers(std::shared_ptr<CounterSource> modelled);
  /// Writes the regions where likwid-perfctr looks for them.
  ~LikwidMarkers() override;
  LikwidMarkers(const LikwidMarkers&) = delete;
  LikwidMarkers& operator=(const LikwidMarkers&) = delete;
  std::optional<Counts> count(const std::string& row, const Workload& work) override;

 private:
  template <class Function>
  Function* function(const char* name) const;

  std::shared_ptr<CounterSource> modelled_;
  void* library_ = nullptr;
  int (*start_)(const char*) = nullptr;
  int (*stop_)(const char*) = nullptr;
  void (*close_)() = nullptr;
};

}  // namespace roofline::perf
