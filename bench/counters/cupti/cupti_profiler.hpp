#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "bench/counters/cupti/cupti_host.hpp"
#include "bench/counters/metrics.hpp"

namespace roofline {

/// Lives from CUPTI's initialisation to its end; afterwards nothing of CUPTI is left in the process. Queries about
/// devices read tables that CUPTI fills, without a check.
class CuptiInitialized {
 public:
  /// Throws CuptiError. `functions` must outlive it.
  explicit CuptiInitialized(const CuptiFunctions& functions);
  ~CuptiInitialized();
  CuptiInitialized(const CuptiInitialized&) = delete;
  CuptiInitialized& operator=(const CuptiInitialized&) = delete;

 private:
  const CuptiFunctions& functions_;
};

/// The chip of a device as CUPTI's host side spells it. It crashes without a device. Throws CuptiError.
std::string chip_name(const CuptiFunctions& functions, int device, const CuptiInitialized&);

/// Counts launches on a GPU with CUPTI's range profiler: a user range, replayed by this program, one launch per pass.
///
/// The kernel is launched again for each pass, so times of these launches are not results. Nothing may be called
/// without a device, because some of CUPTI's functions crash then.
class CuptiProfiler {
 public:
  /// For the current context of `device`. Throws CountersUnavailable, one line with the suggestion. `functions` must
  /// outlive it.
  CuptiProfiler(const CuptiFunctions& functions, int device, CUcontext context);
  CuptiProfiler(const CuptiProfiler&) = delete;
  CuptiProfiler& operator=(const CuptiProfiler&) = delete;

  /// The set of metrics to count. One set is everything, in four passes of which one runs instrumented code. The other
  /// is everything that the hardware counts by itself, in passes that take hardly longer than the launch.
  enum class Way { all, hardware };

  /// Before every pass `prepare` runs uncounted; `launch` is counted and must wait for its work. Throws
  /// CountersUnavailable, and whatever `prepare` and `launch` throw; the profiler can be used again after either.
  MetricValues collect(const std::function<void()>& prepare, const std::function<void()>& launch,
                       Way way = Way::all) const;

  const std::string& chip() const { return host_->chip(); }
  const std::vector<ChosenMetric>& metrics(Way way = Way::all) const { return plan(way).metrics; }
  std::size_t passes(Way way = Way::all) const { return plan(way).config.passes; }

 private:
  struct Plan {
    std::vector<ChosenMetric> metrics;
    CuptiConfig config;
  };
  Plan plan_of(std::vector<ChosenMetric> metrics) const;
  const Plan& plan(Way way) const { return way == Way::all ? all_ : hardware_; }
  MetricValues replay(const std::function<void()>& prepare, const std::function<void()>& launch,
                      const Plan& plan) const;

  const CuptiFunctions& functions_;
  CUcontext context_;
  std::optional<CuptiInitialized> initialized_;
  std::optional<CuptiHost> host_;
  Plan all_, hardware_;
};

}  // namespace roofline
