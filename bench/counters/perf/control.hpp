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

}  // namespace roofline::perf
