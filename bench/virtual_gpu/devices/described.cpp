#include "bench/virtual_gpu/devices/described.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <iterator>
#include <nlohmann/json.hpp>
#include <vector>

#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/devices/known_devices.hpp"

namespace roofline {
namespace {

using Json = nlohmann::ordered_json;

constexpr unsigned l1_line = 128, l1_sets = 4;

struct Generation {
  int capability;       ///< 90 is 9.0
  const char* like;     ///< the known device that everything else is taken from
  unsigned fp64, fp32;  ///< lanes of an SM
  unsigned warps, blocks;
  unsigned l1_kib;  ///< with shared memory
  std::vector<unsigned> shared_kib;
  unsigned l2_halves;
  bool merges_reads = false;  ///< of L2
};

// CUDA C++ Programming Guide, technical specifications per compute capability, and throughput of native arithmetic
// instructions. Halves of L2: A100 whitepaper, measured on an H100; a B200 has two dies.
// CUPTI has counters of a coalescer (lrc__) for GH100 and GB100, for no chip of the others.
const Generation* generation_of(int capability) {
  static const std::array generations{
      Generation{70, "v100", 32, 64, 64, 32, 128, {0, 8, 16, 32, 64, 96}, 1},
      Generation{75, "v100", 2, 64, 32, 16, 96, {32, 64}, 1},
      Generation{80, "a100", 32, 64, 64, 32, 192, {0, 8, 16, 32, 64, 100, 132, 164}, 2},
      Generation{86, "a100", 2, 128, 48, 16, 128, {0, 8, 16, 32, 64, 100}, 1},
      Generation{87, "a100", 2, 128, 48, 16, 192, {0, 8, 16, 32, 64, 100, 132, 164}, 1},
      Generation{89, "a100", 2, 128, 48, 24, 128, {0, 8, 16, 32, 64, 100}, 1},
      Generation{90, "h100", 64, 128, 64, 32, 256, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 2, true},
      Generation{100, "h100", 64, 128, 64, 32, 256, {0, 8, 16, 32, 64, 100, 132, 164, 196, 228}, 2, true},
      Generation{120, "h100", 2, 128, 48, 24, 128, {0, 8, 16, 32, 64, 100}, 1},
  };
  const auto* const found = std::find_if(generations.begin(), generations.end(),
                                         [&](const Generation& g) { return g.capability == capability; });
  return found == generations.end() ? nullptr : found;
}

void set(Json& part, const char* key, const Json& value, const char* source) {
  part[key] = {{"value", value}, {"source", source}};
}

constexpr const char* told = "told by the driver";
constexpr const char* of_capability = "CUDA C++ Programming Guide, technical specifications per compute capability";

/// An L2 bandwidth takes part in the order of warps in one of the schedules alone.
void set_ceilings(Json& ceilings, const Gpu& gpu, const Generation& generation) {
  const double cycles = gpu.sms * gpu.clock_hz, lanes = generation.fp64;
  constexpr double l1_bytes = 128, l2_bytes = 32;
  const auto rate = [&](const Json& ceiling) -> std::optional<double> {
    const auto resource = ceiling["resource"].get<std::string>();
    if (resource == "fma") return 2 * lanes * cycles;
    if (resource == "nofma") return lanes * cycles;
    if (resource == "L1") return l1_bytes * cycles;
    if (resource == "L2") return l2_bytes * cycles;
    return dram_theory(gpu);
  };
  Json kept = Json::array();
  for (auto ceiling : ceilings) {
    if (ceiling["resource"] == "tensor") continue;
    ceiling.erase("theory");
    if (const auto known = rate(ceiling))
      set(ceiling, "rate", *known,
          ceiling["resource"] == "L2" ? "assumed: 32 B per cycle and SM; published ones reach 24 to 47"
                                      : "units of the compute capability at the clock that the driver tells");
    ceiling["method"] = "theoretical, from attributes";
    kept.push_back(std::move(ceiling));
  }
  ceilings = std::move(kept);
}

}  // namespace

std::string described(const Gpu& gpu) {
  const auto* const generation = generation_of(10 * gpu.major + gpu.minor);
  if (!generation || gpu.sms <= 0 || gpu.l2_bytes <= 0) return {};
  auto device = parse_json(std::string(known_devices().at(generation->like)), "");
  device["name"] = gpu.name;
  device["description"] =
      fmt::format("{}, {} SMs, from its attributes; else as {}", gpu.name, gpu.sms, generation->like);

  auto& sm = device["sm"];
  set(sm, "count", gpu.sms, told);
  if (gpu.clock_hz > 0) set(sm, "clock", gpu.clock_hz, told);
  set(sm, "fp64_lanes", generation->fp64, of_capability);
  set(sm, "warps", generation->warps, of_capability);
  set(sm, "blocks", generation->blocks, of_capability);
  Json options = Json::array();
  for (const auto kib : generation->shared_kib) options.push_back(kib << 10);
  set(sm, "shared_options", options, of_capability);

  auto& l1 = device["l1"];
  set(l1, "size", generation->l1_kib << 10, of_capability);
  set(l1, "ways", (generation->l1_kib << 10) / l1_line / l1_sets, "4 sets, as the known devices");
  auto& l2 = device["l2"];
  const auto unit =
      l2["line"]["value"].get<std::uint64_t>() * l2["ways"]["value"].get<std::uint64_t>() * generation->l2_halves;
  set(l2, "size", static_cast<std::uint64_t>(gpu.l2_bytes) / unit * unit, told);
  set(l2, "halves", generation->l2_halves, "as the known devices of the generation; one where none is known");

  if (!generation->merges_reads) device.erase("coalescer");

  auto& product = device["product"];
  set(product, "capability", generation->capability, told);
  set(product, "fp32_lanes", generation->fp32, of_capability);
  if (gpu.memory_bytes > 0) set(product, "memory", static_cast<std::uint64_t>(gpu.memory_bytes), told);
  if (dram_theory(gpu)) {
    set(product, "bus_width", gpu.bus_bits, told);
    set(product, "memory_clock", gpu.memory_clock_hz, told);
  }
  if (gpu.clock_hz > 0) set_ceilings(device["ceilings"], gpu, *generation);
  return device.dump();
}

const std::vector<Gpu>& published_cards() {
  constexpr double mib = 1 << 20, gib = 1 << 30, mhz = 1e6;
  static const std::vector<Gpu> cards{
      // NVIDIA Ada GPU architecture whitepaper, GeForce RTX 4090: 1008 GB/s
      {.name = "rtx4090",
       .major = 8,
       .minor = 9,
       .sms = 128,
       .clock_hz = 2520 * mhz,
       .memory_bytes = 24 * gib,
       .l2_bytes = 72 * mib,
       .memory_clock_hz = 10500 * mhz,
       .bus_bits = 384},
      // NVIDIA L4 data sheet: 30.3 TFLOP/s FP32, 300 GB/s; Ada whitepaper: AD104 with 48 MB
      {.name = "l4",
       .major = 8,
       .minor = 9,
       .sms = 58,
       .clock_hz = 2040 * mhz,
       .memory_bytes = 24 * gib,
       .l2_bytes = 48 * mib,
       .memory_clock_hz = 6250 * mhz,
       .bus_bits = 192},
      // NVIDIA A10 data sheet: 31.2 TFLOP/s FP32, 600 GB/s; Ampere GA102 whitepaper: 6 MB
      {.name = "a10",
       .major = 8,
       .minor = 6,
       .sms = 72,
       .clock_hz = 1695 * mhz,
       .memory_bytes = 24 * gib,
       .l2_bytes = 6 * mib,
       .memory_clock_hz = 6250 * mhz,
       .bus_bits = 384},
      // NVIDIA GH200 data sheet: 96 GB HBM3, 4 TB/s; L2 as an H200, which has the same chip
      {.name = "gh200",
       .major = 9,
       .minor = 0,
       .sms = 132,
       .clock_hz = 1980 * mhz,
       .memory_bytes = 96 * gib,
       .l2_bytes = 60 * mib,
       .memory_clock_hz = 2604 * mhz,
       .bus_bits = 6144},
      // NVIDIA Blackwell tuning guide: 126 MB; 148 SMs: Chips and Cheese, "Nvidia's B200"; data sheet: 8 TB/s, 37
      // TFLOP/s FP64
      {.name = "b200",
       .major = 10,
       .minor = 0,
       .sms = 148,
       .clock_hz = 1965 * mhz,
       .memory_bytes = 180 * gib,
       .l2_bytes = 126 * mib,
       .memory_clock_hz = 3906 * mhz,
       .bus_bits = 8192},
      // NVIDIA H100 architecture whitepaper and data sheet, PCIe: 114 SMs, 26 TFLOP/s FP64, 2 TB/s
      {.name = "h100-pcie",
       .major = 9,
       .minor = 0,
       .sms = 114,
       .clock_hz = 1755 * mhz,
       .memory_bytes = 80 * gib,
       .l2_bytes = 50 * mib,
       .memory_clock_hz = 1593 * mhz,
       .bus_bits = 5120},
  };
  return cards;
}

}  // namespace roofline
