#pragma once
#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <stdexcept>
#include <string>

#include "bench/suite/suite.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"
#include "tests/command_line.hpp"

namespace roofline::testing {

/// A Hopper, or another generation, of one SM at `clock` Hz, with little memory: on its clock a ceiling's milliseconds
/// are some thousand instructions, so that a whole run with times, ceilings and sweeps takes seconds. Its file, written
/// into `folder`.
inline std::string small_device(const Scratch& folder, double clock = 1e6, int capability = 90) {
  auto device = parse_json(known_devices().at("h100"), "");
  device["name"] = "small";
  const auto set = [](nlohmann::ordered_json& part, const char* key, const nlohmann::ordered_json& value) {
    part[key] = {{"value", value}, {"source", "made up"}};
  };
  set(device["sm"], "count", 1), set(device["sm"], "clock", clock);
  set(device["l2"], "size", 256 << 10);
  set(device["product"], "capability", capability), set(device["product"], "memory", 16 << 20),
      set(device["product"], "bus_width", 64);
  set(device["product"], "memory_clock", 8 * clock);
  auto& ceilings = device["ceilings"];
  const auto of_tensor = [](const nlohmann::ordered_json& ceiling) { return ceiling["resource"] == "tensor"; };
  ceilings.erase(std::remove_if(ceilings.begin(), ceilings.end(), of_tensor), ceilings.end());
  for (auto& ceiling : ceilings) {
    const std::map<std::string, int> per_cycle{{"fma", 128}, {"nofma", 64}, {"L1", 128}, {"L2", 96}, {"DRAM", 64}};
    set(ceiling, "rate", clock * per_cycle.at(ceiling["resource"].get<std::string>()));
  }
  const auto file = folder / "small.json";
  std::ofstream(file) << device;
  return file;
}

/// The rows of a family on a GPU.
inline Suite gpu_rows(const std::string& family, const Sizes& sizes, const Gpu& gpu = {},
                      Launches launches = Launches::timed) {
  Suite suite({Platform::cuda, {}, 1, {}, gpu});
  suite.set_launches(launches);
  for (const auto& [about, ports] : families())
    if (about.name == family) ports.at(Platform::cuda).add(suite, sizes);
  return suite;
}

/// The data of the row with that name.
inline Workload made(const Suite& rows, const std::string& name) {
  for (const auto& row : rows.variants())
    if (row.name == name) return row.make();
  throw std::logic_error("no row " + name);
}

}  // namespace roofline::testing
