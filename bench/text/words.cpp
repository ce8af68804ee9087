#include "bench/text/words.hpp"

#include <fnmatch.h>
#include <regex.h>

#include <algorithm>
#include <cctype>
#include <numeric>
#include <stdexcept>
#include <vector>

namespace roofline {
namespace {

std::size_t edit_distance(const std::string& a, const std::string& b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), 0);
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const auto replace = diagonal + (a[i - 1] != b[j - 1]);
      diagonal = row[j];
      row[j] = std::min({replace, row[j] + 1, row[j - 1] + 1});
    }
  }
  return row[b.size()];
}

}  // namespace

const std::vector<Word>& words() {
  static const std::vector<Word> all{
      {"AI", "arithmetic intensity: FLOPs of a kernel per byte that crosses a memory level, in FLOP/B"},
      {"alpha", "share of FMA among FMA, MUL and ADD instructions"},
      {"attainable", "the highest rate that the ceilings allow a kernel at its intensity"},
      {"beta",
       "(1 + alpha) / 2: the part of the FMA peak that a mix of instructions can reach when every instruction takes "
       "one slot (NERSC convention)"},
      {"bound",
       "the resource that limits a kernel: a memory level, or a compute ceiling. core: the kernel is as slow with its "
       "data in the core's own caches, and it does not fill any resource that has a ceiling"},
      {"canonical account",
       "the way FLOPs are counted: every operation is one, a fused multiply-add two, a division one"},
      {"ceiling",
       "the rate of a resource at its best, measured many times: the median of the best samples. A roof is the ceiling "
       "that a kernel is compared with"},
      {"chain",
       "instructions that wait for one another. Full ILP has enough independent ones to fill the units, one chain "
       "shows their latency"},
      {"chase", "reads that take their address from the word read before: latency, not bandwidth"},
      {"chunks",
       "the parts of a loop that the model followed: \"20 of 1024 chunks\" means that it followed some of them"},
      {"clean .. dirty", "the assumed content of L2 before a modelled launch: nothing to write back, or everything"},
      {"core alone, core and memory, memory alone, rest",
       "the parts of a row's time: the time of the core alone, with data in its own caches; the time of core and "
       "memory at once; the time of L3 and DRAM alone, for the bytes that they serve; and a rest that the ceilings do "
       "not describe"},
      {"core distance",
       "the time that a cache line takes from one core to its neighbour. A host may move the cores of a virtual "
       "machine: where they no longer share a cache, it is several times as long, and memory gives another rate"},
      {"fma",
       "a fused multiply-add: one instruction and two FLOPs. As a bound it is the compute ceiling of "
       "such instructions. In the name of a row, fma:1 is the build with them and fma:0 the one without"},
      {"fma+mul+div",
       "a bound: the units that multiply. FMAs and multiplications use them, and divisions take some of their time. "
       "fma+mul is the same without divisions. add is the adders, div and sqrt are the divider"},
      {"fma48div",
       "a ceiling: 48 fused multiply-adds and a division that nothing waits for. The time beyond that of the FMAs "
       "alone is the time that a division takes from their units"},
      {"fork-join",
       "starting all threads for a parallel loop and waiting for the last one: the seconds of as many empty loops as a "
       "launch has. It is the bound of a row if nothing else needs more"},
      {"front end",
       "the part of a core that fetches and decodes instructions. It bounds a row only where instructions were "
       "counted"},
      {"gathers",
       "complex numbers that lie apart and are brought into vectors of real and imaginary parts, by gather "
       "instructions or by loads of 16 B and shuffles. They are compared with the fastest way to do so from L1 "
       "(gather), where a tuning is known to use the instructions with these (gather_instructions)"},
      {"HBM",
       "stacked memory of a GPU or a processor next to its cores: such a machine's DRAM, and called so in its plots"},
      {"in core",
       "a launch in which every part of the loop is computed twice in a row. The second time is measured, when the "
       "data lie in the caches that a core has alone: the same code without memory. Near 100 % of the time, the core "
       "bounds; the difference is memory's. Tunings with streaming stores use plain stores here. LBM's v4, v5, step "
       "and propagate have no such launch"},
      {"interval",
       "the uncertainty of a share: the exact 95 % interval of its middle over the rounds (Hodges and Lehmann), and "
       "2 % of the share on each side, by which runs differ. The share of another run on the same machine lies inside "
       "in four of five cases. "
       "It is +- where it is symmetric, else 46..55. Fewer than six rounds have none, and the share is printed with ~"},
      {"issue", "instruction slots: all FMA, MUL and ADD together at the best rate of the units"},
      {"machine balance", "the ridge: FLOPs that the machine can do for each byte that it can move"},
      {"mix",
       "the kernel's own shares of instructions and of reads and writes. % mix compares it with ceilings of the same "
       "shares"},
      {"node, rank",
       "a machine among others, and one of several processes that a launcher (mpirun, srun) started, numbered from 0"},
      {"nofma",
       "multiplications and additions as separate instructions: the compute ceiling of a build without contraction"},
      {"noise",
       "the time that a shared machine takes from a run: steal is the share of the CPU time that the hypervisor took, "
       "throttled the share of periods in which a quota stopped the run"},
      {"precision",
       "the precision of a run's shares: half the interval relative to the share, its median over the rows and the "
       "worst. A row is resolved if half of its interval is at most 5 % of its share"},
      {"probe",
       "a sample of a ceiling's own work, right before and after the samples of a kernel. A share compares the best of "
       "both in the same round, because a shared machine is not the same a second later"},
      {"random_4k",
       "lines in random order in pages of 4 KiB; random has pages of 2 MiB. Their difference is the walk to pages that "
       "the TLBs do not reach"},
      {"rate",
       "how often something is done in a second. ceiling/rate/exp: calls, each of which an account may take for one "
       "FLOP; exp_counted: the FLOPs of its series"},
      {"read_no_prefetch",
       "reads of DRAM that leave prefetching to the core. The ceiling of reads also tries loops that prefetch. Where "
       "both are equal, software prefetch gains nothing for reads in order"},
      {"read_remote",
       "reads of memory next to the cores of another NUMA node: the bandwidth of a program that places its data "
       "wrongly"},
      {"ridge",
       "intensity at which a bandwidth reaches the compute peak: left of it memory bounds, right of it compute"},
      {"roof", "the smaller of the compute ceiling of the build and intensity x best bandwidth, over all levels"},
      {"round",
       "every row has up to two samples between those of its roof; then comes the next round. After each round every "
       "row has a result"},
      {"round robin .. greedy",
       "the two extremes of how a GPU schedules its warps: all equally far, or one after another"},
      {"sample", "one timed launch, several if one is too short, or a part of one that is long"},
      {"set", "the place of an ert row's data: set:L1 fits the nearest cache, set:DRAM does not fit any cache"},
      {"share",
       "how much of its roof a row reaches. In each round it is the best sample of the row divided by the best one of "
       "its roof, and the row has the middle of the rounds. % mix is the share of the ceilings of its own mix. "
       "roofline cpu: a function's part of the time of all threads"},
      {"source",
       "the origin of a number: analytic (a formula), software (counted while running), modelled (a model of the "
       "caches), hardware (a counter), imported (another file), emulated (counted in the compiled code, "
       "by a virtual GPU that executes it or by the counter that roofline cpu puts into a program)"},
      {"split loads",
       "vectors with bytes in two lines of L1, which takes two accesses. They are compared with reads that all cross "
       "lines (read_split) and counted in vectors of 64 B, whatever this CPU has"},
      {"stores",
       "the effect of a plain store that misses on DRAM: it reads its line first (allocates), or it does not if the "
       "whole line is overwritten (evades). The ceilings write, update and write_nt show which, for a number of "
       "threads"},
      {"sustained", "under a load of seconds, when heat and power have lowered the clock: shown, never a roof"},
      {"theory", "units x lanes x the clock measured while such instructions run, or bus width x rate"},
      {"tuned",
       "a row whose kernel has several tunings (stores, loads, prefetches, blocks), all verified. A short trial on the "
       "machine at hand takes the fastest; the row without /tuned has the first, published one"},
      {"unpaired lines",
       "lines that are read from DRAM without their neighbour in an aligned pair of lines (128 B). Memory that brings "
       "lines in pairs has then moved twice the bytes. They are compared with reads that skip every second line "
       "(stride:16), the others with their mix"},
      {"update", "access mix: every element is read and written in place"},
      {"variant",
       "of a kernel: one row of its family, as gpp/nw:6/fma:1/stride:8; of a ceiling: one of several generated "
       "codes, of which the fastest is kept"},
      {"window",
       "the time in which a row was measured. window=own: other ranks measured at other times, so the sum of their "
       "rates is not a rate of the machine"},
      {"write_nt",
       "writes that go past the caches (streaming stores), so lines are not read first. Kernels with such stores are "
       "compared with these and with copy_nt and triad_nt"},
  };
  return all;
}

std::string_view trimmed(std::string_view text) {
  const auto begin = text.find_first_not_of(" \t\r\n"), end = text.find_last_not_of(" \t\r\n");
  return begin == text.npos ? std::string_view{} : text.substr(begin, end - begin + 1);
}

std::string lower_case(std::string text) {
  for (auto& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

std::string did_you_mean(const std::string& word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t best_distance = std::max<std::size_t>(2, word.size() / 2);
  for (const auto& candidate : candidates) {
    const auto distance = edit_distance(word, candidate);
    if (distance < best_distance) best = candidate, best_distance = distance;
  }
  return best.empty() ? best : ", did you mean " + best + "?";
}

bool fits(const std::string& pattern, const std::string& text) {
  return ::fnmatch(pattern.c_str(), text.c_str(), FNM_NOESCAPE) == 0;
}

std::vector<Match> matches(const std::string& expression, const std::string& text, bool any_case) {
  ::regex_t compiled;
  if (::regcomp(&compiled, expression.c_str(), REG_EXTENDED | (any_case ? REG_ICASE : 0)) != 0)
    throw std::invalid_argument("no regular expression: " + expression);
  std::vector<Match> found;
  std::vector<::regmatch_t> parts(compiled.re_nsub + 1);
  for (std::size_t from = 0; from <= text.size();
       from += static_cast<std::size_t>(parts[0].rm_eo + (parts[0].rm_eo == parts[0].rm_so))) {
    const char* const rest = text.c_str() + from;
    if (::regexec(&compiled, rest, parts.size(), parts.data(), from > 0 ? REG_NOTBOL : 0) != 0) break;
    auto& match = found.emplace_back(Match{from + static_cast<std::size_t>(parts[0].rm_so), {}});
    for (const auto& part : parts)
      match.groups.push_back(part.rm_so < 0 ? std::string() : std::string(rest + part.rm_so, rest + part.rm_eo));
  }
  ::regfree(&compiled);
  return found;
}

}  // namespace roofline
