#include "microkernels/cuda/memory/transfers.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <memory>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "microkernels/cuda/measured.hpp"
#include "microkernels/cuda/memory/bandwidth.hpp"
#include "microkernels/cuda/memory/pcie_link.hpp"
#include "microkernels/cuda/memory/pinned.hpp"
#include "microkernels/cuda/memory/working_set.hpp"

namespace roofline {
namespace {

struct State {
  Index words;  ///< of 64 bits
  PinnedMemory host;
  DeviceWords device, verdict;

  explicit State(Index n) : words(n), host(static_cast<std::size_t>(n) * 8), device(n), verdict(2) {}
  std::uint32_t* halves() const { return static_cast<std::uint32_t*>(host.data()); }
  Vector16* vectors() const { return reinterpret_cast<Vector16*>(device.data()); }
  std::uint64_t n_vectors() const { return static_cast<std::uint64_t>(words) / 2; }
};

CeilingWork copy(Index words, bool to_device) {
  const auto state = std::make_shared<State>(words);
  if (to_device) {
    for (Index i = 0; i < 2 * words; ++i) state->halves()[i] = sweep_b(static_cast<std::uint32_t>(i));
  } else {
    cuda::require(launch_fill(nullptr, state->vectors(), nullptr, state->n_vectors()), "launch of the fill kernel");
    cuda::finish();
  }
  CeilingWork work;
  work.launch = [=] {
    void *const here = state->host.data(), *const there = state->device.data();
    cuda::require(
        cudaMemcpyAsync(to_device ? there : here, to_device ? here : there, static_cast<std::size_t>(words) * 8,
                        to_device ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost),
        "cudaMemcpyAsync");
  };
  work.time = cuda::event_timer(work.launch);
  work.check = [=]() -> Check {
    if (!to_device) {
      cuda::finish();
      for (Index i = 0; i < 2 * words; ++i)
        if (const auto want = sweep_b(static_cast<std::uint32_t>(i)); state->halves()[i] != want)
          return {false, fmt::format("word {}: got {:#x}, expected {:#x}", i, state->halves()[i], want)};
      return {};
    }
    state->verdict.clear();
    cuda::require(launch_verify(CudaMix::copy, state->vectors(), state->n_vectors(), 1, state->verdict.data()),
                  "the check");
    const auto wrong = state->verdict.download()[0];
    if (wrong == 0) return {};
    return {false, fmt::format("{} of {} vectors are wrong on the device", wrong, state->n_vectors())};
  };
  work.work = 8.0 * static_cast<double>(words);
  work.variant = "page-locked, one copy engine";
  return work;
}

}  // namespace

std::vector<CudaTransfer> cuda_transfers(const Gpu& gpu) {
  const double bytes = cuda_ceiling_set(gpu, MemoryLevel::sysmem);
  std::vector<CudaTransfer> all;
  for (const bool to_device : {true, false})
    all.push_back(
        {to_device ? Mix::h2d : Mix::d2h, bytes, [=] { return copy(static_cast<Index>(bytes / 8), to_device); }});
  return all;
}

std::optional<double> host_link_rate(const Gpu& gpu) {
  int coherent = 0;
  char address[32] = {};
  if (cudaDeviceGetAttribute(&coherent, cudaDevAttrPageableMemoryAccessUsesHostPageTables, gpu.index) != cudaSuccess ||
      coherent || cudaDeviceGetPCIBusId(address, sizeof address, gpu.index) != cudaSuccess)
    return std::nullopt;
  return pcie_rate_of(address);
}

}  // namespace roofline
