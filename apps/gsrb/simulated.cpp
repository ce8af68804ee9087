#include "apps/gsrb/simulated.hpp"

#include <fmt/format.h>

#include <stdexcept>

#include "bench/run/suite.hpp"
#include "bench/simulator/gpu_model.hpp"
#include "bench/simulator/warp.hpp"

namespace roofline::gsrb {
namespace {

using Place = At<Warp, true>;
using real = Place::real;

constexpr const char* mapping =
    "tiles of HPGMG-CUDA as in the NERSC talk; 20 descriptor loads per warp fit its gld_transactions; "
    "4 blocks of 128 threads per SM as the public fv4 kernel's launch bounds (128, 4) allow: 128 registers per thread";

constexpr Index round_up(Index n, Index unit) { return (n + unit - 1) / unit * unit; }

/// Where a warp works: the box and first cell of its tile, and its lanes.
struct Tile {
  Index box, i, j, k;  ///< i, j of lane 0; k of the first plane
  Index width;         ///< lanes side by side in i; the others are in rows above
};

Tile tile_of(const GpuLevel& level, GpuMethod method, Index block, unsigned warp) {
  const Index n = level.edge(), across = std::min<Index>(32, n);
  const Index width = method == GpuMethod::stride2 ? across / 2 : across;
  const Index tiles_i = n / across, tiles_j = n / 4, tiles_k = n / 8;
  return {.box = block / (tiles_i * tiles_j * tiles_k),
          .i = block % tiles_i * across,
          .j = block / tiles_i % tiles_j * 4 + static_cast<Index>(warp) * (warp_lanes / width),
          .k = block / (tiles_i * tiles_j) % tiles_k * 8,
          .width = width};
}

/// Lanes at cells first + step x their number in the row + what `shift(row)` adds, row by row.
template <class Shift>
void place_lanes(const GpuLevel& level, const Tile& tile, Index step, Shift shift) {
  WarpState::Offsets offsets;
  for (Index lane = 0; lane < warp_lanes; ++lane) {
    const Index row = lane / tile.width;
    offsets[static_cast<std::size_t>(lane)] = row * level.j_stride() + step * (lane % tile.width) + shift(row);
  }
  active_warp->set_lanes(~0u, offsets);
}

/// Lanes whose cell has the colour of this sweep: i ^ j ^ k ^ color000 is even.
std::uint32_t coloured_lanes(const Tile& tile, Index k, Index colour) {
  std::uint32_t mask = 0;
  for (Index lane = 0; lane < warp_lanes; ++lane)
    if (((tile.i + lane % tile.width) ^ (tile.j + lane / tile.width) ^ k ^ colour) % 2 == 0) mask |= 1u << lane;
  return mask;
}

/// What the kernel does before its loop over planes: it reads its descriptor and computes b / h^2. 12 FLOP.
void prologue(const GpuLevel& level, Index block) {
  for (Index word = 0; word < GpuLevel::descriptor_words; ++word)
    active_warp->uniform_load(level.descriptor(block) + word, sizeof(double));
  const real h = level.h();
  const real h_squared = h * h;
  const real h2inv = 1.0 / h_squared;
  [[maybe_unused]] const real b_h2inv = GpuLevel::b * h2inv;
}

/// x + lambda (rhs - A x): what an updated cell becomes; 3 FLOP beside the operator.
template <class Operator>
real updated(const Cells<View>& box, Place at, const real& x) {
  const real rhs = box.rhs[at];
  const real lambda = box.dinv[at];
  return x + lambda * (rhs - Operator::apply(box, at, x));
}

template <class Operator>
WarpProgram fp(const GpuLevel& level, Index colour, Index block, unsigned warp) {
  const Tile tile = tile_of(level, GpuMethod::fp, block, warp);
  place_lanes(level, tile, 1, [](Index) { return 0; });
  prologue(level, block);
  co_await step;
  for (Index k = tile.k; k < tile.k + 8; ++k) {
    const auto box = level.cells(tile.box, k, colour);
    const Place at{tile.i + tile.j * level.j_stride()};
    const real x = box.x[at];
    const real rhs = box.rhs[at];
    const real lambda = box.dinv[at];
    const real mask = box.mask[at];
    box.out.set(at, x + mask * lambda * (rhs - Operator::apply(box, at, x)));
    co_await step;
  }
}

template <class Operator>
WarpProgram branch(const GpuLevel& level, Index colour, Index block, unsigned warp) {
  const Tile tile = tile_of(level, GpuMethod::branch, block, warp);
  place_lanes(level, tile, 1, [](Index) { return 0; });
  prologue(level, block);
  co_await step;
  for (Index k = tile.k; k < tile.k + 8; ++k) {
    const auto box = level.cells(tile.box, k, colour);
    const Place at{tile.i + tile.j * level.j_stride()};
    real x = box.x[at];
    const auto taken = coloured_lanes(tile, k, colour);
    const auto all = active_warp->predicate(taken);
    const real y = updated<Operator>(box, at, x);
    active_warp->restore(all);
    for (unsigned lane = 0; lane < warp_lanes; ++lane)
      if (taken >> lane & 1) x.value.v[lane] = y.value.v[lane];
    box.out.set(at, x);
    co_await step;
  }
}

template <class Operator>
WarpProgram stride2(const GpuLevel& level, Index colour, Index block, unsigned warp) {
  const Tile tile = tile_of(level, GpuMethod::stride2, block, warp);
  place_lanes(level, tile, 2, [](Index) { return 0; });
  prologue(level, block);
  co_await step;
  for (Index k = tile.k; k < tile.k + 8; ++k) {
    const auto box = level.cells(tile.box, k, colour);
    const Place at{tile.i + tile.j * level.j_stride()};
    const auto parity = [&](Index row) { return (tile.i ^ (tile.j + row) ^ k ^ colour) & 1; };
    place_lanes(level, tile, 2, [&](Index row) { return 1 - parity(row); });
    const real copied = box.x[at];
    box.out.set(at, copied);
    place_lanes(level, tile, 2, parity);
    const real x = box.x[at];
    box.out.set(at, updated<Operator>(box, at, x));
    co_await step;
  }
}

}  // namespace

GpuLevel::GpuLevel(int level) {
  if (level < 5 || level > 8)
    throw std::invalid_argument(fmt::format("gsrb on a modelled GPU: level {} is not one of 5, 6, 7, 8", level));
  n_ = (Index{1} << level) / 2;
  h_ = 1.0 / static_cast<double>(2 * n_);
  j_ = round_up(n_ + 2 * ghosts, 32);
  k_ = round_up(j_ * (n_ + 2 * ghosts), 8);
  volume_ = round_up(k_ * (n_ + 2 * ghosts), 8);
  const Index blocks = boxes * std::max<Index>(1, n_ / 32) * (n_ / 4) * (n_ / 8);
  memory_ = std::make_shared<DeviceMemory>(
      static_cast<std::uint64_t>((7 * boxes * volume_ + 2 * k_ + blocks * descriptor_words) * 8) + 16 * 512);
  for (auto& vector : vectors_) vector = memory_->allocate<double>(boxes * volume_);
  mask_ = memory_->allocate<double>(2 * k_);
  descriptors_ = memory_->allocate<double>(blocks * descriptor_words);
  for (Index j = 0; j < n_ + 2 * ghosts; ++j)
    for (Index i = 0; i < n_ + 2 * ghosts; ++i) mask_[(i + j) % 2 * k_ + j * j_ + i] = 1.0;
}

Cells<View> GpuLevel::cells(Index box, Index k, Index colour) const {
  const Index first = box * volume_ + ghosts * (1 + j_ + k_) + k * k_;
  const auto view = [&](std::size_t vector) { return View{vectors_[vector] + first}; };
  Cells<View> result{};
  result.x = view(0), result.rhs = view(1);
  result.beta_i = view(2), result.beta_j = view(3), result.beta_k = view(4);
  result.dinv = view(5), result.out = view(6);
  result.mask = View{mask_ + ((k ^ colour) & 1) * k_ + ghosts * (1 + j_)};
  result.j = j_, result.k = k_;
  result.minus_b_h2inv = -b / (h_ * h_);
  return result;
}

template <class Operator>
GpuKernel gpu_sweep(std::shared_ptr<const GpuLevel> level, GpuMethod method, Index colour) {
  static constexpr std::array<std::string_view, 3> names{"fp", "branch", "stride2"};
  const Index n = level->edge(), across = std::min<Index>(32, n);
  GpuKernel kernel;
  kernel.name = fmt::format("gsrb/{}/op:{}/level:{}", names[static_cast<std::size_t>(method)], Operator::name,
                            std::countr_zero(static_cast<std::uint64_t>(2 * n)));
  kernel.mapping = mapping;
  kernel.blocks = GpuLevel::boxes * (n / across) * (n / 4) * (n / 8);
  kernel.threads = static_cast<unsigned>((method == GpuMethod::stride2 ? across / 2 : across) * 4);
  kernel.registers = 128;
  kernel.memory = level->memory();
  kernel.program = [level, method, colour](Index block, unsigned warp) {
    switch (method) {
      case GpuMethod::fp:
        return fp<Operator>(*level, colour, block, warp);
      case GpuMethod::branch:
        return branch<Operator>(*level, colour, block, warp);
      default:
        return stride2<Operator>(*level, colour, block, warp);
    }
  };
  return kernel;
}

template GpuKernel gpu_sweep<FourthOrder>(std::shared_ptr<const GpuLevel>, GpuMethod, Index);
template GpuKernel gpu_sweep<SevenPoint>(std::shared_ptr<const GpuLevel>, GpuMethod, Index);

namespace {

template <class Operator>
void add_operator(Suite& suite, int chosen) {
  static constexpr std::array<std::string_view, 3> names{"fp", "branch", "stride2"};
  for (const auto method : {GpuMethod::fp, GpuMethod::branch, GpuMethod::stride2})
    for (const int number : {5, 6, 7, 8}) {
      const bool fourth_order = std::string_view(Operator::name) == "fv4";
      const bool published = fourth_order && number == 6;  // the level that the talk profiled
      suite.add({.name = fmt::format("gsrb/{}/op:{}/level:{}", names[static_cast<std::size_t>(method)], Operator::name,
                                     number),
                 .family = "gsrb",
                 .selection = published                          ? Selection::quick
                              : fourth_order && number <= chosen ? Selection::standard
                                                                 : Selection::full,
                 .make = simulated([=](const GpuModel& model) {
                   return model.count(gpu_sweep<Operator>(std::make_shared<const GpuLevel>(number), method));
                 }),
                 .about = mapping});
    }
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const auto chosen = static_cast<int>(std::clamp<Index>(sizes.at(0), 0, 9));
  GpuLevel{chosen};  // refuses other levels
  add_operator<FourthOrder>(suite, chosen), add_operator<SevenPoint>(suite, chosen);
}

const Registrar registrar("gsrb", Platform::modelled, {add_variants, {7}, {}});

}  // namespace

}  // namespace roofline::gsrb
