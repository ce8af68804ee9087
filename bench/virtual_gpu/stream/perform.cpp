#include "bench/virtual_gpu/stream/perform.hpp"

#include <unistd.h>

#include <algorithm>
#include <cstring>
#include <fstream>

#include "bench/machine/interrupt.hpp"
#include "bench/virtual_gpu/stream/process.hpp"

namespace roofline::runtime {
namespace {

// Assumed: PCI Express 4.0 x16 as benchmarks find it, and what a small copy takes.
constexpr double host_link = 25e9, copy_seconds = 5e-6, fill_seconds = 2e-6;

enum class Where { host, device, both };

/// Pageable host memory is not known; pinned and managed memory is reached from both sides.
Where where(const Process& process, const void* pointer) {
  const auto allocation = process.memory->find(reinterpret_cast<std::uintptr_t>(pointer));
  if (!allocation) return Where::host;
  return allocation->origin == ptx::Origin::host || allocation->origin == ptx::Origin::managed ? Where::both
                                                                                               : Where::device;
}

/// Whether [pointer, pointer + bytes) ends within the allocation in which it begins, if it begins in one.
bool within(const Process& process, const void* pointer, std::size_t bytes) {
  const auto address = reinterpret_cast<std::uintptr_t>(pointer);
  const auto allocation = process.memory->find(address);
  return !allocation || bytes <= allocation->end() - address;
}

std::size_t extent(const CopyWork::Side& side, const CopyWork& copy) {
  return (copy.depth - 1) * side.slice + (copy.height - 1) * side.pitch + copy.width;
}

bool nothing(const CopyWork& copy) { return copy.width == 0 || copy.height == 0 || copy.depth == 0; }

/// True for the side of a copy that its kind puts on the device.
bool to_device(cudaMemcpyKind kind) { return kind == cudaMemcpyHostToDevice || kind == cudaMemcpyDeviceToDevice; }
bool from_device(cudaMemcpyKind kind) { return kind == cudaMemcpyDeviceToHost || kind == cudaMemcpyDeviceToDevice; }

bool side_fits(Where where, bool on_device) { return where == Where::both || (where == Where::device) == on_device; }

}  // namespace

cudaError_t error_of(Fault fault) {
  // Until the process is to end: one whose parent was killed would stay for ever.
  for (; fault == Fault::hang; usleep(10'000)) stop_if_interrupted();
  constexpr cudaError_t errors[] = {
      cudaErrorMemoryAllocation, cudaErrorIllegalAddress, cudaErrorMisalignedAddress,       cudaErrorLaunchFailure,
      cudaErrorLaunchTimeout,    cudaErrorUnknown,        cudaErrorStreamCaptureUnsupported};
  return errors[static_cast<int>(fault)];
}

bool is_sticky(cudaError_t error) {
  constexpr cudaError_t sticky[] = {
      cudaErrorIllegalAddress,      cudaErrorLaunchTimeout,      cudaErrorAssert,
      cudaErrorHardwareStackError,  cudaErrorIllegalInstruction, cudaErrorMisalignedAddress,
      cudaErrorInvalidAddressSpace, cudaErrorInvalidPc,          cudaErrorLaunchFailure,
      cudaErrorECCUncorrectable};
  return std::find(std::begin(sticky), std::end(sticky), error) != std::end(sticky);
}

cudaError_t check_copy(Process& process, CopyWork& copy) {
  if (nothing(copy)) return cudaSuccess;
  if (copy.kind < cudaMemcpyHostToHost || copy.kind > cudaMemcpyDefault) return cudaErrorInvalidMemcpyDirection;
  if (!copy.to.base || !copy.from.base) return cudaErrorInvalidValue;
  const auto to = where(process, copy.to.base), from = where(process, copy.from.base);
  if (copy.kind != cudaMemcpyDefault &&
      (!side_fits(to, to_device(copy.kind)) || !side_fits(from, from_device(copy.kind))))
    return cudaErrorInvalidValue;
  if (copy.height > 1 && (copy.to.pitch < copy.width || copy.from.pitch < copy.width))
    return cudaErrorInvalidPitchValue;
  if (!within(process, copy.to.base, extent(copy.to, copy)) ||
      !within(process, copy.from.base, extent(copy.from, copy)))
    return cudaErrorInvalidValue;
  return cudaSuccess;
}

cudaError_t check_fill(Process& process, const FillWork& fill) {
  if (fill.width == 0 || fill.height == 0) return cudaSuccess;
  if (where(process, fill.base) == Where::host) return cudaErrorInvalidValue;
  const auto bytes = (fill.height - 1) * fill.pitch + fill.width * fill.element;
  return within(process, fill.base, bytes) ? cudaSuccess : cudaErrorInvalidValue;
}

cudaError_t perform(Process& process, Stream& stream, const CopyWork& work) {
  auto copy = work;
  if (const auto error = check_copy(process, copy); error != cudaSuccess) return error;
  if (const auto fault = process.settings.faults.next(Site::copy)) {
    const auto error = error_of(*fault);
    return is_sticky(error) ? (process.late = error, cudaSuccess) : error;
  }
  const auto to = where(process, copy.to.base), from = where(process, copy.from.base);
  for (std::size_t z = 0; z < copy.depth; ++z)
    for (std::size_t y = 0; y < copy.height && copy.width; ++y) {
      auto* const row = copy.to.base + z * copy.to.slice + y * copy.to.pitch;
      std::memmove(row, copy.from.base + z * copy.from.slice + y * copy.from.pitch, copy.width);
      if (to != Where::host) process.memory->mark_written(row, copy.width);
    }
  const auto bytes = static_cast<double>(copy.width * copy.height * copy.depth);
  if (to == Where::device && from == Where::device)
    process.advance(stream, Timeline::Engine::compute,
                    copy_seconds + 2 * bytes / process.device.bandwidth(MemoryLevel::DRAM));
  else
    process.advance(stream, to == Where::device ? Timeline::Engine::upload : Timeline::Engine::download,
                    copy_seconds + bytes / host_link);
  return cudaSuccess;
}

cudaError_t perform(Process& process, Stream& stream, const FillWork& fill) {
  if (const auto error = check_fill(process, fill); error != cudaSuccess) return error;
  for (std::size_t y = 0; y < fill.height && fill.width; ++y) {
    auto* const row = fill.base + y * fill.pitch;
    if (fill.element == 1)
      std::memset(row, static_cast<int>(fill.value), fill.width);
    else
      for (std::size_t x = 0; x < fill.width; ++x) std::memcpy(row + x * fill.element, &fill.value, fill.element);
    process.memory->mark_written(row, fill.width * fill.element);
  }
  const auto bytes = static_cast<double>(fill.width * fill.element * fill.height);
  process.advance(stream, Timeline::Engine::compute,
                  fill_seconds + bytes / process.device.bandwidth(MemoryLevel::DRAM));
  return cudaSuccess;
}

cudaError_t perform(Process&, Stream&, const HostWork& work) {
  work.function(work.data);
  return cudaSuccess;
}

cudaError_t perform(Process& process, Stream& stream, const RecordWork& work) {
  process.advance(stream, Timeline::Engine::none, 0);  // on the legacy stream: after all blocking streams
  work.event->recorded = true;
  work.event->at = std::max(process.ready(stream), process.timeline.now());
  work.event->capture.reset();
  work.event->nodes.clear();
  stream.behind_event = true;
  if (const auto& journal = process.settings.journal; !journal.empty())
    std::ofstream(journal, std::ios::app) << "event\n";
  return cudaSuccess;
}

cudaError_t perform(Process& process, Stream& stream, const WaitWork& work) {
  const auto until = work.event->at;
  if (until > process.ready(stream) && !process.is_legacy(&stream)) stream.lane.ready = until;
  return cudaSuccess;
}

}  // namespace roofline::runtime
