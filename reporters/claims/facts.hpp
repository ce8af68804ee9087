#pragma once
#include <optional>
#include <string>
#include <vector>

#include "bench/result/results.hpp"
#include "reporters/claims/value.hpp"

namespace roofline::claims {

/// One figure that a claim rests on, and where it is from: "measured", "modelled(v100)", "published".
struct Fact {
  Value value;
  std::string origin;
  bool impossible = false;  ///< of a row whose share of a roof contradicts the model: it can refute nothing
};

/// What has produced a run.
enum class Backend { cpu, gpu, model };
/// "cpu".
std::string name(Backend backend);

/// Which end of a model's assumptions its figures are taken at: all of them at the same one, for they hang together.
enum class End { middle, low, high };

/// Where claims get their figures from: time[ROW], bytes[ROW @DRAM], ceiling[fma], pub[gpp.problem.ncouls].
class Facts {
 public:
  virtual ~Facts() = default;
  /// Absent where there is no such figure.
  virtual std::optional<Fact> find(const std::string& kind, const std::string& subject, End end) const = 0;
  /// Names of the rows that a pattern with '*' covers.
  virtual std::vector<std::string> rows(const std::string& pattern) const = 0;
  virtual Backend backend() const = 0;
};

/// The figures of a run, which must outlive the object, and the published ones.
class RunFacts : public Facts {
 public:
  explicit RunFacts(const Results& run) : run_(run) {}
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End end) const override;
  std::vector<std::string> rows(const std::string& pattern) const override;
  Backend backend() const override;

 private:
  const KernelPoint* row(const std::string& pattern) const;

  const Results& run_;
};

/// A published figure by its path in published.json; absent where there is no number.
std::optional<Fact> published(const std::string& path);

// Figures that belong to no single row. Absent where the run cannot tell.

/// pairs[...]: pairs of rows of which the first is slower in FLOP/s and better used by ten percentage points.
/// rank[...]: Spearman's correlation of intensity at DRAM and FLOP/s. spread[largest]: of a roof, 1 - lowest / highest
/// of its rounds. verified[ROW]: 1 where the row has a result, which none has before it was compared with the
/// reference.
std::optional<Fact> of_whole_run(const Results& run, const std::string& kind, const std::string& subject);

/// data_txt[fma], data_txt[DRAM], data_txt[ROW @DRAM] (FLOP/B), ert_json[DRAM]: what comes back after the run was
/// written in that format and read again.
std::optional<Fact> of_round_trip(const Results& run, const std::string& kind, const std::string& subject);

}  // namespace roofline::claims
