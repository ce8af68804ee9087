#include "bench/levels/measured_levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <exception>
#include <optional>

#include "bench/levels/kept_levels.hpp"
#include "bench/levels/levels.hpp"
#include "bench/machine/memory_limits.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

/// The ladders of one run.
class Ladders {
 public:
  Ladders(const Machine& machine, int threads, const MakeProbe& make)
      : machine_(machine), threads_(threads), make_(make) {
    const double memory = memory_left();
    most_ = largest_rung(memory > 0 ? memory : machine.memory_bytes, threads);
  }

  std::vector<Rung> whole() const { return climb(make_(threads_, most_), {.most = most_}); }

  /// Two rounds up to where the last of these caches has come to an end, in no more memory: most of the time of a short
  /// ladder would go into pages that it never reads.
  std::vector<Rung> brief(const std::vector<CacheLevel>& caches) const {
    const double most = std::min(most_, 4 * cache_share(caches.back(), threads_));
    return climb(make_(threads_, most), {.most = most, .rounds = 2, .sample = 1e-3, .time_limit = 0.4});
  }

  std::vector<CacheLevel> shown_by(const std::vector<Rung>& ladder) const {
    return caches_of(ladder, machine_.declared_caches, threads_);
  }

 private:
  const Machine& machine_;
  int threads_;
  const MakeProbe& make_;
  double most_ = 0;
};

std::string in_words(const std::vector<CacheLevel>& caches) {
  std::string text;
  for (const auto& cache : caches)
    text += fmt::format("{}{} {}", text.empty() ? "" : ", ", name(cache.level),
                        binary_size(static_cast<double>(cache.size)));
  return text;
}

/// The kept caches with the last one as it is now.
std::vector<CacheLevel> with_last_of(std::vector<CacheLevel> kept, const std::vector<CacheLevel>& now) {
  kept.back() = now.back();
  return kept;
}

}  // namespace

void recall_levels(Machine& machine, int threads) {
  if (auto kept = read_kept_levels(machine, threads))
    set_levels(machine, std::move(kept->caches), threads, "measured in an earlier run");
}

std::vector<std::string> measure_levels(Machine& machine, int threads, const MakeProbe& make) {
  std::vector<std::string> notes;
  try {
    const Ladders ladders(machine, threads, make);
    auto kept = read_kept_levels(machine, threads);
    const auto denied = [&](const std::vector<Rung>& ladder) {
      return !confirms(ladders.shown_by(ladder), kept->caches, threads);
    };
    if (kept && !denied(ladders.brief(kept->caches))) {
      set_levels(machine, kept->caches, threads, "measured in an earlier run, confirmed by a short ladder");
      return notes;
    }
    KeptLevels now{{}, ladders.whole()};
    now.caches = ladders.shown_by(now.ladder);
    // What other programs did meanwhile is no change of the machine: two ladders must agree on one.
    const bool changed = kept && denied(now.ladder) && confirms(ladders.shown_by(ladders.whole()), now.caches, threads);
    if (kept && !changed) {
      set_levels(machine, kept->caches, threads, "measured in an earlier run, confirmed by a ladder");
      return notes;
    }
    if (kept) {
      if (const auto nearer = with_last_of(kept->caches, now.caches); confirms(now.caches, nearer, threads))
        now.caches = nearer;
      notes.push_back(fmt::format("the caches measured are no longer those of earlier runs: {} now, {} then",
                                  in_words(now.caches), in_words(kept->caches)));
    }
    set_levels(machine, now.caches, threads, "measured");
    if (now.caches.empty())
      notes.emplace_back(
          "a ladder of working sets shows no cache, and the machine tells of none: bytes are of L1 only");
    else if (const auto why = keep_levels(machine, threads, now); !why.empty())
      notes.push_back(why);
  } catch (const std::exception& error) {
    const auto kept = read_kept_levels(machine, threads);
    if (kept) set_levels(machine, kept->caches, threads, "measured in an earlier run");
    notes.push_back(fmt::format("the levels of the memory are {}, not measured now: {}",
                                kept ? "those of an earlier run" : "as the machine says", error.what()));
  }
  return notes;
}

}  // namespace roofline
