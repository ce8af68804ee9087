
#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <memory>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "microkernels/cuda/measured.hpp"
#include "microkernels/cuda/memory/bandwidth.hpp"
#include "microkernels/cuda/memory/pcie_link.hpp"
#include "microkernels/cuda/memory/working_set.hpp"

namespace roofline {
namespace {

/// One direction, between memory of its own on both sides. A stream of its own, which waits for the default one's work
/// and which that one waits for, so that two can be under way between two events of the default stream.
class OneWay {
 public:
  OneWay(Index words, bool to_device)
      : words_(words),
        to_device_(to_device),
        host_(static_cast<std::size_t>(words) * 8),
        device_(words),
        verdict_(2),
        stream_(new_stream(), [](cudaStream_t stream) {
          if (cuda::usable()) cudaStreamDestroy(stream);
        }) {
    if (to_device_) {
      for (Index i = 0; i < 2 * words_; ++i) halves()[i] = sweep_b(static_cast<std::uint32_t>(i));
    } else {
      cuda::require(launch_fill(nullptr, vectors(), nullptr, n_vectors()), "launch of the fill kernel");
      cuda::finish();
    }
  }

  void start() const {
    void *const here = host_.data(), *const there = device_.data();
    cuda::require(
        cudaMemcpyAsync(to_device_ ? there : here, to_device_ ? here : there, static_cast<std::size_t>(words_) * 8,
                        to_device_ ? cudaMemcpyHostToDevice : cudaMemcpyDeviceToHost, stream_.get()),
        "cudaMemcpyAsync");
  }

  Check check() const {
    cuda::finish();
    if (!to_device_) {
      for (Index i = 0; i < 2 * words_; ++i)
        if (const auto want = sweep_b(static_cast<std::uint32_t>(i)); halves()[i] != want)
          return {false, fmt::format("word {}: got {:#x}, expected {:#x}", i, halves()[i], want)};
      return {};
    }
    verdict_.clear();
    cuda::require(launch_verify(CudaMix::copy, vectors(), n_vectors(), 1, verdict_.data()), "the check");
    const auto wrong = verdict_.download()[0];
    if (wrong == 0) return {};
    return {false, fmt::format("{} of {} vectors are wrong on the device", wrong, n_vectors())};
  }

 private:
  static cudaStream_t new_stream() {
    cudaStream_t stream = nullptr;
    cuda::require(cudaStreamCreate(&stream), "cudaStreamCreate");
    return stream;
  }
  std::uint32_t* halves() const { return static_cast<std::uint32_t*>(host_.data()); }
  Vector16* vectors() const { return reinterpret_cast<Vector16*>(device_.data()); }
  std::uint64_t n_vectors() const { return static_cast<std::uint64_t>(words_) / 2; }

  Index words_;  ///< of 64 bits
  bool to_device_;
  PinnedMemory host_;
  DeviceWords device_, verdict_;
  std::shared_ptr<CUstream_st> stream_;
};

/// Copies of so many words in each of `directions`, true is to the device, at the same time.
CeilingWork copies(Index words, const std::vector<bool>& directions) {
  const auto ways = std::make_shared<std::vector<OneWay>>();
  for (const bool to_device : directions) ways->emplace_back(words, to_device);
  CeilingWork work;
  work.launch = [=] {
    for (const auto& way : *ways) way.start();
  };
  work.time = cuda::event_timer(work.launch);
  work.check = [=]() -> Check {
    for (const auto& way : *ways)
      if (auto check = way.check(); !check.ok) return check;
    return {};
  };
  work.work = 8.0 * static_cast<double>(words) * static_cast<double>(ways->size());
  work.variant = ways->size() == 1 ? "page-locked, one copy engine" : "page-locked, two copy engines";
  return work;
}

}  // namespace

std::vector<CudaMemoryCeiling> cuda_transfers(const Gpu& gpu) {
  const double bytes = cuda_ceiling_set(gpu, MemoryLevel::sysmem);
  std::vector<CudaMemoryCeiling> all;
  const auto add = [&](Mix mix, const std::vector<bool>& directions) {
    all.push_back({mix, bytes, {[=] { return copies(static_cast<Index>(bytes / 8), directions); }}});
  };
  add(Mix::h2d, {true}), add(Mix::d2h, {false});
  int engines = 0;
  if (cudaDeviceGetAttribute(&engines, cudaDevAttrAsyncEngineCount, gpu.index) != cudaSuccess) cudaGetLastError();
  if (engines > 1) add(Mix::both_ways, {true, false});
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
