#pragma once
#include <concepts>
#include <type_traits>

#include "bench/model/assessment.hpp"
#include "bench/result/results.hpp"

/// The fields that a run stores: every field once, with its name in JSON and its meaning. Writing, reading and the
/// description of the file follow from these lists, so they cannot disagree. `io(name, value, meaning)` visits a field
/// that may be absent, `io.must(...)` one that every file has, `io.derived([&](auto& to) { ... })` the fields that
/// follow from others and are only for readers of the file.
namespace roofline::stored {

template <class T, class U>
concept Is = std::same_as<std::remove_const_t<T>, U>;

template <class Io, Is<Operations> T>
void fields(Io& io, T& o) {
  io.must("add", o.add, "additions and subtractions of one launch");
  io.must("mul", o.mul, "multiplications");
  io.must("fma", o.fma, "fused multiply-adds, each two FLOPs");
  io.must("div", o.div, "divisions, each one FLOP");
  io("sqrt", o.sqrt, "square roots, each one FLOP");
  io("logic", o.logic, "comparisons, selections, minima, maxima, magnitudes: instructions and no FLOP");
}

template <class Io, Is<Traffic> T>
void fields(Io& io, T& t) {
  io.must("read", t.read, "bytes read from the level in one launch");
  io.must("written", t.written, "bytes written to it");
}

template <class Io, Is<Span> T>
void fields(Io& io, T& s) {
  io.must("low", s.low, "the lowest answer of the model, in bytes of one launch");
  io.must("high", s.high, "the highest one");
}

template <class Io, Is<Interval> T>
void fields(Io& io, T& i) {
  io.must("median", i.median,
          "seconds of one launch, the median; or a share, the middle of the rounds (Hodges and Lehmann)");
  io.must("low", i.low, "smallest of the rounds, from 9 rounds on the lower end of a 95 % interval");
  io.must("high", i.high, "largest");
}

template <class Io, Is<Sample> T>
void fields(Io& io, T& s) {
  io("round", s.round, "number of the run's round, from 0");
  io.must("start", s.start, "seconds since the run began");
  io.must("seconds", s.seconds, "seconds of one launch");
  io("launches", s.launches, "timed together, below 1 a part of one; without it one, or an earlier version's");
}

template <class Io, Is<Probe> T>
void fields(Io& io, T& p) {
  io.must("ceiling", p.ceiling, "name of its row");
  io.must("rates", p.rates,
          "the best of its samples in each round, in its own units (before schema 5 the median); 0: none");
  io("samples", p.samples, "all of its samples in each round");
}

template <class Io, Is<RoundsElsewhere> T>
void fields(Io& io, T& r) {
  io.must("core_distance", r.core_distance, "core distance before the first of them, in seconds");
  io.must("times", r.samples, "every sample of the launch");
  io("probes", r.probes, "ceilings sampled between these");
}

template <class Io, Is<Trial> T>
void fields(Io& io, T& t) {
  io.must("tuning", t.tuning, "name of the kernel's tuning");
  io.must("seconds", t.seconds, "the shortest of its launches in the trial");
}

template <class Io, Is<CountedAndModelled> T>
void fields(Io& io, T& s) {
  io.must("quantity", s.quantity, "flops_fp64, flops_fp32, flops (of all precisions), L2.read, L2.written, L3., DRAM.");
  io.must("measured", s.measured, "FLOPs or bytes of one launch by counters of the hardware");
  io("modelled", s.modelled, "the same by the model or the counting space");
  io("ratio", s.ratio, "measured / modelled");
  io("note", s.note, "why they differ by more than a fifth, where the cause is known");
}

template <class Io, Is<Counts> T>
void fields(Io& io, T& c) {
  io.must("operations", c.operations, "floating-point operations by kind");
  io.must("operations_source", c.operations_source, "analytic, software, modelled or hardware");
  io("account", c.account,
     "account of the FLOPs: canonical (an FMA is two, a division one), counted (as a file or counters counted), "
     "expanded");
  io("executed", c.executed, "the instructions, if they differ from the operations: divisions expanded");
  io("precision", c.precision, "precision of the operations: fp64, fp32");
  io("kinds_known", c.kinds_known, "false: the FLOPs are right, their kinds are not known");
  io("traffic", c.traffic, "bytes by memory level; a level that is not known is absent");
  io("traffic_source", c.traffic_source, "analytic, software, modelled or hardware");
  io("overwritten", c.overwritten, "bytes read from DRAM (before evasion) only because of stores to whole lines");
  io("evaded", c.evaded, "the part of these that is not read, because this CPU's stores evade it");
  io("streamed", c.streamed, "bytes written to DRAM by streaming stores");
  io("unpaired", c.unpaired,
     "bytes read from DRAM in unpaired lines: the neighbour in the pair of lines did not come in");
  io("regions", c.regions, "parallel loops, each of which starts all threads and waits for them");
  io("split", c.split, "bytes loaded from L1 in vectors that cross the end of a line");
  io("gathered", c.gathered, "bytes loaded from L1 in numbers that are gathered from separate places");
  io("gathers_by_instructions", c.gathers_by_instructions, "true: gather instructions load these numbers");
  io("instructions", c.instructions, "counted instructions of all kinds");
  io("cycles", c.cycles, "cycles of the cores while they ran these");
  io("range", c.range, "total bytes by level, where a model gives an interval");
  io("modelled_device", c.modelled_device, "the device whose caches the modelled bytes went through");
  io("modelled_levels", c.modelled_levels,
     "levels whose counters cannot be trusted, so that the model's bytes are used");
  io("modelled_writes", c.modelled_writes, "levels with counted reads and modelled writes");
  io("counted", c.counted, "counted quantities, next to the modelled ones");
  io("traffic_note", c.traffic_note, "the modelled part of the launch");
  io("details", c.details, "further figures of a GPU's counters or of the model");
}

template <class Io, Is<Judgement> T>
void fields(Io& io, T& j) {
  io("attainable", j.attainable, "FLOP/s of the roof; absent for a kernel without FLOPs");
  io("efficiency", j.efficiency, "achieved / attainable; above 1 only where the whole range is");
  io("bound", j.bound, "the bound: a memory level, or a compute ceiling");
  io("level", j.level, "memory level that bounds; absent: compute");
  io("range", j.range,
     "95 % interval of the efficiency over the rounds, and 2 % more, by which runs differ; absent: fewer than six");
  io("rounds_left_out", j.left_out, "rounds with a disturbed roof: less than two thirds of the run's best");
}

template <class Io, Is<Assessment> T>
void fields(Io& io, T& a) {
  io("roof", a.roof, "compared with the roof of the build and the best mix of each level");
  io("mix", a.mix, "compared with the ceilings of the kernel's own mixes of instructions and accesses");
  io("in_core_share", a.in_core,
     "share of the time that a launch takes with its data in a core's caches; 0 is unknown");
}

template <class Io, Is<KernelPoint> T>
void fields(Io& io, T& p) {
  io.must("name", p.name, "name of the benchmark row");
  io.must("family", p.family, "the kernel family");
  io("problem", p.problem, "its size, if the name does not tell it");
  io.must("counts", p.counts, "operations and bytes of one launch");
  io("rate_only", p.rate_only, "a file had its rate and no time: the counts are of one second, and there is no time");
  if (!p.rate_only) io("time", p.time, "time of one launch; with bound_by the least possible one; absent: not known");
  if constexpr (!std::is_const_v<T>)
    if (p.rate_only) p.time = {1, 1, 1};
  io("bound_by", p.bound_by, "in a modelled run: the resource that needs this time; nothing was measured");
  io("declared_flops", p.declared_flops, "FLOPs of one launch by the formula next to the kernel");
  io("times", p.samples, "every sample of the launch in these rounds");
  io("probes", p.probes, "the ceilings that could bind it, sampled between these");
  io("elsewhere", p.elsewhere,
     "rounds whose cores lay at another distance than core_distance: compared with such rounds only");
  io("in_core", p.in_core, "seconds of a launch with its data in a core's own caches; 0: not measured");
  io("cpu_seconds", p.cpu_seconds, "CPU time of the calling thread during a launch; 0: not known");
  io("clock", p.clock, "clock of a GPU's SMs while it was timed, in Hz, by their own cycle counter; 0: not known");
  io("watts", p.watts, "power of a GPU in a quarter of a second of launches; 0: not known");
  io("joules", p.joules, "energy of one of these launches, which may take longer than the samples did; 0: not known");
  io("tuning", p.tuning,
     "for a tuned row: the tuning that this machine ran fastest, or the first if nothing was timed");
  io("trials", p.trials, "trials that chose the tuning; absent: an earlier run did");
  io("threads", p.threads, "threads that ran it");
  io("fma", p.fma, "the mode of the build: false is compared with the no-FMA roof");
  io.derived([&](auto& to) { fields(to, p.assessment); });
}

template <class Io, Is<Ceiling> T>
void fields(Io& io, T& c) {
  io.must("name", c.name, "name of the benchmark row");
  io.must(
      "kind", c.kind,
      "compute, bandwidth, instructions (of any kind, as fast as they are fetched and decoded), overhead (fork-join), "
      "rate (of anything else)");
  io("threads", c.threads, "threads that ran it");
  io("whole_device", c.whole_device, "on a GPU: the number of threads does not apply");
  io("sustained", c.sustained, "under a load of seconds: not a roof");
  io("precision", c.precision, "compute: fp64, fp32, ...");
  io("operation", c.operation, "compute: what it does; nofma is mul and add");
  io("isa", c.isa, "compute: instruction set, or units of a GPU");
  io("ilp", c.ilp, "compute: false is one dependent chain");
  io("warps", c.warps, "on a GPU: warps that run on each SM; 0: as many as fit");
  io("resource", c.resource, "rate: the resource");
  io("unit", c.unit, "rate: the event that is counted per second");
  io("level", c.level, "bandwidth: memory level");
  io("mix", c.mix, "bandwidth: access mix");
  io("working_set", c.working_set, "bandwidth: bytes over all threads");
  io("bytes_per_explicit_byte", c.bytes_per_explicit_byte, "bandwidth: lines moved / bytes loaded and stored");
  io.must("rate", c.rate,
          "in FLOP/s, B/s, instructions/s, regions/s or units/s: the median over its visits of the best sample of each "
          "(before schema 5 the best of all)");
  io("rate_low", c.rate_low, "smallest of the visits' best");
  io("rate_high", c.rate_high, "largest of them");
  io("rate_median", c.rate_median, "since schema 5 equal to the rate; 0 is unknown");
  io("of_fma", c.of_fma, "fma48div: its rate over that of FMAs alone, sampled in turns");
  io("samples", c.samples, "0: not measured (published, theoretical)");
  io("theory", c.theory, "units x lanes x measured clock, where it is known");
  io("label", c.label, "its name in a file from elsewhere");
  io("external", c.external, "from another tool: shown next to the roofs, never used as a roof");
  io("variant", c.variant, "the fastest generated variant, or the origin of the number");
  io("winner", c.winner, "its number among the variants");
  io("clock_begin", c.clock_begin, "clock of a GPU's SMs in Hz; for a sustained ceiling before the load; 0: unknown");
  io("clock_end", c.clock_end, "the highest clock of its samples; for a sustained ceiling the clock at its end");
}

}  // namespace roofline::stored
