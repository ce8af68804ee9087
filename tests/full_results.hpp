#pragma once
#include <fmt/format.h>

#include "tests/example_results.hpp"

namespace roofline::example {

/// Between low and high, irregular and the same in every run.
inline double scattered(std::size_t index, double low, double high) {
  const double turns = static_cast<double>(index) * 0.6180339887;
  return low + (high - low) * (turns - std::floor(turns));
}

inline void add_ert(Results& results) {
  const auto add = [&](const std::string& kind, int flops, bool fma, bool resident) {
    const auto half = static_cast<std::uint64_t>(flops) / 2;
    const Operations operations = !kind.empty() ? Operations{half, 0, 0, half}
                                  : flops == 1  ? Operations{1, 0, 0, 0}
                                  : fma         ? Operations{0, 0, half, 0}
                                                : Operations{half, half, 0, 0};
    const Bytes update{8, 8}, none;
    results.points.push_back(point(
        results.roofline, fmt::format("ert/{}flops:{}/fma:{:d}/set:{}", kind, flops, fma, resident ? "L1" : "DRAM"),
        1e6, operations, resident ? std::array{update, none, none, none} : std::array{update, update, update, update},
        scattered(results.points.size(), flops < 32 ? 0.5 : 0.9, 0.99), fma));
  };
  for (const bool fma : {true, false})
    for (int flops = 1; flops <= 1024; flops *= 2)
      for (const bool resident : {false, true}) add("", flops, fma, resident);
  for (const bool fma : {true, false})
    for (const int flops : {2, 16, 128})
      for (const bool resident : {false, true}) add("div/", flops, fma, resident);
}

inline void add_every_gpp(Results& results) {
  for (const bool divides : {true, false})
    for (std::uint64_t nw = 1; nw <= 6; ++nw)
      for (const bool fma : {true, false})
        for (const int stride : {1, 2, 4, 8, 16}) {
          const Operations operations = fma ? Operations{2 + 2 * nw, 2 + 6 * nw, 2 + 9 * nw, divides ? 2 * nw : 0}
                                            : Operations{4 + 11 * nw, 4 + 15 * nw, 0, divides ? 2 * nw : 0};
          const double lines = std::min(stride, 4);
          results.points.push_back(point(
              results.roofline, fmt::format("gpp/nw:{}/fma:{:d}/stride:{}{}", nw, fma, stride, divides ? "" : "/div:0"),
              4e6, operations, {{{48, 0}, {(18 + 4.0 * nw) * lines, 0}, {17.6 * lines, 0}, {17.4 * lines, 0}}},
              scattered(results.points.size(), 0.55, 0.97), fma));
        }
}

inline void add_every_gsrb(Results& results) {
  for (const char* const op : {"fv4", "7pt"})
    for (const char* const variant : {"fp", "branch", "stride2"})
      for (const bool fma : {true, false})
        for (int level = 3; level <= 8; ++level) {
          const bool wide = std::string(op) == "fv4";
          const Operations operations = wide ? Operations{25, 5, 13, 0} : Operations{5, 2, 2, 0};
          const double factor = std::string(variant) == "fp" ? 2 : 1;
          const Bytes loads{(wide ? 345 : 64) / factor, 8}, shared{(wide ? 258 : 90) / factor, 9},
              streamed{(wide ? 104 : 72) / factor, 9}, none;
          results.points.push_back(
              point(results.roofline, fmt::format("gsrb/{}/op:{}/level:{}{}", variant, op, level, fma ? "" : "/fma:0"),
                    std::pow(8, level), operations,
                    {{loads, shared, level > 3 ? streamed : none, level > 5 ? streamed : none}},
                    scattered(results.points.size(), 0.2, 0.9), fma));
        }
}

/// A made-up run of every variant: the 266 points that --full has on a CPU.
inline Results full_results() {
  Results r = results();
  const auto default_run = std::move(r.points);
  r.points.clear();
  add_ert(r);
  add_every_gpp(r);
  add_every_gsrb(r);
  const auto add_family = [&](const std::string& family) {
    for (const auto& point : default_run)
      if (point.family == family) r.points.push_back(point);
  };
  add_family("lbm");
  for (int v = 0; v < 5; ++v) {
    auto contracted = r.points[r.points.size() - 6];
    contracted.name += "/fma:0", contracted.fma = false;
    r.points.push_back(contracted);
  }
  add_family("stencil");
  add_family("stream");
  assess(r);
  return r;
}

}  // namespace roofline::example
