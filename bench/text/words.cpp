#include "bench/text/words.hpp"

namespace roofline {

const std::vector<Word>& words() {
  static const std::vector<Word> all{
      {"AI", "arithmetic intensity: FLOPs of a kernel per byte that crosses a memory level, in FLOP/B"},
      {"alpha", "share of FMA among FMA, MUL and ADD instructions"},
      {"attainable", "the highest rate that the ceilings allow a kernel at its intensity"},
      {"beta",
       "(1 + alpha) / 2: the part of the FMA peak that a mix of instructions can reach when every instruction "
       "takes one slot (NERSC convention)"},
      {"bound",
       "what limits a kernel: a memory level, or a compute ceiling; core where it is as slow with its data in the "
       "core's "
       "own caches and nothing that has a ceiling is full"},
      {"canonical account", "how FLOPs are counted: every operation is one, a fused multiply-add two, a division one"},
      {"chain",
       "instructions that wait for one another; full ILP has enough independent ones to fill the units, one "
       "chain shows their latency"},
      {"chase", "reads whose address is in the word read before: latency, not bandwidth"},
      {"clean .. dirty", "what L2 held before a modelled launch: nothing to write back, or all of it"},
      {"contaminated",
       "share of the samples during which the machine did something else, of those that had to stay because "
       "too few others were there; above a fifth a row is marked x, and its interval is the range of its samples, "
       "down to what they would have taken had no thread waited for its core"},
      {"converged", "the half-width of the interval reached 1 % of the median; a row above 5 % is marked ~"},
      {"core, beyond, overlap, rest",
       "the parts that make up a row's time: what the core needs with its data in its own caches, what L3 and DRAM "
       "need "
       "for the bytes that they serve, by how much these are more than the time, as they go on at once, and what they "
       "lack to it"},
      {"core clock",
       "the clock that cores busy with the widest vectors kept beside the samples of a ceiling or a kernel: a kernel "
       "is "
       "held against arithmetic, L1 and L2 at the clock that it had"},
      {"core distance",
       "how long a signal takes from one core of the run to the next, through a cache line: some 50 ns where cores "
       "share "
       "their last cache, 200 and more where not. A hypervisor moves the cores of its guests, and L3 and DRAM are "
       "others "
       "then: the samples of a ceiling or a kernel are of one placement, the one in which the run spent most time "
       "where "
       "there were enough; a row of another one than the ceilings is marked m, and a ceiling of "
       "another one than most of the run"},
      {"DRAM pace",
       "bandwidth of DRAM right before and after a kernel relative to its ceiling; more than 5 % off marks "
       "a row p. Where a kernel keeps its time while the pace jumps (pace_refuted in efficiency.csv), the core binds "
       "it, or the memory that is asked is another one than its own, and the upper quartile of the paces counts"},
      {"drift",
       "a ceiling measured again at the end, relative to the start; of a row (mark d) DRAM before and after it"},
      {"fork-join",
       "starting all threads for a parallel loop and waiting for the last one: seconds of as many empty loops as a "
       "launch has; % of its time, and the bound of a row where nothing else needs more"},
      {"front end",
       "the part of a core that fetches and decodes instructions; bounds a row only where instructions were counted"},
      {"fma48div",
       "a ceiling: 48 fused multiply-adds and beside them a division that nothing waits for. What they take "
       "longer than the FMAs alone is what a division takes of their units, and is charged to kernels that divide"},
      {"gathers",
       "complex numbers that lie apart and are brought into vectors of real and imaginary parts, by gather "
       "instructions or by loads of 16 B and shuffles: held against the fastest way to do so from L1 (gather), where a "
       "form is known to use the instructions against these (gather_instructions)"},
      {"in caches",
       "a launch in which every part of the loop is computed twice in a row and timed the second time, when its data "
       "lie in the caches that a core has alone: the same code without memory. Near 100 % of the time the core bounds, "
       "what is missing is memory's. Forms that stream their stores do so by plain ones here, and LBM's v4, v5, step "
       "and "
       "propagate, which cannot, have none"},
      {"issue", "instruction slots: all FMA, MUL and ADD together at the best rate of the units"},
      {"lockstep .. greedy",
       "the two extremes of how a GPU schedules its warps: all equally far, or one after another"},
      {"lone lines",
       "lines read from DRAM whose neighbour in an aligned pair of lines (128 B) is not: memory that brings lines in "
       "pairs has then moved twice the bytes. They are held against reads that skip every second line (stride:16), "
       "the others against their mix. Where most of a row's time at DRAM is theirs, its pace of DRAM is that of such "
       "reads (dram_pace_of in efficiency.csv); that of streams is not theirs"},
      {"mix",
       "the kernel's own shares of instructions and of reads and writes; % mix holds it against ceilings of the "
       "same shares"},
      {"nofma",
       "multiplications and additions as separate instructions; what a build without contraction is held "
       "against"},
      {"P1 .. P16", "physics checks: what no machine can do if the numbers are right"},
      {"random_4k",
       "lines in random order in pages of 4 KiB, random those in pages of 2 MiB: what is between them is the walk to "
       "pages that the TLBs do not reach"},
      {"ridge",
       "intensity at which a bandwidth reaches the compute peak: left of it memory bounds, right of it compute"},
      {"roof", "the smaller of the compute ceiling of the build and intensity x best bandwidth, over all levels"},
      {"set", "where the data of an ert row is kept: set:L1 fits the nearest cache, set:DRAM none"},
      {"slabs", "parts of a loop whose accesses were followed: \"20 of 1024 slabs\" is a sample"},
      {"source",
       "where a number is from: analytic (a formula), software (counted while running), modelled (a model of "
       "the caches), hardware (a counter), imported (another file)"},
      {"split loads",
       "vectors whose bytes lie in two lines of L1, which takes two accesses: held against reads that all do "
       "(read_split). They are counted in vectors of 64 B, whatever this CPU has"},
      {"stores",
       "what a plain store that misses does to DRAM: it reads its line first (allocates), or does not where the whole "
       "line is overwritten (evades); told from the ceilings write, update and write_nt, for a number of threads"},
      {"sustained", "under a load of seconds, when heat and power have lowered the clock: shown, never a roof"},
      {"theory", "units x lanes x the clock measured while such instructions run, or bus width x rate"},
      {"tuned",
       "a row whose kernel has several forms (stores, loads, prefetches, blocks), all verified, of which a short trial "
       "on the machine at hand takes the fastest; the row without /tuned has the first, published one"},
      {"turn",
       "a kernel is measured twice, a minute or so apart: two turns. What all kernels together moved between them "
       "widens "
       "the interval of each, most where time was too short for its second one"},
      {"update", "access mix: every element is read and written in place"},
      {"variant", "of several generated codes for one ceiling the one that was fastest"},
      {"write_nt",
       "writes that go past the caches (streaming stores): no line is read first; so copy_nt, triad_nt, which kernels "
       "with such stores are held against"},
  };
  return all;
}

}  // namespace roofline
