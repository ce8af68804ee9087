#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <stdexcept>
#include <utility>
#include <vector>

#include "bench/machine/gpu_facts.hpp"
#include "bench/model/assessment.hpp"
#include "reporters/plots/plots.hpp"
#include "reporters/view/point_names.hpp"

namespace roofline {
namespace {

/// In bytes. For shared memory, the bytes that a warp reads at once without a conflict of banks (section 3 there).
constexpr double sector = 32, shared_transaction = 128;
constexpr const char* accesses_only = "/ld+st";
/// Accesses of 8 B by the 32 threads of a warp touch 1, 8 or 32 transactions (Ding and Williams, PMBS 2019, section 4).
const std::vector<std::pair<double, std::string>> walls{
    {1.0, "stride 0"}, {1.0 / 8, "stride 1"}, {1.0 / 32, "stride 4 or more"}};
/// All instructions, as counters and the virtual GPU have them, and what the device model counts of them.
constexpr const char *all_instructions = "inst_executed", *modelled_instructions = "inst_fp_and_memory";

std::optional<double> detail(const Counts& counts, const char* key) {
  const auto found = counts.details.find(key);
  return found == counts.details.end() ? std::nullopt : std::optional(found->second);
}

std::optional<double> instructions_of(const Counts& counts) {
  const auto all = detail(counts, all_instructions);
  return all ? all : detail(counts, modelled_instructions);
}

/// Bytes as transactions. An executed launch knows the bytes of its lanes at L1; its sectors are counted next to them.
void to_transactions(Counts& counts) {
  const auto loads = detail(counts, "gld_transactions"), stores = detail(counts, "gst_transactions");
  for (const auto level : all_memory_levels) {
    if (auto& traffic = counts.at(level)) traffic = Traffic{traffic->read / sector, traffic->written / sector};
    if (auto& range = counts.range[static_cast<std::size_t>(level)])
      range = Span{range->low / sector, range->high / sector};
  }
  if (counts.operations_source == Source::emulated && loads && stores && *loads + *stores > 0)
    counts.at(MemoryLevel::L1) = Traffic{*loads, *stores};
}

/// Instructions of warps that load from or store to global memory; absent where their sectors were not counted.
std::optional<double> global_accesses(const Counts& counts) {
  double sum = 0;
  for (const auto& [transactions, each] :
       {std::pair{"gld_transactions", "gld_sectors_per_request"}, {"gst_transactions", "gst_sectors_per_request"}})
    if (const auto all = detail(counts, transactions), per = detail(counts, each); all && per && *per > 0)
      sum += *all / *per;
  return sum > 0 ? std::optional(sum) : std::nullopt;
}

/// Instructions of warps per second that the schedulers issue: as measured, else in theory, at the highest clock that
/// a ceiling was measured at. Absent where neither is known.
std::optional<Ceiling> issue_ceiling(const Results& results) {
  Ceiling issue;
  issue.threads = results.roofline.threads(), issue.label = "warp schedulers, theoretical";
  if (const auto* const measured = results.roofline.front_end(); measured && results.gpu) {
    issue = *measured, issue.kind = Ceiling::Kind::compute, issue.label = "warp schedulers";
    if (issue.theory) issue.label += fmt::format(", {:.1f} % of theory", 100 * issue.rate / *issue.theory);
    return issue;
  }
  if (const auto& gpu = results.gpu) {
    double clock = 0;
    for (const auto& c : results.roofline.ceilings()) clock = std::max(clock, c.clock_end);
    issue.rate = warp_issue_rate(gpu->sms, 10 * gpu->major + gpu->minor, clock > 0 ? clock : gpu->clock_hz);
  } else if (results.model) {
    issue.rate = results.model->warp_rate;
  }
  if (!(issue.rate > 0)) return std::nullopt;
  issue.rate_low = issue.rate_high = issue.rate, issue.theory = issue.rate;
  return issue;
}

Roofline instruction_roofs(const Results& results) {
  std::vector<Ceiling> ceilings;
  for (const auto level : memory_levels)
    if (const auto* const roof = results.roofline.bandwidth(level)) {
      auto ceiling = *roof;
      ceiling.rate /= sector, ceiling.rate_low /= sector, ceiling.rate_high /= sector;
      ceiling.label = name(level);
      ceilings.push_back(std::move(ceiling));
    }
  if (const auto* const roof = results.roofline.bandwidth(MemoryLevel::shared)) {
    auto shared = *roof;
    shared.rate /= shared_transaction, shared.level = MemoryLevel::L1, shared.external = true;
    shared.label = "shared, by 128 B";
    ceilings.push_back(std::move(shared));
  }
  if (auto issue = issue_ceiling(results)) ceilings.push_back(std::move(*issue));
  return Roofline(std::move(ceilings), results.roofline.threads());
}

}  // namespace

Results as_instructions(const Results& results) {
  auto view = results;
  view.roofline = instruction_roofs(results);
  view.points.clear();
  const auto add = [&](KernelPoint point, std::optional<double> instructions) {
    if (!instructions || !(*instructions >= 1) || !(*instructions < 1e18)) return;
    point.counts.operations = {.add = static_cast<std::uint64_t>(std::llround(*instructions))};
    point.counts.precision = "fp64";  // whose ceiling stands for the schedulers'
    point.fma = true;
    point.probes.clear();  // in B/s
    point.assessment = assess(view.roofline, point);
    point.assessment.mix.reset();
    view.points.push_back(std::move(point));
  };
  for (auto point : results.points) {
    const auto accesses = global_accesses(point.counts);
    to_transactions(point.counts);
    add(point, instructions_of(point.counts));
    // With accesses alone the intensity is that of the access pattern, which the walls are for.
    point = at_level(std::move(point), MemoryLevel::L1);
    point.name += accesses_only;
    if (point.counts.at(MemoryLevel::L1)) add(point, accesses);
  }
  return view;
}

std::string instruction_plot(const Results& results) {
  const auto view = as_instructions(results);
  if (view.points.empty())
    throw std::invalid_argument(
        "--view=instructions: no row has instructions of warps; a run on a GPU with counters or --device=virtual "
        "has them");
  PlotWords words{"Instructions: " + plot_title(results), plot_subtitle(results), {}};
  words.units = {"Instruction intensity [warp instructions / transaction of 32 B]",
                 "Performance [G warp instructions/s]",
                 "warp instr./transaction",
                 "GIPS",
                 "GTXN/s",
                 "transactions",
                 {}};
  const auto is_access = [](const KernelPoint& point) { return point.name.ends_with(accesses_only); };
  const auto accesses = std::count_if(view.points.begin(), view.points.end(), is_access);
  if (accesses > 0) words.units.walls = walls;
  words.caption = {
      "Instructions of warps: all of them if they were counted or executed, only arithmetic and memory instructions "
      "for modelled rows. Transactions: pieces of 32 B at each level; lines: bandwidths / 32 B.",
      "Left: many transactions per instruction, accesses that do not coalesce; at the level line: the schedulers are "
      "the bound."};
  if (accesses > 0)
    words.caption.push_back(
        "ld+st: loads and stores of global memory alone, at L1. Walls: their intensity where all threads of a warp "
        "access one address, neighbouring doubles, or doubles at least four apart.");
  if (results.model)
    words.caption.push_back(
        "No time was measured: each point lies at the least time that its slowest resource allows.");
  if (!issue_ceiling(results))
    words.caption.push_back("The run does not say how many instructions the schedulers issue: no level line.");
  if (const auto skipped = results.points.size() - (view.points.size() - accesses); skipped > 0)
    words.caption.push_back(fmt::format("{} rows without a count of instructions are left out.", skipped));
  return svg_plot(view, words);
}

std::string cache_aware_plot(const Results& results) {
  auto at_core = results;
  at_core.points.clear();
  std::size_t skipped = 0;
  for (const auto& point : results.points)
    if (point.counts.intensity(MemoryLevel::L1))
      at_core.points.push_back(at_level(point, MemoryLevel::L1));
    else
      ++skipped;
  assess(at_core);
  if (at_core.points.empty()) throw std::invalid_argument("--view=cache-aware: no row has FLOPs and bytes of L1");
  PlotWords words{"Cache-aware: " + plot_title(results), plot_subtitle(results), {}};
  words.caption = {
      "Every point lies at the bytes that the core loads and stores (L1), wherever they come from: it does not move "
      "when they come from further away, it sinks. A line is the rate of its level if all bytes came from there.",
      "%: of min(compute ceiling of the build, AI x best bandwidth of L1). Above 100 %: so is the whole range."};
  if (skipped > 0) words.caption.push_back(fmt::format("{} rows without FLOPs or bytes of L1 are left out.", skipped));
  words.units.x = "Arithmetic intensity of the core's accesses [FLOP/B]";
  return svg_plot(at_core, words);
}

}  // namespace roofline
