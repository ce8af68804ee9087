#include <fmt/format.h>

#include <memory>
#include <vector>

#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/calibrate.hpp"
#include "microkernels/ceilings.hpp"

namespace roofline {
namespace {

/// The work of a team's threads: the least that makes a region one, each in a line of its own.
class Regions {
 public:
  explicit Regions(int threads) : done_(static_cast<std::size_t>(threads)) {}

  /// `regions` times what a kernel's loop begins and ends with.
  void run(long regions) {
    const auto threads = static_cast<int>(done_.size());
    for (long region = 0; region < regions; ++region) {
#pragma omp parallel for num_threads(threads) schedule(static)
      for (int thread = 0; thread < threads; ++thread) ++done_[static_cast<std::size_t>(thread)].regions;
    }
    asked_ += regions;
  }
  Check check() const {
    for (std::size_t thread = 0; thread < done_.size(); ++thread)
      if (done_[thread].regions != asked_)
        return {false,
                fmt::format("thread {}: {} regions, expected exactly {}", thread, done_[thread].regions, asked_)};
    return {};
  }

 private:
  struct alignas(128) Done {
    long regions = 0;
  };
  std::vector<Done> done_;
  long asked_ = 0;
};

CeilingWork make_workload(int threads) {
  const auto regions = std::make_shared<Regions>(threads);
  const long count = calibrate([&](long n) { regions->run(n); }, 1);
  CeilingWork work;
  work.launch = [=] { regions->run(count); };
  work.check = [=] { return regions->check(); };
  work.work = static_cast<double>(count);
  work.variant = "loop of one turn for each thread";
  return work;
}

}  // namespace

void add_fork_join_ceiling(Suite& suite) {
  CeilingVariant variant;
  variant.ceiling.kind = Ceiling::Kind::overhead;
  variant.ceiling.threads = suite.threads();
  variant.ceiling.name = ceiling_name(variant.ceiling);
  variant.selection = Selection::standard;
  variant.make.push_back([threads = suite.threads()] { return make_workload(threads); });
  suite.add_ceiling(std::move(variant));
}

namespace {
const CeilingRegistrar fork_join_registered(Platform::cpu, add_fork_join_ceiling);
}

}  // namespace roofline
