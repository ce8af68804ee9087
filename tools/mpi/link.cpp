#include "tools/mpi/link.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numeric>
#include <random>
#include <set>

#include "reporters/cluster/outliers.hpp"

namespace roofline::mpi {
namespace {

using cluster::Part;

constexpr double small = 4096;  // bytes up to which a message tests the latency
constexpr std::size_t most_for_all_pairs = 64;

/// The rule's two parts of a machine are here those of a link.
Part part_of(double bytes) { return bytes <= small ? Part::core : Part::memory; }

std::vector<double> logs_of(const Link& link) {
  std::vector<double> logs;
  for (std::size_t i = 0; i < link.bytes.size(); ++i) logs.push_back(std::log(link.rate(i)));
  return logs;
}

/// Of each rank the best rate of its links at each size.
std::map<int, std::vector<double>> best_of_ranks(const std::vector<Link>& links) {
  std::map<int, std::vector<double>> best;
  for (const auto& link : links) {
    const auto logs = logs_of(link);
    for (const int end : {link.a, link.b}) {
      auto& of_end = best.try_emplace(end, logs).first->second;
      for (std::size_t i = 0; i < logs.size(); ++i) of_end[i] = std::max(of_end[i], logs[i]);
    }
  }
  return best;
}

std::map<std::pair<int, int>, std::vector<double>> by_pair(const std::vector<Link>& links) {
  std::map<std::pair<int, int>, std::vector<double>> all;
  for (const auto& link : links) all[std::minmax(link.a, link.b)] = logs_of(link);
  return all;
}

/// Applies the rule to what has keys: ranks or pairs. `again` has the same keys or fewer.
template <class Key, class Found>
void apply_rule(const std::vector<Part>& rows, const std::map<Key, std::vector<double>>& all,
                const std::vector<std::map<Key, std::vector<double>>>& again, Found found) {
  if (all.size() < cluster::fewest_nodes) return;
  const cluster::Limits limits;
  cluster::Sheet sheet{rows, {}};
  for (const auto& [key, logs] : all) sheet.nodes.push_back(logs);
  const auto reference = cluster::reference_of(sheet, limits);
  std::map<Key, cluster::Cause> suspects;
  for (const auto& [key, logs] : all)
    if (const auto causes = cluster::causes(reference, rows, cluster::deviations(reference, rows, logs));
        !causes.empty())
      suspects[key] = causes.front();
  for (const auto& [key, cause] : suspects) {
    std::vector<cluster::Deviations> later;
    for (const auto& measurement : again)
      if (const auto of_key = measurement.find(key); of_key != measurement.end())
        later.push_back(cluster::deviations(reference, rows, of_key->second));
    const bool confirmed = later.size() == again.size() && !again.empty() &&
                           cluster::is_confirmed(cause, reference, later, limits, suspects.size());
    const auto first = cluster::deviations(reference, rows, all.at(key));
    // Of a part what its purest size shows: the smallest or the largest one.
    const bool latency = cause.part == Part::core;
    const double x = first.rows[cause.row ? *cause.row : latency ? 0 : rows.size() - 1];
    found(key, LinkFinding{0, -1, latency, -std::expm1(x), confirmed});
  }
}

}  // namespace

LinkFit fit(const Link& link) {
  LinkFit fit;
  const auto n = link.bytes.size();
  if (n < 2) return fit;
  fit.latency = std::numeric_limits<double>::infinity();
  constexpr double no_matter = 16;  // bytes
  for (std::size_t i = 0; i < n && (i == 0 || link.bytes[i] <= no_matter); ++i)
    fit.latency = std::min(fit.latency, link.seconds[i].median);
  const double longer = link.seconds[n - 1].median - link.seconds[n - 2].median;
  fit.bandwidth = longer > 0 ? (link.bytes[n - 1] - link.bytes[n - 2]) / longer : link.rate(n - 1);
  fit.half_bytes = fit.latency * fit.bandwidth;
  for (std::size_t i = 0; i < n; ++i) {
    const double ratio = link.seconds[i].median / fit.seconds(link.bytes[i]);
    if (std::abs(std::log(ratio)) > std::abs(std::log(fit.misfit)))
      fit.misfit = ratio, fit.misfit_bytes = link.bytes[i];
  }
  return fit;
}

std::vector<Pairs> disjoint_rounds(int n, int partners) {
  std::vector<Pairs> rounds;
  if (n < 2) return rounds;
  std::vector<int> seats(static_cast<std::size_t>(n + n % 2));
  std::iota(seats.begin(), seats.end(), 0);  // seat n of an odd number: a round's rest
  const bool all = seats.size() <= most_for_all_pairs;
  std::mt19937 random(1);
  for (std::size_t round = 0; round + 1 < seats.size() && (all || static_cast<int>(round) < partners); ++round) {
    if (!all) std::shuffle(seats.begin(), seats.end(), random);
    Pairs pairs;
    for (std::size_t i = 0; i < seats.size() / 2; ++i)
      if (const auto pair = std::minmax(seats[i], seats[seats.size() - 1 - i]); pair.second < n)
        pairs.emplace_back(pair);
    rounds.push_back(std::move(pairs));
    std::rotate(seats.begin() + 1, seats.end() - 1, seats.end());  // the first keeps its seat
  }
  return rounds;
}

std::vector<LinkFinding> judge_links(const std::vector<Link>& links, const std::vector<std::vector<Link>>& again) {
  std::vector<LinkFinding> findings;
  if (links.empty()) return findings;
  std::vector<Part> rows;
  for (const double bytes : links.front().bytes) rows.push_back(part_of(bytes));
  std::set<int> slow;
  std::vector<std::map<int, std::vector<double>>> ranks_again;
  std::vector<std::map<std::pair<int, int>, std::vector<double>>> pairs_again;
  for (const auto& measurement : again)
    ranks_again.push_back(best_of_ranks(measurement)), pairs_again.push_back(by_pair(measurement));
  apply_rule(rows, best_of_ranks(links), ranks_again, [&](int rank, LinkFinding finding) {
    finding.a = rank;
    slow.insert(rank), findings.push_back(finding);
  });
  auto others = by_pair(links);
  std::erase_if(others,
                [&](const auto& link) { return slow.contains(link.first.first) || slow.contains(link.first.second); });
  apply_rule(rows, others, pairs_again, [&](const std::pair<int, int>& pair, LinkFinding finding) {
    std::tie(finding.a, finding.b) = pair;
    findings.push_back(finding);
  });
  return findings;
}

}  // namespace roofline::mpi
