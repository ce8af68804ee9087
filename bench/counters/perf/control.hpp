#pragma once
#include <memory>
#include <string>

#include "bench/counters/counter_source.hpp"

namespace roofline::perf {

/// Lets `perf stat --control=fifo:CTL,ACK` count one launch of each row and nothing else of this program: writes
/// "enable" and "disable" into CTL around it and waits for what perf answers in ACK. The counts returned are the
/// model's.
class Control final : public CounterSource {
 public:
  /// `fifos` is "CTL,ACK", the value of ROOFLINE_PERF_CONTROL. Throws FileError when one cannot be opened.
  Control(const std::string& fifos, std::shared_ptr<CounterSource> modelled);
  ~Control() override;
  Control(const Control&) = delete;
  Control& operator=(const Control&) = delete;
  std::optional<Counts> count(const std::string& row, const Workload& work) override;

 private:
  /// Throws CountersUnavailable when perf does not answer within seconds.
  void tell(const std::string& command);

  std::shared_ptr<CounterSource> modelled_;
  int to_ = -1, from_ = -1;
};

/// Makes one launch of each row a region, named like the row, in the program that `likwid-perfctr -m` or `roofline cpu`
/// started: each thread that computes starts it and stops it. The counts returned are the model's; those two programs
/// print their own at the end.
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
