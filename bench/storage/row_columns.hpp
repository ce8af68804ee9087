#pragma once
#include <algorithm>
#include <cmath>
#include <functional>
#include <optional>
#include <string>
#include <type_traits>
#include <vector>

#include "bench/model/assessment.hpp"
#include "bench/model/kernel_point.hpp"

/// The numbers of a row as programs that know no run.json read them. efficiency.csv, the counters of Google Benchmark's
/// rows, their description in the schema and the page's card are made of this one list: a new number of a row is one
/// line here.
namespace roofline::stored {

struct RowColumn {
  std::string name;
  const char* unit = "";
  const char* meaning = "";
  const char* heading = "";       ///< with which the page shows it; empty: it does not, or in a place of its own
  const char* counter = nullptr;  ///< its name as a counter of Google Benchmark; null: `name`; empty: it has none
};

/// Figures that a GPU's profiler has besides operations and bytes: keys of Counts::details. Each meaning ends
/// with the name that Nsight Compute has for it; shares are 0..1, where that has percent.
const std::vector<RowColumn>& profile_columns();

/// Visits the columns of a point, which are written and read: `io(column, value)` one that a reader puts back,
/// `io.only(stored, ...)` one that it puts back if `stored`, `io.derived(...)` one that follows from others. A plain
/// double of 0 is unknown. `io.levels()` are the memory levels with columns of their own.
template <class Io, class Point>
void row_columns(Io& io, Point& p) {
  constexpr bool reads = !std::is_const_v<Point>;
  const auto times = [&](const std::string& name, const std::string& ends, bool bound, const char* meaning) {
    std::optional<double> median, low, high;
    if (p.is_bound() == bound && !p.rate_only && p.time.median > 0)
      median = p.time.median, low = p.time.low, high = p.time.high;
    io({name, "s", meaning}, median);
    io({ends + "_low", "s", "lower end of its interval"}, low);
    io({ends + "_high", "s", "upper end"}, high);
    if constexpr (reads)
      if (median) p.time = {*median, low.value_or(*median), high.value_or(*median)};
  };
  const auto judged = [&](const std::string& suffix, const std::optional<Judgement>& judgement, const char* of) {
    const auto j = judgement.value_or(Judgement{{}, std::nan(""), {}, {}, {}});
    io.derived({"attainable" + suffix, "FLOP/s", of}, j.attainable);
    io.derived({"bound" + suffix, "", "the resource that bounds there; roofs do not know all that can, mixes do"},
               judgement ? std::string(name(j.bound)) : "");
    io.derived({"efficiency" + suffix, "", "share of it"}, j.efficiency);
  };
  auto& counts = p.counts;
  auto& operations = counts.operations;
  io({"name", "", "name of the row"}, p.name), io({"family", "", "the kernel family"}, p.family);
  io({.name = "threads", .meaning = "threads that ran it", .counter = ""}, p.threads);
  io({.name = "fma", .meaning = "1: built with FMA", .counter = ""}, p.fma);
  io.derived({.name = "samples", .meaning = "samples of the launch", .counter = ""}, p.samples.size());
  io.derived({"rounds", "", "rounds of these"}, p.rounds());
  times("time_median", "time_ci", false, "one launch: the median over the rounds of the best sample");
  io.derived({"time_min", "s", "the shortest sample"}, p.samples.empty() ? std::nan("") : p.least_seconds());
  io({"time_in_core", "s", "a launch with its data in a core's caches", "from caches"}, p.in_core);
  io({"clock_hz", "Hz", "clock of a GPU's SMs meanwhile", "clock"}, p.clock);
  io({"power_watt", "W", "power of a GPU under these launches"}, p.watts);
  io({"energy_joule", "J", "energy of one of them"}, p.joules);
  auto flops = operations.flops();
  const bool kinds = counts.kinds_known;
  const bool counted = kinds || flops > 0;  // a file may not say the FLOPs
  std::optional<double> rate;
  if (counted) rate = p.flop_rate();
  io.derived({.name = "FLOP/J", .unit = "FLOP/J", .meaning = "FLOPs for each joule", .counter = ""},
             p.watts > 0 ? static_cast<double>(flops) / p.joules : std::nan(""));
  io({"precision", "", "precision of the operations"}, counts.precision);
  io.only(!p.rate_only && counted, {"flops", "FLOP", "FLOPs of one launch"}, flops);
  io.only(p.rate_only, {"FLOP/s", "FLOP/s", "the achieved rate"}, rate);
  if constexpr (reads)
    if (p.rate_only) flops = static_cast<std::uint64_t>(std::llround(std::min(*rate, 9e18))), p.time = {1, 1, 1};
  io.only(kinds, {"add", "", "additions and subtractions"}, operations.add);
  io.only(kinds, {"mul", "", "multiplications"}, operations.mul);
  io.only(kinds, {.name = "fma_instructions", .meaning = "fused multiply-adds, each two FLOPs", .counter = "fma"},
          operations.fma);
  io.only(kinds, {"div", "", "divisions, each one FLOP"}, operations.div);
  io.derived({"fma_fraction", "", "fused among additions, multiplications and fused ones"},
             kinds ? operations.fma_fraction() : std::nan(""));
  io.derived({"flops_source", "", "source of the FLOPs"}, std::string(name(counts.operations_source)));
  std::string account(name(counts.account));
  io({"flop_account", "", "account of the FLOPs"}, account);
  if constexpr (reads)
    for (const auto known : {FlopAccount::canonical, FlopAccount::counted, FlopAccount::expanded})
      if (account == name(known)) counts.account = known;
  for (const auto level : io.levels()) {
    const std::string of = "_" + std::string(name(level)), bytes_of = "bytes" + of;
    auto& traffic = counts.at(level);
    auto& range = counts.range[static_cast<std::size_t>(level)];
    std::optional<double> bytes, written, low, high, intensity;
    if (counted) intensity = counts.intensity(level);
    if (traffic && !p.rate_only) bytes = traffic->total(), written = traffic->written;
    if (range) low = range->low, high = range->high;
    io({bytes_of, "B", "bytes of one launch at the level"}, bytes);
    const auto counter = bytes_of + "_written";
    io({.name = "written" + of, .unit = "B", .meaning = "the written ones", .counter = counter.c_str()}, written);
    io({bytes_of + "_low", "B", "least by the model"}, low), io({bytes_of + "_high", "B", "most by the model"}, high);
    io.only(p.rate_only, {"AI" + of, "FLOP/B", "arithmetic intensity"}, intensity);
    if constexpr (reads) {
      if (p.rate_only && intensity && *intensity > 0) bytes = static_cast<double>(flops) / *intensity;
      written = std::min(written.value_or(0), bytes.value_or(0));
      if (bytes) traffic = Traffic{*bytes - *written, *written};
      if (low && high) range = Span{*low, *high};
    }
  }
  io({"bytes_DRAM_streamed", "B", "written by streaming stores", "streamed to DRAM"}, counts.streamed);
  io({"bytes_DRAM_unpaired", "B", "read in unpaired lines", "in unpaired lines"}, counts.unpaired);
  io({"bytes_DRAM_evaded", "B", "not read, because stores evade it", "evaded by stores"}, counts.evaded);
  io({"bytes_L1_split", "B", "loaded across ends of lines", "across ends of lines"}, counts.split);
  io({"bytes_L1_gathered", "B", "loaded from separate places", "gathered"}, counts.gathered);
  io({"regions", "", "parallel loops of a launch", "parallel loops"}, counts.regions);
  io({"counted_instructions", "", "counted instructions of all kinds", "instructions"}, counts.instructions);
  io({"counted_cycles", "", "cycles of the cores meanwhile", "cycles"}, counts.cycles);
  io.derived({"instructions_per_cycle", "", "of a core", "instructions per cycle"}, counts.instructions_per_cycle());
  for (const auto& column : profile_columns()) {
    const auto found = counts.details.find(column.name);
    auto figure = found == counts.details.end() ? std::nullopt : std::optional(found->second);
    io(column, figure);
    if constexpr (reads)
      if (figure) counts.details[column.name] = *figure;
  }
  io.derived({"bytes_source", "", "source of the bytes"}, counts.traffic_label());
  io({"bytes_note", "", "the modelled part of the launch"}, counts.traffic_note);
  const auto& roof = p.assessment.roof;
  judged("", roof, "by the roof of the build and the best mix of each level");
  const auto range = roof && roof->range ? roof->range : std::nullopt;
  io.derived({"efficiency_low", "", "lower end of its 95 % interval"}, range ? range->low : std::nan(""));
  io.derived({"efficiency_high", "", "upper end"}, range ? range->high : std::nan(""));
  io.derived({"resolved", "", "1: known to a twentieth of itself"},
             range ? std::optional<double>(roof->resolved()) : std::nullopt);
  judged("_mix", p.assessment.mix, "by the ceilings of the kernel's own mixes");
  times("time_bound", "time_bound", true, "the least possible time of a modelled launch");
  io.derived({"time_bound_by", "", "the resource that needs it"}, p.bound_by ? std::string(name(*p.bound_by)) : "");
  if constexpr (reads) p.declared_flops = flops;
}

/// Shows `see` every column that holds a number, of all memory levels; not a number: unknown.
void each_number(const KernelPoint& point, const std::function<void(const RowColumn&, double)>& see);

}  // namespace roofline::stored
