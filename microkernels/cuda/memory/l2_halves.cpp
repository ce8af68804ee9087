#include "microkernels/cuda/memory/l2_halves.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <algorithm>
#include <memory>
#include <optional>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "microkernels/cuda/measured.hpp"
#include "microkernels/cuda/memory/l2_sides.hpp"
#include "microkernels/cuda/memory/working_set.hpp"

namespace roofline {
namespace {

constexpr Index chunk_bytes = l2_chunk_vectors * sizeof(Vector16);

/// More than half of what an SM has: one block fits.
std::size_t shared_bytes_of_an_sm() {
  return static_cast<std::size_t>(cuda::attribute(cudaDevAttrMaxSharedMemoryPerBlockOptin));
}

/// The chunks, the SMs, and who is near to whom. Made when the first ceiling needs it, kept for the others.
struct Probed {
  Gpu gpu;
  int chunks;
  std::size_t shared_bytes;
  DeviceWords data;
  std::vector<int> sm_ids;  ///< by row of the latencies
  L2Halves halves;

  Probed(const Gpu& device, double set_bytes)
      : gpu(device),
        chunks(static_cast<int>(set_bytes / static_cast<double>(chunk_bytes))),
        shared_bytes(shared_bytes_of_an_sm()),
        data(chunks * chunk_bytes / 8) {
    cuda::require(
        launch_fill(nullptr, vectors(), nullptr, std::uint64_t{l2_chunk_vectors} * static_cast<unsigned>(chunks)),
        "launch of the fill kernel");
    const cuda::DeviceBuffer<int> out(Index{gpu.sms} * (chunks + 1));
    cuda::require(launch_l2_probe(reinterpret_cast<std::uint32_t*>(data.data()), chunks, gpu.sms, shared_bytes,
                                  reinterpret_cast<std::uint32_t*>(out.data())),
                  "launch of the L2 probe");
    std::vector<int> words(static_cast<std::size_t>(out.size()));
    out.download(words.data());
    std::vector<float> latency;
    for (auto row = words.begin(); row != words.end(); row += chunks + 1) {
      sm_ids.push_back(*row);
      for (auto cycles = row + 1; cycles != row + 1 + chunks; ++cycles)
        latency.push_back(static_cast<float>(*cycles) / l2_probe_steps);
    }
    auto ids = sm_ids;
    std::sort(ids.begin(), ids.end());
    if (ids.front() < 0 || ids.back() >= most_sm_ids || std::adjacent_find(ids.begin(), ids.end()) != ids.end())
      throw NoSuchCeiling("the blocks of the L2 probe did not get an SM each");
    std::string why_none;
    const auto found = find_l2_halves(latency, gpu.sms, chunks, why_none);
    if (!found) throw NoSuchCeiling(why_none);
    halves = *found;
  }

  Vector16* vectors() const { return reinterpret_cast<Vector16*>(data.data()); }
};

struct HalvesState {
  std::shared_ptr<Probed> probed;
  ChunkDeal deal;
  cuda::DeviceBuffer<int> chunk, place_of_sm;
  DeviceWords out;
  L2Read read;

  HalvesState(std::shared_ptr<Probed> p, bool far, int unroll)
      : probed(std::move(p)),
        deal(deal_chunks(probed->halves, far, l2_read_unit(unroll))),
        chunk(deal.chunk.data(), static_cast<Index>(deal.chunk.size())),
        place_of_sm(places().data(), most_sm_ids),
        out(Index{probed->gpu.sms} * (2 + l2_read_threads)) {
    if (deal.per_sm == 0) throw NoSuchCeiling("a half of L2 is too small for the SMs that are near to it");
    read = {probed->vectors(), chunk.data(), place_of_sm.data(), deal.per_sm, 1, out.data()};
  }

  std::vector<int> places() const {
    std::vector<int> place(most_sm_ids);
    for (std::size_t row = 0; row < probed->sm_ids.size(); ++row)
      place[static_cast<std::size_t>(probed->sm_ids[row])] = static_cast<int>(row);
    return place;
  }

  Check check() const {
    std::uint32_t sum = 0, expected = 0;
    const auto words = out.download();
    for (std::size_t i = 2 * static_cast<std::size_t>(probed->gpu.sms); i < words.size(); ++i)
      sum += static_cast<std::uint32_t>(words[i]);
    constexpr std::uint64_t n = 4 * l2_chunk_vectors;
    for (const int c : deal.chunk) expected += sum_of_sweep_b(n * static_cast<unsigned>(c), n);
    expected *= static_cast<std::uint32_t>(read.sweeps);
    if (sum == expected) return {};
    return {false, fmt::format("the sum of {} chunks over {} sweeps is {}, expected {} (modulo 2^32)",
                               deal.chunk.size(), read.sweeps, sum, expected)};
  }
};

/// Throws NoSuchCeiling where there are too few SMs or too little L2, as on a part of a GPU.
std::shared_ptr<Probed> probe(const Gpu& gpu, double set_bytes) {
  if (!can_tell_l2_halves(gpu.sms, static_cast<int>(set_bytes / static_cast<double>(chunk_bytes))))
    throw NoSuchCeiling(
        fmt::format("{} SMs and {:.0f} KiB of L2 are too little to tell its halves", gpu.sms, gpu.l2_bytes / 1024));
  return std::make_shared<Probed>(gpu, set_bytes);
}

CeilingWork read_half(std::shared_ptr<Probed> probed, bool far, int unroll) {
  const auto state = std::make_shared<HalvesState>(std::move(probed), far, unroll);
  const auto run = [=](int sweeps) {
    state->read.sweeps = sweeps;
    cuda::require(launch_l2_read(state->read, unroll, state->probed->gpu.sms, state->probed->shared_bytes),
                  "launch of a read from one half of L2");
  };
  const int sweeps = calibrate_cuda(run);
  CeilingWork work;
  work.launch = [=] { run(sweeps); };
  work.time = cuda::event_timer(work.launch);
  work.check = [=] { return state->check(); };
  work.clock = [=] { return clock_of(state->out, state->probed->gpu.sms); };
  work.work = static_cast<double>(chunk_bytes) * static_cast<double>(state->deal.chunk.size()) * sweeps;
  const auto& halves = state->probed->halves;
  work.variant = fmt::format("{} x 16 B in flight, 32 warps/SM; atomics {:.0f} cycles near, {:.0f} far", unroll,
                             halves.near_cycles, halves.far_cycles);
  return work;
}

bool may_have_halves(const Gpu& gpu) { return (gpu.major == 8 && gpu.minor == 0) || gpu.major == 9 || gpu.major == 10; }

}  // namespace

std::vector<CudaMemoryCeiling> cuda_l2_halves(const Gpu& gpu) {
  if (!may_have_halves(gpu)) return {};
  const double set_bytes = cuda_working_set(gpu, MemoryLevel::L2);
  const auto shared = std::make_shared<std::shared_ptr<Probed>>();
  std::vector<CudaMemoryCeiling> all;
  for (const bool far : {false, true}) {
    CudaMemoryCeiling half{far ? Mix::read_far : Mix::read_near, set_bytes, {}};
    for (const int unroll : {2, 4})
      half.make.push_back([=] {
        if (!*shared) *shared = probe(gpu, set_bytes);
        return read_half(*shared, far, unroll);
      });
    all.push_back(std::move(half));
  }
  return all;
}

}  // namespace roofline
