#include "bench/levels/levels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <set>

#include "bench/levels/ladder.hpp"
#include "bench/text/format.hpp"

namespace roofline {
namespace {

constexpr std::size_t most_caches = 3;  // L1, L2, L3
// A declared cache needs a smaller fall than an undeclared one: L3 reads of a Zen 4 are 1.18 x slower than L2 reads (27
// and 32 B a cycle).
constexpr double declared_fall = 1.1;

/// The middle of the rates around a size, so that one disturbed rung decides nothing.
double rate_near(const std::vector<Rung>& ladder, double bytes) {
  std::vector<Rung> near = ladder;
  const auto distance = [&](const Rung& rung) { return std::abs(std::log(rung.bytes / bytes)); };
  const auto count = std::min<std::size_t>(3, near.size());
  std::partial_sort(near.begin(), near.begin() + static_cast<std::ptrdiff_t>(count), near.end(),
                    [&](const Rung& a, const Rung& b) { return distance(a) < distance(b); });
  near.resize(count);
  std::sort(near.begin(), near.end(), [](const Rung& a, const Rung& b) { return a.rate < b.rate; });
  return near[count / 2].rate;
}

bool holds(const CacheLevel& declared, const std::vector<Rung>& ladder, int threads) {
  const double share = cache_share(declared, threads);
  if (share / 2 < ladder.front().bytes || 1.5 * share > ladder.back().bytes) return false;
  return rate_near(ladder, share / 2) >= declared_fall * rate_near(ladder, 1.5 * share);
}

/// The declared cache that ends where the ladder does, not taken yet; null when there is none.
const CacheLevel* declared_at(double edge, const std::vector<CacheLevel>& declared, const std::vector<Rung>& ladder,
                              int threads, std::set<const CacheLevel*>& taken) {
  const CacheLevel* best = nullptr;
  double least = 1;  // of log2: a slope may hide half a cache
  const auto off = [&](const CacheLevel& cache) { return std::abs(std::log2(cache_share(cache, threads) / edge)); };
  for (const auto& cache : declared)
    if (!taken.contains(&cache) && holds(cache, ladder, threads) && off(cache) < least)
      best = &cache, least = off(cache);
  if (best) taken.insert(best);
  return best;
}

/// The edges of a hierarchy of at most three caches. If there are more, those with the smallest falls are dropped.
std::vector<double> edges_of(std::vector<Plateau> levels) {
  while (levels.size() > most_caches + 1) {
    std::size_t weakest = 0;
    const auto fall = [&](std::size_t i) { return levels[i].rate / levels[i + 1].rate; };
    for (std::size_t i = 1; i + 1 < levels.size(); ++i)
      if (fall(i) < fall(weakest)) weakest = i;
    levels[weakest + 1].from = levels[weakest].from;
    if (weakest + 2 == levels.size()) levels[weakest + 1].edge = 0;  // the slope to DRAM is not a cache's edge
    levels.erase(levels.begin() + static_cast<std::ptrdiff_t>(weakest));
  }
  std::vector<double> edges;
  for (std::size_t i = 0; i + 1 < levels.size(); ++i) edges.push_back(levels[i].edge);
  return edges;
}

/// Adds the edges of declared caches that hold although no plateau shows them, because the fall from L2 to L3 may hide
/// in a slope. A declared cache ends once: of several edges near it, only the nearest is kept. If there are too many,
/// the smallest falls that no declaration explains are dropped.
std::vector<double> with_declared(const std::vector<double>& shown, const std::vector<CacheLevel>& declared,
                                  const std::vector<Rung>& ladder, int threads) {
  constexpr double near = 1;  // of log2, as far as an edge may be from the cache that it is of
  std::vector<double> edges, explained, shares;
  for (const auto& cache : declared)
    if (holds(cache, ladder, threads)) shares.push_back(cache_share(cache, threads));
  const auto distance = [](double a, double b) { return std::abs(std::log2(a / b)); };
  const auto nearest = [&](const std::vector<double>& of, double to) {
    return std::min_element(of.begin(), of.end(),
                            [&](double a, double b) { return distance(a, to) < distance(b, to); });
  };
  for (const double edge : shown)
    if (shares.empty() || distance(*nearest(shares, edge), edge) >= near) edges.push_back(edge);
  for (const double share : shares) {
    std::vector<double> of_this;
    for (const double edge : shown)
      if (*nearest(shares, edge) == share && distance(edge, share) < near) of_this.push_back(edge);
    explained.push_back(of_this.empty() ? share : *nearest(of_this, share));
  }
  const auto fall = [&](double edge) { return rate_near(ladder, edge / 2) / rate_near(ladder, 1.5 * edge); };
  while (!edges.empty() && edges.size() + explained.size() > most_caches)
    edges.erase(std::min_element(edges.begin(), edges.end(), [&](double a, double b) { return fall(a) < fall(b); }));
  edges.insert(edges.end(), explained.begin(), explained.end());
  std::sort(edges.begin(), edges.end());
  return edges;
}

/// The names of the declared caches where they leave room for all; else they are numbered. The nearest is L1.
void name_levels(std::vector<CacheLevel>& caches, const std::vector<const CacheLevel*>& hypotheses) {
  const auto level = [](std::size_t i) { return static_cast<MemoryLevel>(i); };
  for (std::size_t i = 0; i < caches.size(); ++i) {
    const auto after = i == 0 ? level(0) : level(static_cast<std::size_t>(caches[i - 1].level) + 1);
    caches[i].level = i > 0 && hypotheses[i] ? std::max(after, hypotheses[i]->level) : after;
  }
  if (!caches.empty() && caches.back().level > MemoryLevel::L3)
    for (std::size_t i = 0; i < caches.size(); ++i) caches[i].level = level(i);
}

std::string size_of(const CacheLevel& cache) { return binary_size(static_cast<double>(cache.size)); }

const CacheLevel* find(const std::vector<CacheLevel>& caches, MemoryLevel level) {
  const auto found = std::find_if(caches.begin(), caches.end(), [&](const auto& c) { return c.level == level; });
  return found == caches.end() ? nullptr : &*found;
}

}  // namespace

double cache_share(const CacheLevel& cache, int threads) {
  return static_cast<double>(cache.size) / cache.sharers(threads);
}

std::vector<CacheLevel> caches_of(const std::vector<Rung>& ladder, const std::vector<CacheLevel>& declared,
                                  int threads) {
  const auto edges = with_declared(edges_of(plateaus(ladder)), declared, ladder, threads);
  if (edges.empty()) return declared;
  std::vector<CacheLevel> caches;
  std::vector<const CacheLevel*> hypotheses;
  std::set<const CacheLevel*> taken;
  for (const double edge : edges) {
    hypotheses.push_back(declared_at(edge, declared, ladder, threads, taken));
    caches.push_back(hypotheses.back() ? *hypotheses.back() : CacheLevel{});
  }
  name_levels(caches, hypotheses);
  for (std::size_t i = 0; i < caches.size(); ++i) {
    auto& cache = caches[i];
    if (hypotheses[i]) continue;
    const auto* named = find(declared, cache.level);
    if (taken.contains(named)) named = nullptr;  // it is another one, whatever the machine calls it
    if (named) cache.line = named->line;
    const unsigned unsaid = cache.level == MemoryLevel::L3 ? static_cast<unsigned>(std::max(1, threads)) : 1;
    cache.shared_by = named ? std::max(1u, named->shared_by) : unsaid;
    cache.ways = cache.level == MemoryLevel::L3 ? 16 : 8;
    cache.size = static_cast<std::uint64_t>(edges[i]) * cache.sharers(threads);
  }
  const auto& beyond = declared.empty() ? CacheLevel{} : declared.back();
  const bool out_of_reach = !declared.empty() && 1.5 * cache_share(beyond, threads) > ladder.back().bytes;
  if (out_of_reach && beyond.level > caches.back().level &&
      cache_share(beyond, threads) > cache_share(caches.back(), threads))
    caches.push_back(beyond);
  return caches;
}

bool confirms(const std::vector<CacheLevel>& now, const std::vector<CacheLevel>& kept, int threads) {
  if (now.size() != kept.size()) return false;
  for (std::size_t i = 0; i < now.size(); ++i) {
    const double ratio = cache_share(now[i], threads) / cache_share(kept[i], threads);
    if (ratio < 1 / 1.5 || (ratio > 1.5 && i + 1 < now.size())) return false;
  }
  return true;
}

std::string disagreement(const std::vector<CacheLevel>& caches, const std::vector<CacheLevel>& declared) {
  std::string text;
  const auto add = [&](const std::string& line) { text += (text.empty() ? "" : "; ") + line; };
  for (const auto level : {MemoryLevel::L1, MemoryLevel::L2, MemoryLevel::L3}) {
    const auto *const seen = find(caches, level), *const said = find(declared, level);
    if (seen && said && seen->size != said->size)
      add(fmt::format("{} {} measured; the machine says {}", name(level), size_of(*seen), size_of(*said)));
    if (seen && !said) add(fmt::format("{} {} measured; the machine says nothing of it", name(level), size_of(*seen)));
    if (!seen && said) add(fmt::format("no {} measured; the machine says {}", name(level), size_of(*said)));
  }
  return text;
}

double beyond_caches(const Machine& machine, double times) {
  constexpr double least = 32 << 20;
  return times * std::max(static_cast<double>(machine.largest_llc), least);
}

void share_cores(Machine& machine, int threads) {
  const int cores = std::max(machine.cores, machine.usable_cores);
  const auto on_each = static_cast<unsigned>(threads > cores ? (threads + cores - 1) / cores : 1);
  for (auto* const caches : {&machine.caches, &machine.declared_caches})
    for (auto& cache : *caches) cache.threads_per_core = on_each;
}

void set_levels(Machine& machine, std::vector<CacheLevel> caches, int threads, std::string origin) {
  machine.caches = std::move(caches);
  share_cores(machine, threads);
  machine.levels = std::move(origin);
  if (const auto note = disagreement(machine.caches, machine.declared_caches); !note.empty()) machine.cache_note = note;
  machine.largest_llc = 0;
  if (machine.caches.empty()) return;
  const auto& last = machine.caches.back();
  machine.largest_llc =
      std::max(last.size, static_cast<std::uint64_t>(cache_share(last, threads) * std::max(1, threads)));
}

}  // namespace roofline
