#pragma once
#include <utility>

#include "bench/result/sanity.hpp"
#include "bench/storage/result_fields.hpp"

/// The fields of what surrounds points and ceilings: machine, model, sweep, timer, and the run itself.
namespace roofline::stored {

template <class Io, Is<CacheLevel> T>
void fields(Io& io, T& c) {
  io.must("level", c.level, "L1, L2, L3");
  io.must("size", c.size, "bytes");
  io("ways", c.ways, "associativity");
  io("line", c.line, "bytes of a line");
  io("shared_by", c.shared_by, "usable cores that share it");
}

template <class Io, Is<Machine> T>
void fields(Io& io, T& m) {
  io("name", m.name, "name of the processor, or of the device that a modelled run stands for");
  io("vendor", m.vendor, "CPUID's word for it");
  io("family", m.family, "CPUID");
  io("model", m.model, "CPUID");
  io("stepping", m.stepping, "CPUID");
  io("cpus", m.cpus, "logical CPUs that the run could use");
  io("quota", m.quota, "CPUs that the cgroup granted; 0: not limited");
  io("usable_cores", m.usable_cores, "the default number of threads");
  io("smt", m.smt, "hardware threads per core");
  io("isa", m.isa, "widest instruction set");
  io("amx", m.amx, "has tiles for products of matrices: a Xeon since Sapphire Rapids, whatever its model number says");
  io("virtual_machine", m.virtual_machine, "a hypervisor shares the cores out, and may move them");
  io("caches", m.caches, "data caches from the core outwards: the measured ones, from which sets and sizes follow");
  io("declared_caches", m.declared_caches, "the machine's own statement about them");
  io("levels", m.levels, "how caches were found: measured, in an earlier run, or declared by the machine");
  io("cache_note", m.cache_note, "the difference between measured and declared caches");
  io("largest_llc", m.largest_llc, "bytes of the last caches of all threads: working sets of DRAM are sized from it");
  io("numa_nodes", m.numa_nodes, "memory nodes");
  io("memory_bytes", m.memory_bytes, "memory that the process may have: the machine's, or a tighter limit");
  io("thread_cpus", m.thread_cpus, "where the threads of a parallel region were seen to run, by thread");
  io("overridden", m.overridden, "environment variables that were ignored: OMP_..., HWLOC_SYNTHETIC");
  io("core_classes", m.core_classes, "the speed of the classes of cores, if cores are not equal");
  io("huge_pages", m.huge_pages, "always, madvise or never");
  io("clock_hz", m.clock_hz, "measured with a dependent chain");
  io("fingerprint", m.fingerprint, "ceilings of another fingerprint are refused");
}

template <class Io, Is<Place> T>
void fields(Io& io, T& l) {
  io("node", l.node, "name of the machine among others: --node, ROOFLINE_NODE, SLURMD_NODENAME or the host's");
  io("launcher", l.launcher, "the launcher that started several processes of this program; absent: one process alone");
  io("rank", l.rank, "number of this process, from 0");
  io("ranks", l.ranks, "number of ranks");
  io("local_rank", l.local_rank, "number of this process among the ranks on this node");
  io("local_ranks", l.local_ranks, "number of ranks on this node");
  io("job", l.job, "the scheduler's name of the job: JOB_ARRAYTASK.STEP");
  io("window", l.window,
     "window of every row; own: other ranks measured at other times, so rates must not be added up");
  io("disturbed", l.conflict, "resources that ranks of this node share and each should have alone: cores, a GPU");
}

template <class Io, Is<Gpu> T>
void fields(Io& io, T& g) {
  io("index", g.index, "N of --device=cuda:N");
  io.must("name", g.name, "as its driver reports it");
  io("major", g.major, "compute capability");
  io("minor", g.minor, "compute capability");
  io("sms", g.sms, "streaming multiprocessors");
  io("clock_hz", g.clock_hz, "highest SM clock");
  io("memory_bytes", g.memory_bytes, "memory of the device");
  io("l2_bytes", g.l2_bytes, "its L2");
  io("bus", g.bus, "its place on the PCI bus");
  io("uuid", g.uuid, "UUID of this card, or instance of one");
  io("memory_clock_hz", g.memory_clock_hz, "as the driver says; two transfers in a cycle");
  io("bus_bits", g.bus_bits, "width of its memory bus, as the driver says");
  io("driver_version", g.driver_version, "CUDA of the driver, 13000 is 13.0");
  io("runtime_version", g.runtime_version, "CUDA of the runtime");
}

template <class Io, Is<ModelledRun> T>
void fields(Io& io, T& m) {
  io.must("device", m.device, "the modelled device");
  io("description", m.description, "the same in words");
  io("hash", m.hash, "hash of geometry, policies and model version");
  io("gpu", m.gpu, "a described GPU; false: this machine's CPU");
  io("facts", m.facts, "the model's facts about it");
  io("l2_bytes", m.l2_bytes, "L2 of a described GPU");
  io("warp_rate", m.warp_rate, "instructions of warps per second that its schedulers issue at most");
}

template <class Io, Is<KnownAnswer> T>
void fields(Io& io, T& a) {
  io.must("quantity", a.quantity, "the metric under its first name");
  io("expected", a.expected, "the known answer");
  io("tolerance", a.tolerance, "relative to it; if it is 0, the largest count that passes");
  io("informative", a.informative, "shown, never a reason to refuse");
  io("ecc", a.ecc, "relative to it: this excess is not an error, but the words of ECC");
}

template <class Io, Is<SelfTestResult> T>
void fields(Io& io, T& s) {
  io.must("kernel", s.kernel, "a kernel of known FLOPs and bytes");
  io.must("answer", s.answer, "the quantity and its known answer");
  io("counted", s.counted, "absent: the chip or the driver gave no value");
  io.derived([&](auto& to) { to("passed", s.passed(), "counted is within the tolerance"); });
}

template <class Io, Is<ErtRow> T>
void fields(Io& io, T& r) {
  io.must("working_set", r.working_set, "bytes over all threads");
  io.must("trials", r.trials, "passes over the working set");
  io.must("seconds", r.seconds, "seconds of all trials");
  io.must("bytes", r.bytes, "bytes of all trials");
  io.must("flops", r.flops, "FLOPs of all trials");
}

template <class Io, Is<ErtSweep> T>
void fields(Io& io, T& s) {
  io.must("flops_per_element", s.flops_per_element, "F of ERT");
  io("threads", s.threads, "threads of a CPU");
  io("launch", s.launch, "launch on a GPU: blocks x threads of a block");
  io("rows", s.rows, "results by working set");
  io("complete", s.complete, "false: the time was up before the largest working set");
  io("failure", s.failure, "the first wrong element");
}

template <class Io, Is<LevelPlateau> T>
void fields(Io& io, T& l) {
  io.must("level", l.level, "named from the cache geometry");
  io.must("bandwidth", l.bandwidth, "B/s");
  io("smallest", l.smallest, "working set of the plateau in bytes");
  io("largest", l.largest, "the largest one");
}

template <class Io, Is<ErtResult> T>
void fields(Io& io, T& e) {
  io("sweeps", e.sweeps, "one per number of FLOPs per element and launch");
  io("flop_rate", e.flop_rate, "the best of all in FLOP/s");
  io("bandwidth_flops_per_element", e.bandwidth_flops_per_element, "the sweep that the plateaus are from");
  io("levels", e.levels, "plateaus");
  io("weight", e.weight, "weight of that sweep, by ERT's rule");
}

template <class Io, Is<CeilingsOrigin> T>
void fields(Io& io, T& o) {
  io.must("kind", o.kind, "none, measured in this run, imported from an earlier one, or described");
  io("text", o.text, "the same for people, with the file's name");
}

template <class Io, Is<StorePolicy> T>
void fields(Io& io, T& s) {
  io.must("outcome", s.outcome, "unknown, allocates (a store that misses reads its line) or evades");
  io.must("threads", s.threads, "the number of threads that this holds for");
  io("evaded", s.evaded, "share of the overwritten lines that are not read, 0 to 1");
  io("write", s.write, "ceiling of DRAM in B/s at 16 B per element, as it was measured");
  io("update", s.update, "the same: 16 B whatever stores do");
  io("write_nt", s.write_nt, "the rate of streaming stores, at 8 B per element");
  io("why", s.why, "the reason if the outcome is unknown");
}

template <class Io, Is<HostNoise> T>
void fields(Io& io, T& n) {
  io.must("steal", n.steal, "share of the CPU time that the hypervisor took during the run, 0 to 1");
  io("throttled", n.throttled, "share of the scheduling periods in which a CPU quota stopped the run, 0 to 1");
  io("others", n.others, "share of the time of all CPUs that other programs used, 0 to 1");
  io("nice", n.nice, "nice value of the threads: -20 comes before other programs, 0 is the usual one");
}

template <class Io, Is<Drift> T>
void fields(Io& io, T& d) {
  io.must("host", d.host, "relative: the 90th percentile over the rows of the largest difference of their shares");
  io.must("runs", d.runs, "number of runs that it is from, this one among them");
  io("rows", d.rows, "the largest difference of each row of this run that was measured before");
}

template <class Io, Is<RunTimer> T>
void fields(Io& io, T& t) {
  io("step", t.step, "seconds: the smallest difference that the timer shows");
  io("shortest_sample", t.shortest_sample, "seconds, of all samples of kernels");
  io("shortest_row", t.shortest_row, "the row of that sample");
  io("sampled_seconds", t.sampled_seconds, "seconds of all samples together");
  io("run_seconds", t.run_seconds, "from start to end of the run");
  io("nonlinearity", t.nonlinearity, "nonlinearity of the times of 1 to 4 times the same work, relative");
  io("empty_region", t.empty_region, "seconds of a parallel region that does nothing");
  io("known_time_error", t.known_time_error, "relative error for a pause, with the length from another clock");
}

template <class Io, Is<perf::KnownOutcome> T>
void fields(Io& io, T& o) {
  io.must("kernel", o.kernel, "a kernel of known behaviour");
  io.must("quantity", o.answer.quantity, "the counted quantity: FLOPs or bytes of one launch");
  io.must("expected", o.answer.expected, "the required value");
  io.must("tolerance", o.answer.tolerance, "relative to expected; if that is 0, the largest count that passes");
  io.must("counted", o.counted, "the counted value");
  io("events", o.events, "the raw counts that this follows from");
  io.derived([&](auto& to) { to("passed", o.passed(), "counted is within the tolerance"); });
}

template <class Io, Is<SanityCheck> T>
void fields(Io& io, T& c) {
  io("id", c.id, "kernel_below_roof, rows_verified, ...");
  io("what", c.what, "the statement, which holds in every run with right numbers");
  io("value", c.value, "the worst found; absent: nothing in this run to compare with the limit, or no number");
  io("shown", value_text(c), "the same as tables show it");
  io("limit", c.limit, "limit of the value");
  io("verdict", c.verdict, "ok, warn, fail, not applicable");
  io("where", c.where, "the row of the value, or the reason why there is none");
}

template <class Io, Is<RunPrecision> T>
void fields(Io& io, T& p) {
  io("rows", p.rows, "rows with a share of a roof and a range of it");
  io("resolved", p.resolved, "rows among these with half the range at most 5 % of the share");
  io("median", p.median, "half-width of the range relative to the share, the median over the rows");
  io("worst", p.worst, "and the largest");
  io("worst_row", p.worst_row, "the row with the largest");
  io("contradictions", p.contradictions,
     "rows above 103 % of their roof in the whole range: a count or model is wrong");
}

template <class Io, Is<Results> T>
void fields(Io& io, T& r) {
  io("machine", r.machine, "the machine of the run");
  io("place", r.place, "the node, and which rank of how many this run is");
  io("model", r.model, "present: every point is a bound, nothing was measured");
  io("gpu", r.gpu, "present: the GPU that the points ran on");
  io("gpu_facts", r.gpu_facts, "its bus, the code that it ran, its state as NVML says");
  io("counters", r.counters, "the source of counted bytes, or the reason why nothing was counted");
  io("self_test", r.self_test, "self-test of its counters");
  io("cpu_self_test", r.cpu_self_test, "self-test of a CPU's counters");
  io("device_note", r.device_note, "why this is a run on the CPU");
  io("ert", r.ert, "the sweep of the Empirical Roofline Toolkit");
  io("failures", r.failures, "rows without a result, with the reason");
  io("unreached", r.unreached, "rows without a result because an interruption came before them");
  io("rounds", r.rounds,
     "rounds in which every row is sampled; the last one of an interrupted run is cut short; 0: nothing was timed");
  io("core_distance", r.core_distance,
     "seconds that a cache line takes from one core to its neighbour, in the rounds that count; 0: not known");
  io("noise", r.noise, "the time that a shared machine took; absent: the system does not tell");
  io("drift", r.drift, "the difference between runs of one program on this host; absent: too few runs");
  io("drift_apart", r.drift_apart, "the same between runs for which the host placed the cores differently");
  io("timer", r.timer, "the run's checks of its own clock");
  io("times_note", r.times_note, "present: the reason why the times are not a device's");
  io("warnings", r.warnings, "one line each");
  io("skipped", r.skipped, "rows that the run left out, one line each");
  io("ceilings_origin", r.ceilings_origin, "origin of the ceilings");
  io("stores", r.stores,
     "the effect of plain stores that miss on DRAM, from the ceilings; absent: no ceilings, or not a CPU");
  io("command_line", r.command_line, "the run's command line");
  io("date", r.date, "ISO 8601");
  io("interrupted", r.interrupted, "ended by a signal: rows or rounds are missing");
  io.derived([&](auto& to) {
    to("complete", r.complete(), "every planned row has its result: not interrupted, no failures");
    to("checks", r.checks, "checks that every right run passes");
    to("precision", r.precision, "the precision of the shares");
  });
  int threads = r.roofline.threads();
  auto ceilings = r.roofline.ceilings();
  io("threads", threads, "threads of the roofs: only kernels with as many are compared with them");
  io("ceilings", ceilings, "every ceiling of the run, roofs and others");
  io("points", r.points, "every kernel that has a result");
  if constexpr (!std::is_const_v<T>) r.roofline = Roofline(std::move(ceilings), threads);
}

}  // namespace roofline::stored
