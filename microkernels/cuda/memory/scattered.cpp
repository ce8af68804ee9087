
#include <fmt/format.h>

#include <bit>
#include <memory>

#include "bench/cuda/error.hpp"
#include "bench/cuda/event_timer.hpp"
#include "microkernels/cuda/measured.hpp"
#include "microkernels/cuda/memory/scattered_kernels.hpp"
#include "microkernels/cuda/memory/working_set.hpp"

namespace roofline {
namespace {

constexpr int threads = 1024;      // of a block, one block per SM
constexpr int sector_words = 4;    // of 8 B
constexpr int chase_steps = 4096;  // some ms

struct ScatteredState {
  Index words;
  DeviceWords data, out;
  int blocks;
  std::uint32_t position = 0, last = 0;  ///< where the next launch starts, where the last one did

  ScatteredState(Index n, int n_blocks) : words(n), data(n), out(Index{n_blocks} * threads), blocks(n_blocks) {}
  Vector16* vectors() const { return reinterpret_cast<Vector16*>(data.data()); }
  void fill() const {
    cuda::require(launch_fill(nullptr, vectors(), nullptr, static_cast<std::uint64_t>(words) / 2),
                  "launch of the fill");
    cuda::finish();
  }
  std::uint32_t sum() const {
    std::uint32_t sum = 0;
    for (const auto part : out.download()) sum += static_cast<std::uint32_t>(part);
    return sum;
  }
  Check check(std::uint32_t expected) const {
    const auto got = sum();
    if (got == expected) return {};
    return {false, fmt::format("the sum of the words read is {}, expected {} (modulo 2^32)", got, expected)};
  }
};

void set_launch(CeilingWork& work, std::function<void()> launch) {
  work.launch = std::move(launch);
  work.time = cuda::event_timer(work.launch);
}

CeilingWork strided(Index words, int stride, int sms) {
  const auto state = std::make_shared<ScatteredState>(words, sms);
  state->fill();
  const auto n = static_cast<std::uint64_t>(words);
  CeilingWork work;
  set_launch(work, [=] {
    cuda::require(launch_strided(state->data.data(), n, stride, {sms, threads}, state->out.data()),
                  "launch of a strided read");
  });
  const std::uint64_t reads = n / static_cast<unsigned>(stride);
  work.check = [=] {  // the low words of 0, stride, 2 stride, ... are the 32-bit words of twice the place
    return state->check(
        sweep_b(static_cast<std::uint32_t>(2 * static_cast<unsigned>(stride) * (reads * (reads - 1) / 2))));
  };
  work.work = 8.0 * static_cast<double>(stride < sector_words ? n : reads * sector_words);
  work.variant = "8 x 8 B in flight, 32 warps/SM";
  return work;
}

CeilingWork random(int bits, int sms) {
  const auto state = std::make_shared<ScatteredState>(Index{sector_words} << bits, sms);
  state->fill();
  const std::uint32_t count = 1u << std::max(bits - 3, 0);
  CeilingWork work;
  set_launch(work, [=] {
    state->last = state->position;
    state->position = (state->position + count) & ((1u << bits) - 1);
    cuda::require(launch_random(state->data.data(), bits, state->last, count, {sms, threads}, state->out.data()),
                  "launch of a random read");
  });
  work.check = [=] {
    std::uint32_t places = 0;
    for (std::uint32_t i = 0; i < count; ++i) places += scattered(state->last + i, bits);
    return state->check(sweep_b(2 * sector_words * places));
  };
  work.work = 8.0 * sector_words * count;
  work.variant = "8 x 8 B in flight, 32 warps/SM";
  return work;
}

CeilingWork chase(int bits) {
  const auto state = std::make_shared<ScatteredState>(Index{sector_words} << bits, 1);
  cuda::require(launch_cycle(state->data.data(), bits), "launch of the cycle");
  CeilingWork work;
  set_launch(work, [=] {
    cuda::require(launch_chase(state->data.data(), state->position, chase_steps, state->out.data()),
                  "launch of a pointer chase");
    for (int i = 0; i < chase_steps; ++i) state->position = next_sector(state->position, bits);
  });
  work.check = [=] {
    const auto got = state->out.download()[0];
    if (got == state->position) return Check{};
    return Check{false, fmt::format("the chain ends at sector {}, expected {}", got, state->position)};
  };
  work.work = 8.0 * sector_words * chase_steps;
  work.variant = "one dependent chain";
  return work;
}

}  // namespace

std::vector<CudaMemoryCeiling> cuda_scattered(const Gpu& gpu) {
  // A power of two of sectors, at most 2 GiB, so that the order is a bijection.
  const double most = std::min(cuda_ceiling_set(gpu, MemoryLevel::DRAM), 2.0 * (1 << 30));
  const int bits = std::bit_width(static_cast<std::uint64_t>(most) / (8 * sector_words)) - 1;
  const double bytes = 8.0 * sector_words * static_cast<double>(1u << bits);
  std::vector<CudaMemoryCeiling> all;
  for (const auto& [mix, stride] :
       {std::pair{Mix::stride2, 2}, {Mix::stride4, 4}, {Mix::stride8, 8}, {Mix::stride16, 16}})
    all.push_back({mix, bytes, {[stride = stride, bits, sms = gpu.sms] {
                     return strided(Index{sector_words} << bits, stride, sms);
                   }}});
  all.push_back({Mix::random, bytes, {[=, sms = gpu.sms] { return random(bits, sms); }}});
  all.push_back({Mix::chase, bytes, {[=] { return chase(bits); }}});
  return all;
}

}  // namespace roofline
