#include "tools/mpi/world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cstring>

#include "bench/machine/clock.hpp"
#include "bench/options/options.hpp"
#include "bench/text/clean.hpp"

namespace roofline::mpi {
namespace {

constexpr int arrived = 1, go_on = 2, barrier_tag = 1000;  // tags; others are from 10 to 99
constexpr double grace = 2;                                // seconds

/// Longer and longer ones: on a virtual machine, waking up every 50 us costs its host's core half of its time.
class Naps {
 public:
  void next() {
    const timespec nap{0, length_};
    nanosleep(&nap, nullptr);
    constexpr long longest = 2'000'000;
    length_ = std::min(2 * length_, longest);
  }

 private:
  long length_ = 20'000;  // ns
};

double now() { return seconds_of(CLOCK_MONOTONIC); }

/// A text that another process may read at any time.
template <std::size_t n>
void tell(std::array<char, n>& place, const std::string& text) {
  std::strncpy(place.data(), text.c_str(), n - 1);
}

sigset_t end_signals() {
  sigset_t set;
  sigemptyset(&set);
  sigaddset(&set, SIGTERM);
  return set;
}

}  // namespace

void wait_asleep(MPI_Request& request) {
  Naps naps;
  for (int done = 0;; naps.next()) {
    MPI_Test(&request, &done, MPI_STATUS_IGNORE);
    if (done) return;
  }
}

World::World(int& argc, char**& argv, const std::string& node, Whereabouts& whereabouts) : whereabouts_(whereabouts) {
  // Before there are threads, which all inherit it: the watchdog alone takes the signal.
  const auto signals = end_signals();
  pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  int provided = 0, size = 1;
  MPI_Init_thread(&argc, &argv, MPI_THREAD_FUNNELED, &provided);
  MPI_Comm_rank(MPI_COMM_WORLD, &rank_);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  nodes_.resize(static_cast<std::size_t>(size));
  nodes_ = all(node);
  tell(whereabouts_.rank, name(rank_));
  watchdog_ = std::jthread([this](const std::stop_token& stop) { watch(stop); });
}

World::~World() {
  watchdog_.request_stop();
  watchdog_.join();
  MPI_Finalize();
}

std::vector<int> World::on_node_of(int rank) const {
  std::vector<int> ranks;
  for (int other = 0; other < size(); ++other)
    if (node(other) == node(rank)) ranks.push_back(other);
  return ranks;
}

std::vector<int> World::one_of_each_node() const {
  std::vector<int> ranks;
  for (int rank = 0; rank < size(); ++rank)
    if (on_node_of(rank).front() == rank) ranks.push_back(rank);
  return ranks;
}

std::string World::name(int rank) const { return fmt::format("rank {} on {}", rank, printable(node(rank))); }

void World::begin_phase(const std::string& name, double limit) {
  const std::lock_guard lock(mutex_);
  phase_ = name, limit_ = limit, begin_ = now();
  tell(whereabouts_.phase, name);
}

void World::meet() {
  arrive();
  barrier(MPI_COMM_WORLD);  // who sleeps has arrived and may still be stopped
}

void World::barrier(MPI_Comm first_ranks) {
  // Dissemination: Hensgen, Finkel, Manber, Int. J. Parallel Programming 17, 1988.
  int ranks = 1;
  MPI_Comm_size(first_ranks, &ranks);
  for (int distance = 1; distance < ranks; distance *= 2) {
    const int from = (rank_ - distance + ranks) % ranks;
    waits_for(from);
    MPI_Sendrecv(nullptr, 0, MPI_BYTE, (rank_ + distance) % ranks, barrier_tag, nullptr, 0, MPI_BYTE, from, barrier_tag,
                 first_ranks, MPI_STATUS_IGNORE);
  }
  waits_for(-1);
}

void World::arrive() {
  if (!is_root()) {
    MPI_Request request;
    MPI_Isend(nullptr, 0, MPI_BYTE, 0, arrived, MPI_COMM_WORLD, &request);
    wait_asleep(request);
    waits_for(0);
    MPI_Irecv(nullptr, 0, MPI_BYTE, 0, go_on, MPI_COMM_WORLD, &request);
    wait_asleep(request);
    return waits_for(-1);
  }
  for (int rank = 1; rank < size(); ++rank) {
    const std::lock_guard lock(mutex_);
    missing_.insert(rank);
  }
  for (int left = size() - 1; left > 0; --left) {
    MPI_Status status;
    Naps naps;
    for (int there = 0;; naps.next()) {
      MPI_Iprobe(MPI_ANY_SOURCE, arrived, MPI_COMM_WORLD, &there, &status);
      if (there) break;
    }
    MPI_Recv(nullptr, 0, MPI_BYTE, status.MPI_SOURCE, arrived, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    const std::lock_guard lock(mutex_);
    missing_.erase(status.MPI_SOURCE);
  }
  for (int rank = 1; rank < size(); ++rank) MPI_Send(nullptr, 0, MPI_BYTE, rank, go_on, MPI_COMM_WORLD);
}

double World::from(int from, double value) const {
  MPI_Bcast(&value, 1, MPI_DOUBLE, from, MPI_COMM_WORLD);
  return value;
}

std::vector<double> World::all(double value) const {
  std::vector<double> values(nodes_.size());
  MPI_Allgather(&value, 1, MPI_DOUBLE, values.data(), 1, MPI_DOUBLE, MPI_COMM_WORLD);
  return values;
}

std::vector<std::string> World::all(const std::string& text) const {
  constexpr std::size_t longest = 256;
  std::array<char, longest> mine{};
  std::strncpy(mine.data(), text.c_str(), longest - 1);
  std::vector<char> joined(longest * nodes_.size());
  MPI_Allgather(mine.data(), longest, MPI_CHAR, joined.data(), longest, MPI_CHAR, MPI_COMM_WORLD);
  std::vector<std::string> texts;
  for (std::size_t rank = 0; rank < nodes_.size(); ++rank) texts.emplace_back(joined.data() + rank * longest);
  return texts;
}

std::string World::awaited() const {
  std::vector<std::string> names;
  for (const int rank : missing_) names.push_back(name(rank));
  if (names.empty() && waits_for_ >= 0) names.push_back(name(waits_for_));
  constexpr std::size_t most = 4;
  const auto more = names.size() > most ? fmt::format(" and {} more", names.size() - most) : "";
  names.resize(std::min(names.size(), most));
  return names.empty() ? "for nobody that it knows of" : fmt::format("for {}{}", fmt::join(names, ", "), more);
}

void World::give_up(const std::string& why) const {
  fmt::print(stderr, "roofline_mpi: {}: phase {}: {}\n", name(rank_), phase_, why);
  std::fflush(nullptr);
  // The launcher ends the others at once: time for them to say whom they wait for. Who says nothing is the one.
  const timespec pause{1, 0};
  nanosleep(&pause, nullptr);
  ::_exit(exit_inconclusive);
}

void World::watch(const std::stop_token& stop) {
  const auto signals = end_signals();
  while (!stop.stop_requested()) {
    const timespec nap{0, 100'000'000};
    const bool ended = sigtimedwait(&signals, nullptr, &nap) == SIGTERM;
    const std::lock_guard lock(mutex_);
    // Of those that a launcher ends one line is enough.
    if (ended && !is_root()) ::_exit(exit_inconclusive);
    if (ended) give_up(fmt::format("ended by SIGTERM while it waited {}; another rank may have died", awaited()));
    // A rank that waits for nobody it could name lets others speak first.
    const double limit = limit_ + (missing_.empty() && waits_for_ < 0 ? grace : 0);
    if (limit_ > 0 && now() - begin_ > limit)
      give_up(fmt::format("took longer than {:.0f} s, and waits {} (--time-limit)", limit_, awaited()));
  }
}

}  // namespace roofline::mpi
