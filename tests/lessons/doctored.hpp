#pragma once
#include <algorithm>
#include <map>
#include <string>

#include "bench/storage/stored_run.hpp"
#include "reporters/claims/claim_result.hpp"

namespace roofline::claims {

/// tests/data/claims-NAME.json: "cpu", "v100".
inline const Results& stored(const std::string& name) {
  static std::map<std::string, Results> runs;
  const auto found = runs.find(name);
  if (found != runs.end()) return found->second;
  return runs.emplace(name, read_run(std::string(ROOFLINE_TEST_DATA) + "/claims-" + name + ".json")).first->second;
}

/// Facts of which one is another than it was.
class Doctored : public Facts {
 public:
  Doctored(const Facts& facts, std::string text, double factor, double shift)
      : facts_(facts), text_(std::move(text)), factor_(factor), shift_(shift) {}
  std::optional<Fact> find(const std::string& kind, const std::string& subject, End end) const override {
    auto fact = facts_.find(kind, subject, end);
    if (fact && kind + "[" + subject + "]" == text_) fact->value = fact->value * factor_ + shift_;
    return fact;
  }
  std::vector<std::string> rows(const std::string& pattern) const override { return facts_.rows(pattern); }
  Backend backend() const override { return facts_.backend(); }

 private:
  const Facts& facts_;
  std::string text_;
  double factor_, shift_;
};

/// Whether some other value of the figure makes the verdict `wanted`.
inline bool can_become(Verdict wanted, const Claim& claim, const Facts& facts, const std::string& figure) {
  struct Change {
    double factor, shift;
  };
  constexpr Change changes[] = {{0.2, 0}, {5, 0}, {0.9, 0}, {1.1, 0}, {100, 0}, {0.01, 0}, {-1, 1}, {1, 1}, {1, -1}};
  return std::any_of(std::begin(changes), std::end(changes), [&](const Change& change) {
    return judge(claim, Doctored(facts, figure, change.factor, change.shift)).verdict == wanted;
  });
}

}  // namespace roofline::claims
