#pragma once
#include <algorithm>
#include <cmath>
#include <string>

#include "bench/model/ceiling.hpp"
#include "bench/result/results.hpp"

namespace roofline::example {

/// A made-up run with the proportions of a real one: two AVX-512 cores, every family of the suite.
inline Ceiling compute(Operation operation, double gflops, const std::string& isa = "avx512", bool ilp = true,
                       int threads = 2, const std::string& precision = "fp64") {
  Ceiling c;
  c.threads = threads, c.precision = precision, c.operation = operation, c.isa = isa, c.ilp = ilp;
  c.rate = gflops * 1e9, c.rate_low = c.rate * 0.998, c.rate_high = c.rate * 1.001, c.samples = 15;
  c.rate_median = c.rate * 0.999;
  if (operation != Operation::div && operation != Operation::divfma && ilp) c.theory = c.rate / 0.985;
  c.variant = ilp ? "12 chains" : "1 chain";
  c.name = ceiling_name(c);
  return c;
}

inline Ceiling memory(MemoryLevel level, const std::string& mix, double gbytes, int threads = 2) {
  Ceiling c;
  c.kind = Ceiling::Kind::bandwidth;
  c.threads = threads, c.level = level, c.mix = mix_of(mix).value(),
  c.working_set = 32768.0 * std::pow(16, static_cast<int>(level));
  c.rate = gbytes * 1e9, c.rate_low = c.rate * 0.99, c.rate_high = c.rate * 1.006, c.samples = 15;
  c.rate_median = c.rate * 0.997;
  const double allocating = mix == "write" ? 2 : mix == "copy" ? 3.0 / 2 : mix == "triad" ? 4.0 / 3 : 1;
  if (level != MemoryLevel::L1) c.bytes_per_explicit_byte = allocating;
  c.name = ceiling_name(c);
  return c;
}

inline Roofline roofline() {
  using O = Operation;
  using L = MemoryLevel;
  return Roofline({compute(O::fma, 258),
                   compute(O::nofma, 222),
                   compute(O::add, 129),
                   compute(O::mul, 128.6),
                   compute(O::div, 16.2),
                   compute(O::fma, 129.4, "avx2"),
                   compute(O::fma, 32.4, "scalar"),
                   compute(O::fma, 65, "avx512", false),
                   compute(O::fma, 130, "avx512", true, 1),
                   compute(O::fma, 516, "avx512", true, 2, "fp32"),  //
                   memory(L::L1, "read", 1000),
                   memory(L::L1, "write", 410),
                   memory(L::L1, "copy", 760),
                   memory(L::L1, "triad", 790),
                   memory(L::L2, "read", 480),
                   memory(L::L2, "write", 300),
                   memory(L::L2, "copy", 420),
                   memory(L::L2, "triad", 440),
                   memory(L::L3, "read", 220),
                   memory(L::L3, "write", 150),
                   memory(L::L3, "copy", 190),
                   memory(L::L3, "triad", 200),
                   memory(L::DRAM, "read", 51),
                   memory(L::DRAM, "write", 48.2),
                   memory(L::DRAM, "write_nt", 40.5),
                   memory(L::DRAM, "copy", 65.9),
                   memory(L::DRAM, "triad", 63),
                   memory(L::DRAM, "update", 62.1),
                   memory(L::DRAM, "stride:8", 7.9),
                   memory(L::DRAM, "random", 1.62),
                   memory(L::DRAM, "copy", 38, 1)},
                  2);
}

struct Bytes {
  double read = 0, written = 0;
};

/// Six rounds of two samples next to a probe that gives what its ceiling does: shares within 1 % of the one in the
/// middle.
inline void add_rounds(const Roofline& roofline, KernelPoint& p, double spread = 0.01) {
  const auto* const dram = roofline.bandwidth(MemoryLevel::DRAM);
  p.samples.clear();
  p.probes = {{dram ? dram->name : "", {}}};
  for (int round = 0; round < 6; ++round) {
    const double seconds = p.time.median * (1 + spread * (round - 2.5) / 2.5);
    for (const double half : {0, 1}) p.samples.push_back({round, 2.0 * round + half, seconds});
    p.probes.front().rates.push_back(dram ? dram->rate : 0);
  }
}

/// A point of `sites` sites whose time makes `efficiency` of the roof of its own mixes. No bytes: the level is unknown.
inline KernelPoint point(const Roofline& roofline, const std::string& name, double sites, Operations per_site,
                         std::array<Bytes, 4> bytes, double efficiency, bool fma = true) {
  KernelPoint p;
  p.name = name, p.family = name.substr(0, name.find('/')), p.fma = fma, p.threads = 2;
  const auto n = static_cast<std::uint64_t>(sites);
  p.counts.operations = {n * per_site.add, n * per_site.mul, n * per_site.fma, n * per_site.div};
  p.declared_flops = p.counts.operations.flops();
  for (std::size_t l = 0; l < 4; ++l)
    if (bytes[l].read + bytes[l].written > 0)
      p.counts.traffic[l] = Traffic{bytes[l].read * sites, bytes[l].written * sites};
  p.counts.traffic_note = "LRU 48K/12 1M/16 32M/16";
  const double flops = static_cast<double>(p.counts.operations.flops());
  const auto dram = p.counts.at(MemoryLevel::DRAM).value_or(Traffic{});
  const double least = flops > 0
                           ? flops / roofline.attainable_mix(p.counts)->rate
                           : dram.total() / roofline.matching_mix(MemoryLevel::DRAM, dram.written / dram.total())->rate;
  p.time.median = least / efficiency, p.time.low = p.time.median * 0.996, p.time.high = p.time.median * 1.007;
  add_rounds(roofline, p);
  return p;
}

inline void add_gpp(Results& results, bool all) {
  for (const int nw : {1, 2, 3, 4, 5, 6}) {
    if (!all && nw != 1 && nw != 3 && nw != 6) continue;
    for (const bool fma : {true, false})
      for (const int stride : {1, 2, 8}) {
        const auto w = static_cast<std::uint64_t>(nw);
        const Operations operations =
            fma ? Operations{2 + 2 * w, 2 + 6 * w, 2 + 9 * w, 2 * w} : Operations{4 + 11 * w, 4 + 15 * w, 0, 2 * w};
        const double lines = std::min(stride, 4), l2 = (18 + 4.0 * nw) * lines;
        const double efficiency = stride == 1   ? (fma ? 0.97 - 0.035 * nw : 0.97 - 0.012 * nw)
                                  : stride == 2 ? 0.84 - 0.025 * nw
                                                : 0.97 + 0.002 * nw;
        results.points.push_back(
            point(results.roofline,
                  "gpp/nw:" + std::to_string(nw) + "/fma:" + std::to_string(fma) + "/stride:" + std::to_string(stride),
                  4e6, operations, {{{48, 0}, {l2, 0}, {17.6 * lines, 0}, {17.4 * lines, 0}}}, efficiency, fma));
      }
  }
}

/// `all`: all six nw of GPP, as the full run has them; otherwise the default subset 1, 3, 6.
inline Results results(bool all = true) {
  Results r;
  r.roofline = roofline();
  Machine& m = r.machine;
  m.name = "AMD EPYC", m.vendor = "AuthenticAMD", m.cpus = {0, 1}, m.usable_cores = 2, m.isa = "avx512";
  m.caches = {{MemoryLevel::L1, 48 << 10, 12, 64, 1},
              {MemoryLevel::L2, 1 << 20, 16, 64, 1},
              {MemoryLevel::L3, 32 << 20, 16, 64, 2}};
  m.cache_note = "CPUID tells 384 MiB of L3: working sets of DRAM are sized from it";
  m.memory_bytes = 25.2e9, m.huge_pages = "madvise", m.clock_hz = 4.08e9;
  r.ceilings_origin = {CeilingsOrigin::Kind::measured, "measured in this run"}, r.date = "2026-11-20T13:12:00+00:00";
  r.command_line = "roofline_bench --out=roofline-out";

  const auto add = [&](const std::string& name, double sites, Operations operations, std::array<Bytes, 4> bytes,
                       double efficiency) {
    r.points.push_back(point(r.roofline, name, sites, operations, bytes, efficiency));
  };
  const double n = 33554432;
  const Bytes copied{16, 8}, summed{24, 8};
  add("stream/copy/n:33554432", n, {}, {{{8, 8}, copied, copied, copied}}, 0.993);
  add("stream/scale/n:33554432", n, {0, 1, 0, 0}, {{{8, 8}, copied, copied, copied}}, 0.981);
  add("stream/add/n:33554432", n, {1, 0, 0, 0}, {{{16, 8}, summed, summed, summed}}, 0.951);
  add("stream/triad/n:33554432", n, {0, 0, 1, 0}, {{{16, 8}, summed, summed, summed}}, 0.948);
  add("stream/dot/n:33554432", n, {0, 0, 1, 0}, {{{16, 0}, {16, 0}, {16, 0}, {16, 0}}}, 0.77);
  const std::array<Bytes, 4> stencil{{{56, 8}, {32.9, 8.2}, {16.7, 8.2}, {16.7, 8.2}}};
  add("stencil/7pt/n:256", 16777216, {5, 1, 0, 0}, stencil, 0.913);
  add("stencil/7pt_8flop/n:256", 16777216, {5, 1, 1, 0}, stencil, 0.905);
  add_gpp(r, all);
  const double cells = 2097152;
  add("gsrb/fp/op:fv4/level:7", cells, {50, 10, 27, 0}, {{{680, 8}, {260, 9}, {104, 9}, {96, 9}}}, 0.87);
  add("gsrb/branch/op:fv4/level:7", cells, {25, 5, 13, 0}, {{{345, 8}, {258, 9}, {104, 9}, {96, 9}}}, 0.84);
  add("gsrb/stride2/op:fv4/level:7", cells, {25, 5, 13, 0}, {{{345, 16}, {258, 18}, {104, 17}, {96, 17}}}, 0.79);
  add("gsrb/fp/op:7pt/level:7", cells, {10, 4, 4, 0}, {{{120, 8}, {90, 9}, {72, 9}, {64, 9}}}, 0.91);
  add("gsrb/branch/op:7pt/level:7", cells, {5, 2, 2, 0}, {{{64, 8}, {90, 9}, {72, 9}, {64, 9}}}, 0.9);
  add("gsrb/stride2/op:7pt/level:7", cells, {5, 2, 2, 0}, {{{64, 16}, {90, 18}, {72, 17}, {64, 17}}}, 0.82);
  const Bytes populations{296, 296};
  const double site_bytes[] = {19000, 19000, 2400, 1500, 600};
  const double ladder[] = {0.17, 0.25, 0.44, 0.55, 0.655};
  for (int v = 0; v < 5; ++v)
    add("lbm/collide/v" + std::to_string(v) + "/nx:512/ny:512", 262144,
        v < 2 ? Operations{1500, 1360, 1806, 0} : Operations{1480, 1340, 1820, 0},
        {{{site_bytes[v], 310}, {v < 2 ? 700.0 : 300.0, 300}, populations, populations}}, ladder[v]);
  add("lbm/propagate/nx:512/ny:512", 262144, {}, {{{296, 296}, {592, 296}, {592, 296}, {592, 296}}}, 0.88);
  add_rounds(r.roofline, r.points.back(), 0.09);  // not resolved
  r.rounds = 6, r.timer.run_seconds = 46;
  assess(r);
  return r;
}

}  // namespace roofline::example
