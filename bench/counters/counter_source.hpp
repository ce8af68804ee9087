#pragma once
#include <functional>
#include <optional>
#include <string>

#include "bench/model/counts.hpp"
#include "bench/space/workload.hpp"

namespace roofline {

/// Counts launches: the cache model, the device model, CUPTI, an imported file, ... A new way to count is a class of
/// its own that implements this.
class CounterSource {
 public:
  virtual ~CounterSource() = default;
  /// Operations and bytes of one launch of a row's workload, counted outside the timing. Absent if the source does not
  /// know such a row. Throws CountersUnavailable when it cannot count any more.
  virtual std::optional<Counts> count(const std::string& row, const Workload& work) = 0;
  /// The same without bytes, where operations alone cost less.
  virtual std::optional<Counts> operations(const std::string& row, const Workload& work) { return count(row, work); }
  /// Whether a launch has the same counts in every run of a program, so that they may be kept.
  virtual bool repeats() const { return false; }
  /// All rows have been counted: gives back what counting holds.
  virtual void finish() {}
};

/// One that asks a function: where there is no more to it.
class CounterFunction final : public CounterSource {
 public:
  using Function = std::function<std::optional<Counts>(const std::string& row, const Workload& work)>;
  explicit CounterFunction(Function function) : function_(std::move(function)) {}
  std::optional<Counts> count(const std::string& row, const Workload& work) override { return function_(row, work); }

 private:
  Function function_;
};

}  // namespace roofline
