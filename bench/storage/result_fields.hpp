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
  io.must("median", i.median, "of what it is a range of: seconds of one launch, or a share");
  io.must("low", i.low, "smallest of the rounds, from 9 rounds on the lower end of a 95 % interval");
  io.must("high", i.high, "largest");
}

template <class Io, Is<Sample> T>
void fields(Io& io, T& s) {
  io("round", s.round, "of the run, from 0");
  io.must("start", s.start, "seconds since the run began");
  io.must("seconds", s.seconds, "of one launch");
  io("launches", s.launches, "timed together; without it one, or an earlier version's");
}

template <class Io, Is<Probe> T>
void fields(Io& io, T& p) {
  io.must("ceiling", p.ceiling, "name of its row");
  io.must("rates", p.rates,
          "the best of its samples in each round, in its own units (before schema 5 the median); 0: none");
  io("samples", p.samples, "all of its samples in each round");
}

template <class Io, Is<Trial> T>
void fields(Io& io, T& t) {
  io.must("tuning", t.tuning, "of the kernel");
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
     "of the FLOPs: canonical (an FMA is two, a division one), counted (as a file or counters counted), expanded");
  io("executed", c.executed, "the instructions where they are others than the operations: divisions expanded");
  io("precision", c.precision, "of the operations: fp64, fp32");
  io("kinds_known", c.kinds_known, "false: the FLOPs are right, their kinds are not known");
  io("traffic", c.traffic, "bytes by memory level; a level that is not known is absent");
  io("traffic_source", c.traffic_source, "analytic, software, modelled or hardware");
  io("overwritten", c.overwritten, "bytes that DRAM's read ones have, or had, only because of stores to whole lines");
  io("evaded", c.evaded, "bytes of these that they do not have: this CPU's stores evade reading them");
  io("streamed", c.streamed, "bytes of streaming stores among those written to DRAM");
  io("unpaired", c.unpaired,
     "bytes of unpaired lines among DRAM's read ones: whose neighbour in a pair of lines did not come in");
  io("regions", c.regions, "parallel loops, each of which starts all threads and waits for them");
  io("split", c.split, "bytes of vectors that cross the end of a line among those loaded from L1");
  io("gathered", c.gathered, "bytes of numbers gathered from separate places among those loaded from L1");
  io("gathers_by_instructions", c.gathers_by_instructions, "these are gathered by instructions made for that");
  io("instructions", c.instructions, "of all kinds, counted");
  io("cycles", c.cycles, "of the cores while they ran these");
  io("range", c.range, "total bytes by level, where a model gives an interval");
  io("modelled_device", c.modelled_device, "whose caches modelled bytes went through");
  io("modelled_levels", c.modelled_levels, "levels of counted traffic that had no counter to be trusted");
  io("modelled_writes", c.modelled_writes, "levels whose reads were counted, and whose writes were modelled");
  io("counted", c.counted, "quantities that were counted, next to what was modelled");
  io("traffic_note", c.traffic_note, "what was modelled, and what part of the launch");
  io("details", c.details, "further figures of a GPU's counters or of the model");
}

template <class Io, Is<Judgement> T>
void fields(Io& io, T& j) {
  io("attainable", j.attainable, "FLOP/s of the roof; absent for a kernel without FLOPs");
  io("efficiency", j.efficiency, "achieved / attainable, never clamped");
  io("bound", j.bound, "what bounds: a memory level, or a compute ceiling");
  io("level", j.level, "that bounds; absent: compute");
  io("range", j.range, "95 % interval of the efficiency over the rounds; absent: fewer than six");
  io("error", j.error, "standard error of the efficiency; 0: fewer than six rounds");
  io("rounds_left_out", j.left_out, "rounds whose roof was disturbed: less than two thirds of the run's best");
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
  io.must("name", p.name, "of the benchmark row");
  io.must("family", p.family, "the kernel family");
  io("problem", p.problem, "its size, where nobody chose it and the name does not tell it");
  io.must("counts", p.counts, "operations and bytes of one launch");
  io("rate_only", p.rate_only, "a file told its rate and no time: the counts are of one second, and there is no time");
  if (!p.rate_only) io("time", p.time, "of one launch; with bound_by the least possible one; absent: not known");
  if constexpr (!std::is_const_v<T>)
    if (p.rate_only) p.time = {1, 1, 1};
  io("bound_by", p.bound_by, "of a modelled run: the resource whose time this is; nothing was measured");
  io("declared_flops", p.declared_flops, "FLOPs of one launch by the formula next to the kernel");
  io("times", p.samples, "every sample of the launch but those set aside");
  io("set_aside", p.set_aside,
     "samples that nothing is computed from: the cores lay at another distance than core_distance");
  io("probes", p.probes, "the ceilings that could bind it, sampled between these");
  io("in_core", p.in_core, "seconds of a launch whose data come from a core's own caches; 0 is not measured");
  io("cpu_seconds", p.cpu_seconds, "of the calling thread during a launch; 0 is not known");
  io("clock", p.clock, "of a GPU's SMs while it was timed, in Hz, by their own cycle counter; 0 is not known");
  io("watts", p.watts, "that a GPU takes in a quarter of a second of launches; 0 is not known");
  io("joules", p.joules, "of one of these launches, which may take longer than the samples did; 0 is not known");
  io("tuning", p.tuning,
     "of a tuned row: the tuning that this machine ran fastest, or the first where nothing was timed");
  io("trials", p.trials, "by which it was chosen; absent: an earlier run did");
  io("threads", p.threads, "threads that ran it");
  io("fma", p.fma, "the mode of the build: false is compared with the no-FMA roof");
  io.derived([&](auto& to) { fields(to, p.assessment); });
}

template <class Io, Is<Ceiling> T>
void fields(Io& io, T& c) {
  io.must("name", c.name, "of the benchmark row");
  io.must(
      "kind", c.kind,
      "compute, bandwidth, instructions (of any kind, as fast as they are fetched and decoded), overhead (fork-join), "
      "rate (of anything else)");
  io("threads", c.threads, "that ran it");
  io("whole_device", c.whole_device, "of a GPU: there is no number of threads");
  io("sustained", c.sustained, "under a load of seconds: not a roof");
  io("precision", c.precision, "compute: fp64, fp32, ...");
  io("operation", c.operation, "compute: fma, nofma (mul and add), add, mul, div, divfma, fma48div");
  io("isa", c.isa, "compute: instruction set, or units of a GPU");
  io("ilp", c.ilp, "compute: false is one dependent chain");
  io("warps", c.warps, "of a GPU: that run on each SM; 0: as many as fit");
  io("resource", c.resource, "rate: of what");
  io("unit", c.unit, "rate: what is done so often in a second");
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
  io("samples", c.samples, "0: not measured (published, theoretical)");
  io("theory", c.theory, "units x lanes x measured clock, where it is known");
  io("label", c.label, "what a file from elsewhere calls it");
  io("external", c.external, "of another tool: shown next to the roofs, never one");
  io("variant", c.variant, "the generated variant that won, or where the number is from");
  io("winner", c.winner, "its number among the variants");
  io("clock_begin", c.clock_begin, "of a GPU's SMs in Hz, of a sustained one before the load; 0 is unknown");
  io("clock_end", c.clock_end, "the highest of its samples, of a sustained one at its end");
}

}  // namespace roofline::stored
