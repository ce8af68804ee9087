#include "tools/mpi/windows.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "bench/model/ceiling.hpp"
#include "bench/suite/suite.hpp"
#include "microkernels/ceilings.hpp"

namespace roofline::mpi {
namespace {

constexpr double lead = 2e-3;  // seconds between the agreement on a begin and the begin
constexpr double most_skew = 0.02;

/// The widest vectors' fused multiply-add in double precision, or the triad.
std::string row_of(const Machine& machine, int threads, bool bytes) {
  Ceiling ceiling;
  ceiling.kind = bytes ? Ceiling::Kind::bandwidth : Ceiling::Kind::compute;
  ceiling.threads = threads;
  if (bytes)
    ceiling.mix = Mix::triad;
  else
    ceiling.isa = machine.isa;
  return ceiling_name(ceiling);
}

struct Sample {
  double begin = 0;
  std::vector<double> ends;
};

/// Launches until the window is over, so that nobody is alone in it.
Sample launches(const CeilingWork& work, const Clocks& clocks, double at, double seconds) {
  Sample sample;
  while (clocks.now() < at) continue;
  sample.begin = clocks.now();
  do {
    work.launch();
    sample.ends.push_back(clocks.now());
  } while (sample.ends.back() < at + seconds);
  return sample;
}

/// A process's way to measure a ceiling: the variants of a suite with its cores.
class Ways {
 public:
  Ways(const Machine& machine, int threads, bool bytes) : suite_(cpu_target(machine, threads)) {
    if (bytes)
      add_bandwidth_ceilings(suite_);
    else
      add_flops_ceilings(suite_);
    row_ = row_of(machine, threads, bytes);
    variant_ = suite_.ceiling(row_);
  }
  const std::string& row() const { return row_; }
  const Ceiling& ceiling() const { return variant_->ceiling; }
  std::size_t size() const { return variant_ ? variant_->make.size() : 0; }
  void use(std::size_t way) {
    if (work_ && way == used_) return;
    work_.reset();  // the memory of one is enough
    work_ = variant_->make[way](), used_ = way;
  }
  const CeilingWork& work() const { return *work_; }

 private:
  Suite suite_;
  std::string row_;
  const CeilingVariant* variant_;
  std::optional<CeilingWork> work_;
  std::size_t used_ = 0;
};

/// One ceiling by all ranks.
class Measurement {
 public:
  Measurement(World& world, Clocks& clocks, const Machine& machine, const WindowOptions& options, bool bytes)
      : world_(world), clocks_(clocks), options_(options), bytes_(bytes), own_(machine, options.threads, bytes) {}

  CommonWindows operator()() {
    CommonWindows found;
    found.row = own_.row(), found.bytes = bytes_, found.seconds = options_.seconds;
    const auto ways = world_.all(static_cast<double>(own_.size()));
    if (*std::min_element(ways.begin(), ways.end()) == 0) {
      found.wrong = "a rank has no such ceiling";
      return found;
    }
    choose_way();
    found.variant = own_.work().variant, found.ceiling = own_.ceiling();
    std::vector<std::vector<double>> rates(static_cast<std::size_t>(world_.size()));
    std::vector<double> sums, skews;
    for (int tries = 0; found.samples < options_.samples && tries < 4 * options_.samples; ++tries) {
      const auto taken = sample(options_.seconds);
      if (taken.skew > most_skew * options_.seconds) {
        ++found.retaken;
        continue;
      }
      ++found.samples;
      double sum = 0;
      for (std::size_t rank = 0; rank < taken.rates.size(); ++rank)
        sum += taken.rates[rank], rates[rank].push_back(taken.rates[rank]);
      if (sum > found.best) found.best = sum, found.at_best = taken.rates;
      sums.push_back(sum), skews.push_back(taken.skew);
    }
    found.wrong = verdict();
    if (found.samples == 0) found.wrong = "no sample began in all ranks at once: more ranks than cores?";
    if (!found.wrong.empty()) return found;
    found.sum = median_interval(sums), found.skew = median(skews);
    for (auto& of_rank : rates) found.rates.push_back(median(of_rank));
    const auto least = std::min_element(found.rates.begin(), found.rates.end());
    found.slowest = *least, found.slowest_rank = static_cast<int>(least - found.rates.begin());
    return found;
  }

 private:
  struct Taken {
    std::vector<double> rates;  ///< by rank
    double skew = 0;
  };

  /// One window of all ranks: from the last begin to the first end of all, in which every rank works.
  Taken sample(double seconds) {
    clocks_.keep_right();
    world_.meet();
    const double at = world_.from(0, clocks_.now() + lead);
    const auto own = launches(own_.work(), clocks_, at, seconds);
    world_.meet();
    const auto begins = world_.all(own.begin);
    const double from = *std::max_element(begins.begin(), begins.end());
    const double skew = from - *std::min_element(begins.begin(), begins.end());
    const double rate = work_within(own_.work().work, own.begin, own.ends, from, at + seconds) / (at + seconds - from);
    return {world_.all(rate), skew};
  }

  /// The fastest variant, tried by all ranks at once: equal machines agree.
  void choose_way() {
    const auto ways = world_.all(static_cast<double>(own_.size()));
    const auto common = static_cast<std::size_t>(*std::min_element(ways.begin(), ways.end()));
    std::size_t best = 0;
    double rate = 0;
    for (std::size_t way = 0; way < common; ++way) {
      own_.use(way);
      std::vector<double> seen;
      for (int i = 0; i < options_.trials; ++i) {
        const auto taken = sample(options_.seconds / 4);
        double sum = 0;
        for (const double of_rank : taken.rates) sum += of_rank;
        seen.push_back(sum);
      }
      if (median(seen) > rate) rate = median(seen), best = way;
    }
    own_.use(best);
  }

  /// The verdict on the timed buffers: why a rank's results are wrong.
  std::string verdict() {
    const auto check = own_.work().check();
    const auto messages = world_.all(check.ok ? std::string() : check.message);
    for (int rank = 0; rank < world_.size(); ++rank)
      if (const auto& message = messages[static_cast<std::size_t>(rank)]; !message.empty())
        return fmt::format("{}: {}", world_.name(rank), message);
    return {};
  }

  World& world_;
  Clocks& clocks_;
  const WindowOptions& options_;
  bool bytes_;
  Ways own_;
};

}  // namespace

double work_within(double work_of_one, double begin, const std::vector<double>& ends, double from, double to) {
  double work = 0;
  for (const double end : ends) {
    if (const double inside = std::min(end, to) - std::max(begin, from); inside > 0)
      work += work_of_one * inside / (end - begin);
    begin = end;
  }
  return work;
}

std::vector<CommonWindows> common_windows(World& world, Clocks& clocks, const Machine& machine,
                                          const WindowOptions& options) {
  std::vector<CommonWindows> all;
  for (const bool bytes : {false, true}) all.push_back(Measurement(world, clocks, machine, options, bytes)());
  return all;
}

}  // namespace roofline::mpi
