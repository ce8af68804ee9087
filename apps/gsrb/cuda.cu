#include <memory>
#include <stdexcept>
#include <string>

#include "apps/gsrb/cuda.hpp"
#include "apps/gsrb/problem.hpp"
#include "bench/cuda/cache_state.hpp"
#include "bench/cuda/device_buffer.hpp"
#include "bench/cuda/execute.cuh"

namespace roofline::gsrb {
namespace {

/// The level on the host, where it is verified, and a copy of its memory on the device.
///
/// Host rows begin at cache lines. HPGMG-CUDA's do not: two ghost cells before them put them 16 B behind, which the
/// published sector counts have in them. `shift` moves the copy by as many elements.
class OnDevice {
 public:
  OnDevice(Level level, Index shift)
      : host(std::move(level)),
        shift_(shift),
        memory_(host.memory().size() + shift),
        level_(reinterpret_cast<const double*>(&level_words_of(this->level())), level_words) {
    memory_.upload_at(shift, host.memory().data(), host.memory().size());
  }

  CudaLevel level() const {
    return CudaLevel::of(host, 0, [this](const double* p) { return memory_.data() + shift_ + (p - first()); });
  }
  /// The same in the device's memory.
  const CudaLevel* level_in_memory() const { return reinterpret_cast<const CudaLevel*>(level_.data()); }
  /// Fetches what a sweep wrote.
  void fetch() {
    const double* const temp = host.box(Vector::temp, 0);
    memory_.download_at(shift_ + (temp - first()), host.box(Vector::temp, 0), boxes * host.shape().volume);
  }

  Level host;

 private:
  const double* first() const { return host.memory().data(); }
  static const CudaLevel& level_words_of(const CudaLevel& level) { return level; }
  Index shift_;
  cuda::DeviceBuffer<> memory_, level_;
};

constexpr Index published_shift = 2;

template <class Operator, class Method, bool Fma>
Workload make(int number, std::uint64_t seed, bool tuned, bool executed) {
  // Without its data where launches are not executed.
  auto problem = std::make_shared<OnDevice>(
      executed ? smoothing_problem<Operator>(number, seed) : Level::of<Operator>(number, Boundary::dirichlet),
      tuned ? 0 : published_shift);
  const auto level = problem->level();
  Workload work;
  if (tuned)
    work.launch = [problem, launch = column_sweep<Operator, Fma>(level)] { cuda::execute(launch); };
  else
    work.launch = [problem, launch = tile_sweep<Operator, Method, Fma>(level, problem->level_in_memory())] {
      cuda::execute(launch);
    };
  work.check = [problem, seed] {
    problem->fetch();
    return check_sweep<Operator>(problem->host, seed);
  };
  work.declared_flops = declared_flops<Operator, Method>(problem->host.cells());
  return work;
}

template <class Operator, class Method, bool Fma>
void add(Suite& suite, Index chosen) {
  constexpr bool fourth_order = std::is_same_v<Operator, FourthOrder>, fp = std::is_same_v<Method, Fp>;
  const bool executed = !suite.is_modelled();
  for (int number = lowest_level; number <= highest_level; ++number)
    for (const bool tuned : {false, true}) {
      if (tuned && !fp) continue;
      if (suite.has_fixed_size("gsrb") ? number != chosen : number < 5) continue;
      if (suite.launches() == Launches::verified && number > chosen) continue;  // the same kernels on more cells
      // The NERSC talk profiled level 6.
      const auto modelled_selection = !Fma || tuned || !fourth_order ? Selection::full
                                      : number == 6                  ? Selection::quick
                                      : number <= chosen             ? Selection::standard
                                                                     : Selection::full;
      cuda::add_cache_state(
          suite,
          {.name = row_name<Operator, Method>(number, Fma) + (tuned ? "/tuned" : ""),
           .family = "gsrb",
           .selection = !executed                                   ? modelled_selection
                        : Fma && fourth_order && number == chosen   ? Selection::quick
                        : Fma && (fourth_order || number == chosen) ? Selection::standard
                                                                    : Selection::full,
           .fma = Fma,
           .make = [=, seed = suite.seed()] { return make<Operator, Method, Fma>(number, seed, tuned, executed); },
           .about = tuned ? "a thread walks 16 planes and keeps their surroundings in registers"
                          : "tiles of 32 x 4 x 8 cells as in HPGMG-CUDA, nothing kept between planes"});
    }
}

template <class Operator>
void add_operator(Suite& suite, Index chosen) {
  add<Operator, Fp, true>(suite, chosen), add<Operator, Fp, false>(suite, chosen);
  add<Operator, Branch, true>(suite, chosen), add<Operator, Branch, false>(suite, chosen);
  add<Operator, Stride2, true>(suite, chosen), add<Operator, Stride2, false>(suite, chosen);
}

void add_variants(Suite& suite, const Sizes& sizes) {
  const Index chosen = sizes.at(0);
  require_level(chosen, "--gsrb=" + std::to_string(chosen));
  constexpr Index least = 5;  // boxes of 16 cells: a tile is as wide
  if (chosen < least)
    throw std::invalid_argument("--gsrb=" + std::to_string(chosen) + ": on a GPU the level must be one of " +
                                std::to_string(least) + ".." + std::to_string(highest_level));
  add_operator<FourthOrder>(suite, chosen), add_operator<SevenPoint>(suite, chosen);
}

// hpgmg-fv 7 8: levels 5 to 8 run on the GPU, 8 is the finest.
const Registrar registrar("gsrb", Platform::cuda, {add_variants, {8}, {}, {7}, {7}});

}  // namespace
}  // namespace roofline::gsrb
