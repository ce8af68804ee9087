#include "tools/mpi/world.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstring>
#include <new>

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

constexpr int go_ahead = 10, ask = 11, answer = 12;  // tags
constexpr int round_trips = 200;
constexpr double enough = 0.2;  // seconds of them: more ranks than cores take turns, and long ones
constexpr double longest = 10;  // seconds until an offset is old

volatile pid_t worker = 0;
void pass_on(int signal) {
  if (worker > 0) ::kill(worker, signal);
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
  phase_ = name, limit_ = limit, begin_ = own_time();
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
  // The launcher ends the others at once, so they get time to say whom they wait for. A rank that says nothing is the
  // one that hangs.
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
    // One line is enough if a launcher ends several ranks.
    if (ended && !is_root()) ::_exit(exit_inconclusive);
    if (ended) give_up(fmt::format("ended by SIGTERM while it waited {}; another rank may have died", awaited()));
    // A rank that waits for nobody it could name lets others speak first.
    const double limit = limit_ + (missing_.empty() && waits_for_ < 0 ? grace : 0);
    if (limit_ > 0 && own_time() - begin_ > limit)
      give_up(fmt::format("took longer than {:.0f} s, and waits {} (--time-limit)", limit_, awaited()));
  }
}

double Clocks::now() const { return own_time() + offset_; }

void Clocks::keep_right() {
  if (world_.from(0, own_time() - measured_) > longest) measure();
}

void Clocks::measure() {
  world_.meet();
  double other = 0;
  for (int rank = 1; rank < world_.size() && world_.is_root(); ++rank) {
    world_.waits_for(rank);
    MPI_Send(nullptr, 0, MPI_BYTE, rank, go_ahead, MPI_COMM_WORLD);
    for (bool last = false; !last;) {
      MPI_Recv(&other, 1, MPI_DOUBLE, rank, ask, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      last = other != 0, other = own_time();
      MPI_Send(&other, 1, MPI_DOUBLE, rank, answer, MPI_COMM_WORLD);
    }
    world_.waits_for(-1);
  }
  if (!world_.is_root()) {
    MPI_Request request;
    MPI_Irecv(nullptr, 0, MPI_BYTE, 0, go_ahead, MPI_COMM_WORLD, &request);
    wait_asleep(request);
    double shortest = 1e9;
    const double until = own_time() + enough;
    for (int i = 1; i <= round_trips; ++i) {
      const double begin = own_time();
      if (begin > until) i = round_trips;
      other = i == round_trips;
      MPI_Send(&other, 1, MPI_DOUBLE, 0, ask, MPI_COMM_WORLD);
      MPI_Recv(&other, 1, MPI_DOUBLE, 0, answer, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
      const double end = own_time();
      if (end - begin >= shortest) continue;
      shortest = end - begin;
      offset_ = other - (begin + end) / 2;
    }
    doubt_ = shortest / 2;
  }
  world_.meet();
  measured_ = own_time();
}

int run_watched(const std::function<int(Whereabouts&)>& work) {
  void* const shared = ::mmap(nullptr, sizeof(Whereabouts), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
  if (shared == MAP_FAILED) throw std::bad_alloc();
  auto& at = *new (shared) Whereabouts{{"a rank"}, {"start"}};
  const pid_t self = ::getpid(), child = ::fork();
  if (child < 0) return work(at);  // unwatched, but measured
  if (child == 0) {
    // Whoever ends the watcher means the work.
    ::prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (::getppid() != self) ::_exit(exit_inconclusive);
    return work(at);
  }
  worker = child;
  for (const int signal : {SIGTERM, SIGINT, SIGHUP}) ::signal(signal, pass_on);
  int status = 0;
  while (::waitpid(child, &status, 0) < 0 && errno == EINTR) continue;
  const int code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
  if (code >= 0 && code <= exit_io) return code;
  const auto how = code < 0 ? fmt::format("killed by signal {} ({})", WTERMSIG(status), ::strsignal(WTERMSIG(status)))
                            : fmt::format("ended by MPI with code {}", code);
  fmt::print(stderr, "roofline_mpi: {}: phase {}: {}\n", at.rank.data(), at.phase.data(), how);
  return exit_inconclusive;
}

}  // namespace roofline::mpi
