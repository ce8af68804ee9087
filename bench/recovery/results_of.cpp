#include "bench/recovery/results_of.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/machine/core_distance.hpp"
#include "bench/model/store_policy.hpp"
#include "bench/storage/json_fields.hpp"
#include "bench/storage/run_fields.hpp"

namespace roofline {
namespace {

using stored::Json;

struct CeilingRecords {
  Ceiling ceiling;
  std::vector<Visit> visits;
  bool is_next_to_rows = false;

  /// Not sampled in rounds: imported, described, or under a load.
  bool is_final() const { return ceiling.rate > 0; }
  /// Only measured while the cores lay elsewhere than in the rounds that count: it says nothing about their rows.
  bool is_elsewhere(double usual) const {
    const auto lies_elsewhere = [&](const Visit& visit) { return !lay_alike(visit.core_distance, usual); };
    return !is_final() && !is_next_to_rows && !visits.empty() &&
           std::all_of(visits.begin(), visits.end(), lies_elsewhere);
  }
};

struct KernelRecords {
  KernelPoint point;
  RowRounds rounds;
};

/// Records by what they are about, in the order in which rows were first named.
struct Sorted {
  std::vector<CeilingRecords> ceilings;
  std::vector<KernelRecords> kernels;
  std::map<std::string, std::size_t> place_of_ceiling, place_of_kernel;
  std::vector<std::string> planned_ceilings, planned_kernels;
  std::map<std::string, std::string> missing;  ///< why a row has no result
  std::vector<std::pair<std::string, std::string>> failures;
  std::vector<std::string> skipped;
  Json facts = Json::object();
  bool ended = false;

  explicit Sorted(const std::vector<Record>& records) {
    for (const auto& record : records) enter(record);
  }

 private:
  template <class List>
  static auto& at(List& list, std::map<std::string, std::size_t>& places, const std::string& row) {
    const auto [place, is_new] = places.try_emplace(row, list.size());
    if (is_new) list.emplace_back();
    return list[place->second];
  }
  void enter(const Record& record) {
    const auto& row = record.row;
    if (record.event == "planned") (record.ceiling ? planned_ceilings : planned_kernels).push_back(row);
    if (record.ceiling) at(ceilings, place_of_ceiling, row).ceiling = *record.ceiling;
    if (record.kernel) at(kernels, place_of_kernel, row).point = *record.kernel;
    if (record.visit) at(ceilings, place_of_ceiling, row).visits.push_back(*record.visit);
    if (record.found) {
      at(kernels, place_of_kernel, row).rounds.add(*record.found);
      for (const auto& [ceiling, rates] : record.found->probes)
        if (const auto place = place_of_ceiling.find(ceiling); place != place_of_ceiling.end() && !rates.empty()) {
          ceilings[place->second].visits.push_back({rates, record.found->core_distance});
          ceilings[place->second].is_next_to_rows = true;
        }
    }
    if (!record.failed.empty() && missing.emplace(row, record.failed).second) failures.emplace_back(row, record.failed);
    if (!record.skipped.empty() && missing.emplace(row, record.skipped).second)
      skipped.push_back(row + ": " + record.skipped);
    ended = ended || (row.empty() && record.event == "end");
    if (!record.fact.empty()) add_facts(Json::parse(record.fact));
  }
  void add_facts(const Json& said) {
    for (const auto& [field, value] : said.items()) {
      auto& known = facts[field];
      if (!value.is_array())
        known = value;
      else
        for (const auto& element : value)
          if (std::find(known.begin(), known.end(), element) == known.end()) known.push_back(element);
    }
  }
};

/// The core distance of the rounds that count; 0: not known.
double usual_distance(const std::vector<KernelRecords>& kernels) {
  std::vector<double> distances;
  for (const auto& kernel : kernels)
    for (const auto& round : kernel.rounds.all())
      if (round.core_distance > 0) distances.push_back(round.core_distance);
  if (distances.empty()) return 0;
  std::sort(distances.begin(), distances.end());
  // Where they lie nearest they share a cache, as a machine declares. Even if the host put them there for less than
  // half of the time, these rounds are taken where they suffice: so more runs agree.
  const double nearest = distances.front();
  const auto has_enough = [&](const KernelRecords& kernel) {
    const auto& rounds = kernel.rounds.all();
    const auto near = std::count_if(rounds.begin(), rounds.end(),
                                    [&](const RowRound& round) { return lay_alike(round.core_distance, nearest); });
    return rounds.empty() || near >= rounds_of_95_percent;
  };
  return std::all_of(kernels.begin(), kernels.end(), has_enough) ? nearest : distances[distances.size() / 2];
}

void note_moved_cores(const std::vector<KernelRecords>& kernels, Results& results) {
  std::size_t aside = 0, all = 0;
  double elsewhere = 0;
  const double usual = results.core_distance;
  for (const auto& kernel : kernels)
    for (const auto& round : kernel.rounds.all()) {
      ++all;
      if (lay_alike(round.core_distance, usual)) continue;
      ++aside;
      elsewhere = round.core_distance;
    }
  const double percent = 100.0 * static_cast<double>(aside) / static_cast<double>(std::max<std::size_t>(all, 1));
  if (percent < 0.5) return;
  results.warnings.push_back(
      fmt::format("The host moved the cores, so {:.0f} % of the rounds are set aside: a cache line took {:.0f} ns from "
                  "core to core in these, and {:.0f} ns in the others",
                  percent, 1e9 * elsewhere, 1e9 * usual));
}

/// A CPU that computes faster than its type can is another one than it says, as hypervisors may have it: no theory of
/// that type is its own. Units come whole, so a wrong number of them makes more than a third; a clock some percent.
void drop_theory_of_another_cpu(std::vector<Ceiling>& ceilings) {
  constexpr double another_unit = 1.3;
  int above = 0, all = 0;
  for (const auto& c : ceilings)
    if (c.kind == Ceiling::Kind::compute && c.full_rate() && c.theory) {
      ++all;
      above += c.rate_low > another_unit * *c.theory;
    }
  if (all < 2 || above < all) return;
  for (auto& ceiling : ceilings) ceiling.theory.reset();
}

std::vector<Ceiling> measured_ceilings(const std::vector<CeilingRecords>& records, double usual) {
  std::vector<Ceiling> ceilings;
  for (const auto& record : records) {
    if (record.is_elsewhere(usual)) continue;
    if (auto known = record.is_final() ? record.ceiling : measured(record.ceiling, record.visits, usual);
        known.rate > 0)
      ceilings.push_back(std::move(known));
  }
  return ceilings;
}

void skip_ceilings_elsewhere(Sorted& sorted, double usual) {
  for (const auto& record : sorted.ceilings) {
    const auto& name = record.ceiling.name;
    const char* const why = "the host moved the cores before each of its visits";
    if (record.is_elsewhere(usual) && sorted.missing.emplace(name, why).second)
      sorted.skipped.push_back(fmt::format("{}: {}", name, why));
  }
}

void put_roofline(const Sorted& sorted, Results& results) {
  auto ceilings = measured_ceilings(sorted.ceilings, results.core_distance);
  const int threads = results.roofline.threads();
  const bool is_measured = std::any_of(sorted.ceilings.begin(), sorted.ceilings.end(),
                                       [](const auto& of) { return !of.is_final() && !of.visits.empty(); });
  const bool of_cpu = !results.gpu && !results.model;
  if (of_cpu && is_measured && !results.stores) results.stores = store_policy(ceilings, threads);
  if (of_cpu && results.stores) ceilings = restated(std::move(ceilings), *results.stores);
  if (of_cpu && is_measured) drop_theory_of_another_cpu(ceilings);
  results.roofline = Roofline(std::move(ceilings), threads);
}

/// Probes were sampled in the bytes that the ceiling's kernel states; they are compared in those of the results.
void restate_probes(const Sorted& sorted, const Roofline& roofline, std::vector<Probe>& probes) {
  for (auto& probe : probes) {
    const auto place = sorted.place_of_ceiling.find(probe.ceiling);
    const auto& all = roofline.ceilings();
    const auto now = std::find_if(all.begin(), all.end(), [&](const Ceiling& c) { return c.name == probe.ceiling; });
    if (place == sorted.place_of_ceiling.end() || now == all.end()) continue;
    const double factor = now->bytes_per_explicit_byte / sorted.ceilings[place->second].ceiling.bytes_per_explicit_byte;
    for (auto& rate : probe.rates) rate *= factor;
    for (auto& of_round : probe.samples)
      for (auto& rate : of_round) rate *= factor;
  }
}

void put_points(const Sorted& sorted, Results& results) {
  for (const auto& [known, rounds] : sorted.kernels) {
    if (known.name.empty() || sorted.missing.contains(known.name)) continue;
    auto point = known;
    rounds.put_into(point, results.core_distance);
    if (point.samples.empty() && !point.is_bound()) continue;
    if (results.stores) point.counts = restated(std::move(point.counts), *results.stores);
    restate_probes(sorted, results.roofline, point.probes);
    for (auto& rounds : point.elsewhere) restate_probes(sorted, results.roofline, rounds.probes);
    results.rounds = std::max(results.rounds, point.rounds());
    results.points.push_back(std::move(point));
  }
}

/// Adds the samples of kernels to those of ceilings.
void put_timer(Results& results) {
  auto& timer = results.timer;
  for (const auto& point : results.points) {
    for (const auto& rounds : point.elsewhere)
      for (const auto& sample : rounds.samples) timer.sampled_seconds += sample.timed();
    for (const auto& sample : point.samples) {
      const double timed = sample.timed();
      timer.sampled_seconds += timed;
      if (timer.shortest_sample > 0 && timed >= timer.shortest_sample) continue;
      timer.shortest_sample = timed;
      timer.shortest_row = point.name;
    }
  }
}

std::vector<PlannedRow> planned(const Sorted& sorted) {
  std::vector<PlannedRow> rows;
  const auto add = [&](const std::string& name, bool is_ceiling) {
    const auto why = sorted.missing.find(name);
    rows.push_back({name, is_ceiling, why == sorted.missing.end() ? std::string() : why->second});
  };
  for (const auto& row : sorted.planned_ceilings) add(row, true);
  for (const auto& row : sorted.planned_kernels) add(row, false);
  return rows;
}

/// Rows that have neither a result nor a reason for it: an interruption came before them.
void note_unreached(const std::vector<PlannedRow>& planned, Results& results) {
  std::set<std::string> found;
  for (const auto& ceiling : results.roofline.ceilings()) found.insert(ceiling.name);
  for (const auto& point : results.points) found.insert(point.name);
  for (const auto& row : planned)
    if (row.missing.empty() && !found.contains(row.name)) results.unreached.push_back(row.name);
}

}  // namespace

Results results_of(const std::vector<Record>& records) {
  Sorted sorted(records);
  Results results;
  stored::Reader::read(sorted.facts, "", results);
  results.interrupted = !sorted.ended;
  results.failures = sorted.failures;
  results.core_distance = usual_distance(sorted.kernels);
  skip_ceilings_elsewhere(sorted, results.core_distance);
  results.skipped.insert(results.skipped.end(), sorted.skipped.begin(), sorted.skipped.end());
  note_moved_cores(sorted.kernels, results);
  put_roofline(sorted, results);
  put_points(sorted, results);
  put_timer(results);
  note_unreached(planned(sorted), results);
  assess(results);
  return results;
}

std::vector<Ceiling> ceilings_of(const std::vector<Record>& records) {
  return measured_ceilings(Sorted(records).ceilings, 0);
}

std::vector<PlannedRow> planned_rows(const std::vector<Record>& records) { return planned(Sorted(records)); }

}  // namespace roofline
