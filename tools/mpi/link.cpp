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

constexpr std::size_t most_for_all_pairs = 64;

/// Sizes that show one quantity: the smallest ones the latency, the largest ones the bandwidth. Results between them
/// depend on bursts and protocols, and scatter.
struct Sizes {
  bool latency = false;
  std::size_t first = 0, end = 0;
  std::size_t purest() const { return latency ? 0 : end - first - 1; }  ///< the smallest or the largest one
};

std::vector<double> logs_of(const Link& link, const Sizes& sizes) {
  std::vector<double> logs;
  for (auto i = sizes.first; i < sizes.end; ++i) logs.push_back(std::log(link.rate(i)));
  return logs;
}

/// The best rate of each rank's links at each size.
std::map<int, std::vector<double>> best_of_ranks(const std::vector<Link>& links, const Sizes& sizes) {
  std::map<int, std::vector<double>> best;
  for (const auto& link : links) {
    const auto logs = logs_of(link, sizes);
    for (const int end : {link.a, link.b}) {
      auto& of_end = best.try_emplace(end, logs).first->second;
      for (std::size_t i = 0; i < logs.size(); ++i) of_end[i] = std::max(of_end[i], logs[i]);
    }
  }
  return best;
}

std::map<std::pair<int, int>, std::vector<double>> by_pair(const std::vector<Link>& links, const Sizes& sizes) {
  std::map<std::pair<int, int>, std::vector<double>> all;
  for (const auto& link : links) all[std::minmax(link.a, link.b)] = logs_of(link, sizes);
  return all;
}

/// Applies the rule to what has keys: ranks or pairs. `again` has the same keys or fewer.
template <class Key, class Found>
void apply_rule(const Sizes& sizes, const std::map<Key, std::vector<double>>& all,
                const std::vector<std::map<Key, std::vector<double>>>& again, Found found) {
  if (all.size() < cluster::fewest_nodes) return;
  const cluster::Limits limits;
  const auto n = all.begin()->second.size();
  cluster::Sheet sheet{std::vector(n, Part::core), {}};  // of the rule's parts one, whichever
  for (const auto& [key, logs] : all) sheet.nodes.push_back(logs);
  const auto reference = cluster::reference_of(sheet, limits);
  const auto deviations = [&](const auto& logs) { return cluster::deviations(reference, sheet.rows, logs); };
  // A deviation that does not show in the purest size is the scatter of another one.
  const auto is_low = [&](const auto& run) { return run.rows[sizes.purest()] < std::log1p(-limits.floor); };
  std::map<Key, cluster::Cause> suspects;
  for (const auto& [key, logs] : all)
    if (const auto run = deviations(logs); is_low(run))
      if (const auto causes = cluster::causes(reference, sheet.rows, run); !causes.empty())
        suspects[key] = causes.front();
  for (const auto& [key, cause] : suspects) {
    std::vector<cluster::Deviations> later;
    for (const auto& measurement : again)
      if (const auto of_key = measurement.find(key); of_key != measurement.end())
        later.push_back(deviations(of_key->second));
    const bool confirmed = later.size() == again.size() && !again.empty() &&
                           std::all_of(later.begin(), later.end(), is_low) &&
                           cluster::is_confirmed(cause, reference, later, limits, suspects.size()) == true;
    const double x = deviations(all.at(key)).rows[sizes.purest()];
    found(key, LinkFinding{0, -1, sizes.latency, -std::expm1(x), confirmed});
  }
}

/// Two ranks often have the same best link, so that their values scatter less than links do: a slow rank's best link
/// is also slower than every link between ranks that are not slow.
bool is_below_others(int rank, const std::set<int>& slow, const std::vector<Link>& links, const Sizes& sizes) {
  const auto size = sizes.first + sizes.purest();
  double own = 0, others = std::numeric_limits<double>::infinity();
  for (const auto& link : links)
    if (link.a == rank || link.b == rank)
      own = std::max(own, link.rate(size));
    else if (!slow.contains(link.a) && !slow.contains(link.b))
      others = std::min(others, link.rate(size));
  return own < others;
}

/// Ranks whose best link is slow, and slow links between others.
void judge_sizes(const Sizes& sizes, const std::vector<Link>& links, const std::vector<std::vector<Link>>& again,
                 std::vector<LinkFinding>& findings) {
  std::set<int> slow;
  std::vector<std::map<int, std::vector<double>>> ranks_again;
  std::vector<std::map<std::pair<int, int>, std::vector<double>>> pairs_again;
  for (const auto& measurement : again)
    ranks_again.push_back(best_of_ranks(measurement, sizes)), pairs_again.push_back(by_pair(measurement, sizes));
  std::vector<LinkFinding> ranks;
  apply_rule(sizes, best_of_ranks(links, sizes), ranks_again, [&](int rank, LinkFinding finding) {
    finding.a = rank;
    ranks.push_back(finding);
  });
  std::sort(ranks.begin(), ranks.end(), [](const auto& x, const auto& y) { return x.loss > y.loss; });
  for (const auto& finding : ranks)
    if (is_below_others(finding.a, slow, links, sizes)) slow.insert(finding.a), findings.push_back(finding);
  auto others = by_pair(links, sizes);
  std::erase_if(others,
                [&](const auto& link) { return slow.contains(link.first.first) || slow.contains(link.first.second); });
  apply_rule(sizes, others, pairs_again, [&](const std::pair<int, int>& pair, LinkFinding finding) {
    std::tie(finding.a, finding.b) = pair;
    findings.push_back(finding);
  });
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
  constexpr std::size_t few = 3;  // sizes of each kind; the rule knows the scatter of as many rows well enough
  if (links.empty() || links.front().bytes.size() < 2 * few) return findings;
  const auto n = links.front().bytes.size();
  judge_sizes({true, 0, few}, links, again, findings);
  judge_sizes({false, n - few, n}, links, again, findings);
  return findings;
}

}  // namespace roofline::mpi
