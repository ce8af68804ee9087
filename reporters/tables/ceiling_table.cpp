#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <tuple>

#include "bench/machine/core_units.hpp"
#include "bench/text/format.hpp"
#include "reporters/tables/tables.hpp"

namespace roofline {
namespace {

constexpr int digits = 4;

constexpr std::array matrix_mixes{Mix::read, Mix::write, Mix::write_nt, Mix::copy, Mix::triad, Mix::update};

/// A described GPU has no threads to name.
std::string after_comma(const Results& results, int threads) {
  return results.gpu || (results.model && results.model->gpu) ? "" : ", " + threads_text(threads);
}

/// The range of each round's best sample.
std::string range_of(const Ceiling& ceiling) {
  if (ceiling.samples == 0) return std::string(absent);  // not measured
  return fmt::format("{} .. {}", significant(giga(ceiling.rate_low), digits),
                     significant(giga(ceiling.rate_high), digits));
}

/// The median of all samples.
std::string median_of(const Ceiling& ceiling) {
  return ceiling.rate_median > 0 ? significant(giga(ceiling.rate_median), digits) : std::string(absent);
}

constexpr const char* meaning_of_rates =
    "a ceiling is the median of its visits, of each of which the best sample counts; range: of these best samples";

/// Ceilings of one kind for which `chosen` holds.
template <class Chosen>
std::vector<const Ceiling*> select(const Results& results, Ceiling::Kind kind, Chosen chosen) {
  std::vector<const Ceiling*> selected;
  for (const auto& ceiling : results.roofline.ceilings())
    if (ceiling.kind == kind && chosen(ceiling)) selected.push_back(&ceiling);
  return selected;
}

bool in_matrix(const Results& results, const Ceiling& ceiling) {
  return ceiling.threads == results.roofline.threads() && !ceiling.sustained &&
         std::find(matrix_mixes.begin(), matrix_mixes.end(), ceiling.mix) != matrix_mixes.end();
}

/// The clock under the loads of the sustained ceilings.
void add_clocks(Table& table, const std::vector<const Ceiling*>& ceilings) {
  for (const auto* const c : ceilings)
    if (c->clock_begin > 0 && c->clock_end > 0)
      table.notes.push_back(fmt::format("sustained {} {}: the clock went from {:.0f} to {:.0f} MHz",
                                        c->kind == Ceiling::Kind::compute ? c->precision : std::string(name(c->level)),
                                        c->kind == Ceiling::Kind::compute ? c->isa : std::string(name(c->mix)),
                                        1e-6 * c->clock_begin, 1e-6 * c->clock_end));
}

/// Names ceilings with a sample above theory, and the clock that theory is made of: one of the two is wrong.
void add_above_theory(Table& table, const std::vector<const Ceiling*>& ceilings) {
  constexpr double as_printed = 1.0005;
  for (const auto* const c : ceilings) {
    const auto best = c->theory ? c->rate_high / *c->theory : 0;
    if (best < as_printed || c->warps > 0) continue;
    table.notes.push_back(fmt::format(
        "above theory: {} {} {}, whose best sample is {} % of it{}; the sample was too fast, or the clock was higher",
        c->precision, c->isa, name(c->operation), percent(best),
        c->clock_end > 0 ? fmt::format(" at {:.3f} GHz", 1e-9 * c->clock_end) : ""));
  }
}

/// The clocks that theory was taken at, where they are not the machine's.
void add_clocks_of_theory(Table& table, const Results& results, const std::vector<const Ceiling*>& ceilings) {
  if (results.gpu || results.machine.clock_hz <= 0) return;
  std::map<std::string, double> clocks;  // of the first row of each width
  for (const auto* const c : ceilings) {
    const auto at_machine_clock = theoretical_rate(*c, results.machine);
    if (!c->theory || !at_machine_clock || !c->full_rate()) continue;
    const double clock = *c->theory / *at_machine_clock * results.machine.clock_hz;
    if (std::abs(clock / results.machine.clock_hz - 1) > 0.01) clocks.try_emplace(c->isa, clock);
  }
  if (clocks.empty()) return;
  std::vector<std::string> texts;
  for (const auto& [isa, clock] : clocks) texts.push_back(fmt::format("{} {:.2f}", isa, 1e-9 * clock));
  table.notes.push_back(fmt::format("theory: at the clock while such instructions run, {} GHz (all else {:.2f} GHz)",
                                    fmt::join(texts, ", "), 1e-9 * results.machine.clock_hz));
}

/// Limits that stand in a data sheet and that this suite does not measure.
void add_tensor_limits(Table& table, const Results& results, const std::vector<const Ceiling*>& ceilings) {
  if (std::none_of(ceilings.begin(), ceilings.end(), [](const auto* c) { return c->on_matrices(); })) return;
  table.notes.emplace_back("tensor: dense matrices; FP4, FP6, sparse and block-scaled formats are not measured");
  if (results.gpu && results.gpu->major == 10)
    table.notes.emplace_back("tensor: by mma.sync; the rates of the data sheet need tcgen05, which is not measured");
}

void add_front_end(Table& table, const Results& results) {
  const auto* const front_end = results.roofline.front_end();
  if (!front_end) return;
  auto text =
      fmt::format("{}: {} .. {} Ginstr/s", front_end->whole_device ? "warp schedulers" : "front end",
                  significant(giga(front_end->rate_low), digits), significant(giga(front_end->rate_high), digits));
  if (front_end->whole_device && front_end->theory)
    text += fmt::format(", {} % of one per cycle of each", percent(front_end->rate / *front_end->theory));
  else if (const double clocks = results.machine.clock_hz * front_end->threads; clocks > 0)
    text += fmt::format(", {:.2f} per cycle of each core", front_end->rate / clocks);
  table.notes.push_back(text + fmt::format(" ({})", front_end->variant));
}

void add_fork_join(Table& table, const Results& results) {
  if (const auto* const regions = results.roofline.fork_join())
    table.notes.push_back(fmt::format("fork-join: {} .. {} for a parallel region that does nothing",
                                      duration(1 / regions->rate_high), duration(1 / regions->rate_low)));
}

/// All kinds that have no place of their own.
void add_rates(Table& table, const Results& results) {
  for (const auto& c : results.roofline.ceilings()) {
    if (c.kind <= Ceiling::Kind::overhead) continue;
    const auto unit = c.kind == Ceiling::Kind::rate ? c.unit + "/s" : std::string(facts(c.kind).unit);
    const auto what = c.kind == Ceiling::Kind::rate ? c.resource : std::string(facts(c.kind).row);
    table.notes.push_back(fmt::format("{}{}: {} .. {} G{} ({})", what, after_comma(results, c.threads),
                                      significant(giga(c.rate_low), digits), significant(giga(c.rate_high), digits),
                                      unit, c.variant));
  }
}

/// Drivers differ in both numbers that the theory of a GPU's DRAM is made of.
void add_dram_theory(Table& table, const Results& results) {
  constexpr double agreement = 0.1;
  const auto* const dram = results.roofline.bandwidth(MemoryLevel::DRAM);
  const auto theory = results.gpu ? dram_theory(*results.gpu) : std::nullopt;
  if (!dram || !theory) return;
  const double share = dram->rate / *theory;
  table.notes.push_back(fmt::format(
      "DRAM in theory: 2 x {:.0f} MHz x {} bit / 8 = {} GB/s, as the driver says; its roof is {} % of that{}",
      1e-6 * results.gpu->memory_clock_hz, results.gpu->bus_bits, significant(giga(*theory), digits), percent(share),
      std::abs(share - 1) <= agreement ? ""
                                       : ": doubt clock and width first, then ECC that GDDR keeps in itself, then "
                                         "the roof"));
}

/// The row of a sweep whose working set is nearest to `bytes` on a logarithmic scale; null beyond its ends.
const ErtRow* nearest_row(const ErtSweep& sweep, double bytes) {
  const ErtRow* best = nullptr;
  double best_distance = std::log(1.5);
  for (const auto& row : sweep.rows)
    if (const double distance = std::abs(std::log(row.working_set / bytes)); distance < best_distance)
      best = &row, best_distance = distance;
  return best;
}

}  // namespace

Table compute_ceiling_table(const Results& results) {
  Table table{"Compute ceilings", table_columns("<operation|<SIMD|<ILP|GFLOP/s|median|range|theory|% theory|<variant")};
  auto ceilings = select(results, Ceiling::Kind::compute, [](const Ceiling&) { return true; });
  const auto group = [&](const Ceiling& c) { return c.precision + after_comma(results, c.threads); };
  const auto rank = [&](const Ceiling& c) {
    const bool other_threads = c.threads != results.roofline.threads();
    return std::tuple(c.precision != "fp64", c.precision, other_threads, -c.threads, c.sustained, !c.ilp, c.operation);
  };
  std::stable_sort(ceilings.begin(), ceilings.end(), [&](auto* a, auto* b) { return rank(*a) < rank(*b); });
  std::string heading;
  for (const auto* const c : ceilings) {
    if (group(*c) != heading) table.rows.push_back({{heading = group(*c)}});
    const auto of_theory = c->theory ? std::optional(c->rate / *c->theory) : std::nullopt;
    const auto theory = c->theory ? significant(giga(*c->theory), digits) : std::string(absent);
    const std::string ilp =
        c->warps > 0   ? fmt::format("{}{} warp{}/SM", c->ilp ? "" : "chain, ", c->warps, c->warps == 1 ? "" : "s")
        : c->sustained ? "sustained"
        : c->ilp       ? "full"
                       : "one chain";
    table.rows.push_back({{"  " + std::string(name(c->operation)), c->isa, ilp, significant(giga(c->rate), digits),
                           median_of(*c), range_of(*c), theory, percent(of_theory), c->variant}});
  }
  if (std::any_of(ceilings.begin(), ceilings.end(), [](const auto* c) { return c->samples > 0; }))
    table.notes.emplace_back(meaning_of_rates);
  add_above_theory(table, ceilings);
  add_clocks_of_theory(table, results, ceilings);
  add_clocks(table, ceilings);
  add_tensor_limits(table, results, ceilings);
  add_front_end(table, results);
  add_fork_join(table, results);
  add_rates(table, results);
  return table;
}

Table bandwidth_table(const Results& results) {
  const auto& roofline = results.roofline;
  Table table{"Bandwidth ceilings in GB/s" + after_comma(results, roofline.threads()), {{"level", false}}};
  const auto ceilings =
      select(results, Ceiling::Kind::bandwidth, [&](const Ceiling& c) { return in_matrix(results, c); });
  std::vector<Mix> mixes;
  for (const auto mix : matrix_mixes)
    if (std::any_of(ceilings.begin(), ceilings.end(), [&](auto* c) { return c->mix == mix; })) {
      mixes.push_back(mix);
      table.columns.push_back({std::string(name(mix))});
    }
  for (const auto* const header : {"roof", "median", "range", "ridge"}) table.columns.push_back({header});
  for (const auto level : all_memory_levels) {
    const Ceiling* const roof = roofline.bandwidth(level);
    if (!roof) continue;
    std::vector<std::string> cells{std::string(name(level))};
    for (const auto mix : mixes) {
      const Ceiling* const ceiling = roofline.bandwidth(level, mix);
      cells.push_back(ceiling ? significant(giga(ceiling->rate), digits) : std::string(absent));
    }
    cells.emplace_back(name(roof->mix));
    cells.push_back(median_of(*roof));
    cells.push_back(range_of(*roof));
    cells.push_back(significant(roofline.ridge(level)));
    table.rows.push_back({std::move(cells)});
  }
  const bool measured = std::any_of(ceilings.begin(), ceilings.end(), [](auto* c) { return c->samples > 0; });
  if (!table.rows.empty() && !measured)
    table.notes.push_back("not measured here, " + results.ceilings_origin.text +
                          "; ridge: FP64 FMA ceiling / roof in FLOP/B");
  if (!table.rows.empty() && measured)
    table.notes.push_back(
        "lines moved, write-allocates included (L1: bytes loaded and stored); roof: the best mix, with its median and "
        "range; ridge: FP64 FMA ceiling / roof in FLOP/B");
  if (measured) add_dram_theory(table, results);
  // A run prints its machine before it has measured the stores.
  if (!table.rows.empty() && results.stores) table.notes.push_back("stores: " + describe(*results.stores));
  return table;
}

Table other_bandwidth_table(const Results& results) {
  Table table{"Further bandwidth ceilings", table_columns("<level|<access|threads|GB/s|median|range|working set")};
  const auto ceilings =
      select(results, Ceiling::Kind::bandwidth, [&](const Ceiling& c) { return !in_matrix(results, c); });
  for (const auto* const c : ceilings)
    table.rows.push_back({{std::string(name(c->level)), std::string(name(c->mix)) + (c->sustained ? ", sustained" : ""),
                           std::to_string(c->threads), significant(giga(c->rate), digits), median_of(*c), range_of(*c),
                           c->working_set > 0 ? binary_size(c->working_set) : std::string(absent)}});
  add_clocks(table, ceilings);
  return table;
}

Table ert_table(const Results& results) {
  if (!results.ert) return {};
  const auto& ert = *results.ert;
  const auto sweeps = heaviest(ert.sweeps);
  const bool on_gpu = !sweeps.empty() && !sweeps.front()->launch.empty();
  const auto threads = ", " + threads_text(results.roofline.threads());
  Table table{"ERT sweep, FP64 with FMA" + (on_gpu ? "" : threads), {{"working set"}}};
  double smallest = 0, largest = 0;
  for (const auto* const best : sweeps) {
    const auto& sweep = *best;
    table.columns.push_back({fmt::format("F={} GB/s", sweep.flops_per_element)});
    table.columns.push_back({"GFLOP/s"});
    for (const auto& row : sweep.rows) {
      smallest = smallest == 0 ? row.working_set : std::min(smallest, row.working_set);
      largest = std::max(largest, row.working_set);
    }
  }
  for (double bytes = std::exp2(std::ceil(std::log2(std::max(1.0, smallest)))); bytes <= largest; bytes *= 4) {
    Table::Row line{{binary_size(bytes)}};
    for (const auto* const sweep : sweeps) {
      const auto* const row = nearest_row(*sweep, bytes);
      line.cells.push_back(row ? significant(giga(row->bandwidth())) : std::string(absent));
      line.cells.push_back(row ? significant(giga(row->flop_rate())) : std::string(absent));
    }
    table.rows.push_back(line);
  }
  std::string plateaus = fmt::format("best {} GFLOP/s; plateaus", significant(giga(ert.flop_rate), 4));
  for (const auto& level : ert.levels)
    plateaus += fmt::format(" {} {} GB/s,", name(level.level), significant(giga(level.bandwidth)));
  plateaus.back() = ' ';
  table.notes.push_back(plateaus + fmt::format("(ERT's algorithm, F = {}, levels named from the cache geometry)",
                                               ert.bandwidth_flops_per_element));
  table.notes.push_back("bytes: one read and one write per element, in place: the update mix");
  if (on_gpu) {
    std::string launches = fmt::format("the best of {} launches (blocks x threads) for each F:", ert.sweeps.size());
    for (const auto* const sweep : sweeps) launches += " " + sweep->launch + ",";
    launches.back() = '.';
    table.notes.push_back(launches + " L1 passes stores on: its plateau is that of L2's stores");
  }
  return table;
}

}  // namespace roofline
