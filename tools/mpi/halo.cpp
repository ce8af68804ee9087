#include "tools/mpi/halo.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstring>
#include <functional>
#include <numeric>

#include "tools/mpi/world.hpp"

namespace roofline::mpi {
namespace {

constexpr int batches = 5, fewest_steps = 5, verified_steps = 3;

/// A rank's part with the buffers of its faces.
class Stepper {
 public:
  Stepper(World& world, HaloBlock block, MPI_Comm comm) : world_(world), block_(std::move(block)), comm_(comm) {
    MPI_Comm_rank(comm, &rank_);
    for (const auto& stage : block_.stages)
      for (const auto& face : stage) {
        const auto n = static_cast<std::size_t>(face.neighbour == MPI_PROC_NULL ? 0 : face.count);
        out_.emplace_back(n), in_.emplace_back(n);
        if (is_sent(face)) ++messages_, bytes_ += static_cast<double>(n * sizeof(double));
      }
  }

  void step(HaloParts& parts) {
    double time = own_time();
    const auto lap = [&](double& part) {
      const double now = own_time();
      part += now - time, time = now;
    };
    std::size_t first = 0;
    for (const auto& stage : block_.stages) {
      for (std::size_t i = 0; i < stage.size(); ++i)
        if (stage[i].neighbour != MPI_PROC_NULL) stage[i].pack(out_[first + i].data());
      lap(parts.pack);
      if (first == 0) world_.barrier(comm_), lap(parts.waiting);
      exchange(stage, first);
      lap(parts.exchange);
      for (std::size_t i = 0; i < stage.size(); ++i) {
        const bool own = stage[i].neighbour == rank_;
        if (stage[i].neighbour != MPI_PROC_NULL) stage[i].unpack((own ? out_[first + (i ^ 1)] : in_[first + i]).data());
      }
      lap(parts.pack);
      first += stage.size();
    }
    block_.compute();
    lap(parts.compute);
  }

  const HaloBlock& block() const { return block_; }
  double messages() const { return messages_; }
  double bytes() const { return bytes_; }

 private:
  bool is_sent(const Face& face) const { return face.neighbour != MPI_PROC_NULL && face.neighbour != rank_; }

  void exchange(const std::vector<Face>& stage, std::size_t first) {
    std::vector<MPI_Request> requests;
    for (const bool receives : {true, false})
      for (std::size_t i = 0; i < stage.size(); ++i) {
        if (!is_sent(stage[i])) continue;
        const auto n = static_cast<int>(stage[i].count), to = stage[i].neighbour;
        auto& request = requests.emplace_back();
        if (receives)
          MPI_Irecv(in_[first + i].data(), n, MPI_DOUBLE, to, static_cast<int>(first + (i ^ 1)), comm_, &request);
        else
          MPI_Isend(out_[first + i].data(), n, MPI_DOUBLE, to, static_cast<int>(first + i), comm_, &request);
      }
    for (const auto& face : stage)
      if (is_sent(face)) world_.waits_for(face.neighbour);
    MPI_Waitall(static_cast<int>(requests.size()), requests.data(), MPI_STATUSES_IGNORE);
    world_.waits_for(-1);
  }

  World& world_;
  HaloBlock block_;
  MPI_Comm comm_;
  int rank_ = 0;
  std::vector<std::vector<double>> out_, in_;
  double messages_ = 0, bytes_ = 0;
};

std::vector<int> grid_of(int ranks, int axes) {
  std::vector<int> grid(static_cast<std::size_t>(axes));
  MPI_Dims_create(ranks, axes, grid.data());
  return grid;
}

/// The first ranks of all, in a grid; MPI_COMM_NULL on the others.
MPI_Comm cartesian(int ranks, int rank, const std::vector<int>& grid) {
  MPI_Comm some, result = MPI_COMM_NULL;
  MPI_Comm_split(MPI_COMM_WORLD, rank < ranks ? 0 : MPI_UNDEFINED, rank, &some);
  if (some == MPI_COMM_NULL) return result;
  const std::vector<int> periodic(grid.size(), 1);  // a problem with walls does not use the neighbours across
  MPI_Cart_create(some, static_cast<int>(grid.size()), grid.data(), periodic.data(), 0, &result);
  MPI_Comm_free(&some);
  return result;
}

/// On rank 0 of the communicator: the first value in which a bit differs from the result of one rank; empty: none.
std::string difference(World& world, const HaloProblem& problem, const std::vector<Index>& size, MPI_Comm comm) {
  Stepper stepper(world, problem.make(size, comm), comm);
  HaloParts parts;
  for (int i = 0; i < verified_steps; ++i) stepper.step(parts);
  const auto values = stepper.block().values();
  const auto places = stepper.block().places();
  int rank = 0, ranks = 1;
  MPI_Comm_rank(comm, &rank), MPI_Comm_size(comm, &ranks);
  if (rank > 0) {
    MPI_Send(places.data(), static_cast<int>(places.size()), MPI_INT64_T, 0, 0, comm);
    MPI_Send(values.data(), static_cast<int>(values.size()), MPI_DOUBLE, 0, 1, comm);
    return {};
  }
  const auto expected = problem.by_one_rank(size, verified_steps);
  std::string found;
  std::size_t compared = 0;
  const auto compare = [&](const std::vector<double>& got, const std::vector<Index>& where, int of) {
    compared += got.size();
    for (std::size_t i = 0; i < got.size() && found.empty(); ++i)
      if (const double right = expected[static_cast<std::size_t>(where[i])];
          std::memcmp(&got[i], &right, sizeof right) != 0)
        found = fmt::format("{}, rank {}, element {}: got {}, one rank gets {}", fmt::join(size, "x"), of, where[i],
                            got[i], right);
  };
  compare(values, places, 0);
  for (int other = 1; other < ranks; ++other) {
    MPI_Status status;
    int n = 0;
    world.waits_for(other);
    MPI_Probe(other, 0, comm, &status);
    MPI_Get_count(&status, MPI_INT64_T, &n);
    std::vector<Index> where(static_cast<std::size_t>(n));
    std::vector<double> got(where.size());
    MPI_Recv(where.data(), n, MPI_INT64_T, other, 0, comm, MPI_STATUS_IGNORE);
    MPI_Recv(got.data(), n, MPI_DOUBLE, other, 1, comm, MPI_STATUS_IGNORE);
    world.waits_for(-1);
    compare(got, where, other);
  }
  if (found.empty() && compared != expected.size())
    found = fmt::format("{} of {} elements are in no rank's part", expected.size() - compared, expected.size());
  return found;
}

/// Steps for `seconds` in batches; the parts of the batch whose time is the median.
void time_steps(World& world, Stepper& stepper, MPI_Comm comm, double seconds, HaloRun& run) {
  HaloParts warm;
  for (int i = 0; i < 2; ++i) stepper.step(warm);
  double step = warm.total() / 2;
  world.barrier(comm);
  MPI_Bcast(&step, 1, MPI_DOUBLE, 0, comm);
  const int steps = std::max(fewest_steps, static_cast<int>(seconds / batches / step));
  std::vector<HaloParts> all;
  int ranks = 1;
  MPI_Comm_size(comm, &ranks);
  for (int batch = 0; batch < batches; ++batch) {
    world.barrier(comm);
    HaloParts own, mean;
    for (int i = 0; i < steps; ++i) stepper.step(own);
    const double begin = own_time();
    world.barrier(comm);
    own.waiting += own_time() - begin;
    MPI_Allreduce(&own, &mean, 4, MPI_DOUBLE, MPI_SUM, comm);
    for (auto* part : {&mean.compute, &mean.pack, &mean.exchange, &mean.waiting}) *part /= ranks * steps;
    all.push_back(mean);
  }
  std::sort(all.begin(), all.end(), [](const auto& a, const auto& b) { return a.total() < b.total(); });
  run.parts = all[batches / 2], run.seconds = run.parts.total();
}

/// Rank 0's view on all ranks, and what the busiest sender sends.
HaloRun told(const World& world, const HaloOptions& options, HaloRun run) {
  run.seconds = world.from(0, run.seconds);
  const auto bytes = world.all(run.bytes), messages = world.all(run.messages);
  const auto most = std::max_element(bytes.begin(), bytes.end()) - bytes.begin();
  run.bytes = bytes[static_cast<std::size_t>(most)], run.messages = messages[static_cast<std::size_t>(most)];
  if (options.link && run.ranks > 1)
    run.predicted = run.messages * options.link->latency + run.bytes / options.link->bandwidth;
  return run;
}

HaloRun measure(World& world, const HaloOptions& options, const HaloProblem& problem, bool weak, int ranks) {
  HaloRun run{.problem = problem.name,
              .weak = weak,
              .ranks = ranks,
              .grid = grid_of(ranks, problem.axes),
              .size = problem.size,
              .wrong = {},
              .parts = {},
              .predicted = {}};
  if (weak)
    for (std::size_t axis = 0; axis < run.grid.size(); ++axis) run.size[axis] *= run.grid[axis];
  world.meet();
  if (auto comm = cartesian(ranks, world.rank(), run.grid); comm != MPI_COMM_NULL) {
    auto sizes = problem.verified_sizes;
    constexpr double few = 1e5;  // points: no time is lost
    if (std::accumulate(run.size.begin(), run.size.end(), 1.0, std::multiplies<>()) < few) sizes.push_back(run.size);
    for (const auto& size : sizes)
      if (const auto wrong = difference(world, problem, size, comm); run.wrong.empty()) run.wrong = wrong;
    int right = run.wrong.empty();
    world.barrier(comm);
    MPI_Bcast(&right, 1, MPI_INT, 0, comm);
    if (right) {
      Stepper stepper(world, problem.make(run.size, comm), comm);
      time_steps(world, stepper, comm, options.seconds, run);
      run.bytes = stepper.bytes(), run.messages = stepper.messages();
    }
    MPI_Comm_free(&comm);
  }
  world.meet();
  return told(world, options, std::move(run));
}

}  // namespace

std::vector<HaloRun> scale_halos(World& world, const HaloOptions& options) {
  std::vector<int> numbers;
  for (int ranks = 1; ranks < world.size(); ranks *= 2) numbers.push_back(ranks);
  numbers.push_back(world.size());
  std::vector<HaloRun> runs;
  for (const auto& problem : options.problems)
    for (const bool weak : {false, true}) {
      double alone = 0;
      for (const int ranks : numbers) {
        auto run = measure(world, options, problem, weak, ranks);
        if (ranks == 1) alone = run.seconds;
        run.efficiency = alone / run.seconds / (weak ? 1 : ranks);
        runs.push_back(std::move(run));
      }
    }
  return runs;
}

std::pair<Index, Index> share_of(Index n, int number, int parts, Index unit) {
  const Index units = n / unit, each = units / parts, rest = units % parts;
  const Index begin = number * each + std::min<Index>(number, rest);
  const Index end = begin + each + (number < rest ? 1 : 0);
  return {begin * unit, number + 1 == parts ? n : end * unit};
}

std::pair<int, int> neighbours(MPI_Comm cartesian, int axis) {
  int below = 0, above = 0;
  MPI_Cart_shift(cartesian, axis, 1, &below, &above);
  return {below, above};
}

}  // namespace roofline::mpi
