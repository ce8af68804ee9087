#pragma once
#include <cmath>
#include <functional>
#include <nlohmann/json.hpp>
#include <random>
#include <string>

namespace roofline::testing {

using Json = nlohmann::ordered_json;

/// The run.json of a node that was never there: six rows of DRAM and eight of the core. `factor` scales each rate.
inline Json node_json(const std::string& host, const std::function<double(bool memory)>& factor) {
  Json run = {{"context", {{"host_name", host}}},
              {"benchmarks", Json::array()},
              {"roofline",
               {{"schema", 2},
                {"date", "2026-11-26T10:00:00Z"},
                {"threads", 2},
                {"machine",
                 {{"name", "Made Up"},
                  {"usable_cores", 2},
                  {"isa", "avx512"},
                  {"huge_pages", "always"},
                  {"memory_bytes", 64e9},
                  {"clock_hz", 3e9},
                  {"fingerprint", "made up, 2 cores"}}},
                {"ceilings", Json::array()},
                {"points", Json::array()}}}};
  auto& block = run["roofline"];
  for (const auto* const mix : {"read", "copy", "triad"})
    block["ceilings"].push_back({{"name", std::string("ceiling/bandwidth/DRAM/") + mix},
                                 {"kind", "bandwidth"},
                                 {"level", "DRAM"},
                                 {"mix", mix},
                                 {"rate", 1e11 * factor(true)}});
  for (const auto* const operation : {"fma", "add", "mul", "div"})
    block["ceilings"].push_back({{"name", std::string("ceiling/flops/fp64/") + operation},
                                 {"kind", "compute"},
                                 {"level", "DRAM"},  // the default of a field that does not apply
                                 {"precision", "fp64"},
                                 {"operation", operation},
                                 {"rate", 2e11 * factor(false)}});
  for (int i = 0; i < 7; ++i)
    block["points"].push_back({{"name", "kernel/" + std::to_string(i)},
                               {"time", {{"median", 1e-3 / factor(i < 3)}}},
                               {"roof", {{"bound", "L2"}}},
                               {"mix", {{"bound", i < 3 ? "DRAM triad" : "fma+mul"}}}});
  return run;
}

/// One with noise: `loss` of all rows of a part.
struct Node {
  std::string host;
  double memory_loss = 0, core_loss = 0;
};
inline Json noisy_node(const Node& node, std::mt19937& random, double noise = 0.005) {
  std::normal_distribution<double> normal(0, noise);
  const double base = normal(random);
  return node_json(node.host, [&](bool memory) {
    return std::exp(base + normal(random)) * (1 - (memory ? node.memory_loss : node.core_loss));
  });
}

}  // namespace roofline::testing
