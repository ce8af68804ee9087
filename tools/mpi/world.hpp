#pragma once
#include <mpi.h>

#include <array>
#include <atomic>
#include <functional>
#include <mutex>
#include <set>
#include <string>
#include <thread>
#include <vector>

#include "bench/machine/clock.hpp"

namespace roofline::mpi {

/// Where a rank is: it writes, and the process that started it tells, should it die.
struct Whereabouts {
  std::array<char, 128> rank;  ///< "rank 3 on n2"
  std::array<char, 32> phase;
};

/// Does the work in a process of its own and returns its exit code. One that dies, by a signal or because MPI ends it,
/// has 3 for its code and one line that names rank and phase: launchers would return the number of a signal. Call it
/// before MPI and threads.
int run_watched(const std::function<int(Whereabouts&)>& work);

/// All ranks of a launch, and who waits for whom. One object for each process, from MPI_Init to MPI_Finalize.
///
/// A phase that takes longer than its limit ends the process with exit code 3 and one line that names the phase, this
/// rank and the ranks that it waits for; a launcher then ends the others. SIGTERM does the same. A launcher sends it
/// when another rank has died, and the rank that watched it says so. Output that rank 0 has written so far stays.
class World {
 public:
  World(int& argc, char**& argv, const std::string& node, Whereabouts& whereabouts);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  int rank() const { return rank_; }
  int size() const { return static_cast<int>(nodes_.size()); }
  bool is_root() const { return rank_ == 0; }
  const std::string& node(int rank) const { return nodes_[static_cast<std::size_t>(rank)]; }
  /// Ranks on the node of `rank`, ascending.
  std::vector<int> on_node_of(int rank) const;
  /// The first rank of each node, ascending.
  std::vector<int> one_of_each_node() const;
  /// "rank 3 on n2".
  std::string name(int rank) const;

  /// From now on this is the phase; 0 seconds: without a limit.
  void begin_phase(const std::string& name, double limit);
  /// Until all ranks are here. Whoever waits sleeps, so that its core is free for those that still work.
  void meet();
  /// A barrier of the first ranks of all, which knows whom it waits for and does not sleep.
  void barrier(MPI_Comm first_ranks);
  /// This rank is about to wait for another one, in case that it never comes; -1: it does not.
  void waits_for(int rank) { waits_for_ = rank; }

  /// A value of rank `from`, on all ranks.
  double from(int from, double value) const;
  /// The values of all ranks, on all ranks, by rank.
  std::vector<double> all(double value) const;
  /// The texts of all ranks, on all ranks, by rank.
  std::vector<std::string> all(const std::string& text) const;

 private:
  void arrive();
  void watch(const std::stop_token& stop);
  [[noreturn]] void give_up(const std::string& why) const;
  std::string awaited() const;

  Whereabouts& whereabouts_;
  int rank_ = 0;
  std::vector<std::string> nodes_;
  std::atomic<int> waits_for_ = -1;
  mutable std::mutex mutex_;  ///< of what follows
  std::string phase_;
  double limit_ = 0, begin_ = 0;
  std::set<int> missing_;  ///< of a meeting, on rank 0
  std::jthread watchdog_;  ///< the last member: it uses the others
};

/// Waits without using the core: tests, and sleeps in between.
void wait_asleep(MPI_Request& request);

/// Seconds on this rank's own clock.
inline double own_time() { return seconds_of(CLOCK_MONOTONIC); }

/// The correction that makes this rank's clock show rank 0's. It is found by ping-pong: the shortest of many round
/// trips tells most (Cristian, Distributed Computing 3, 1989). Measured again when it is older than 10 s, because
/// clocks drift apart.
class Clocks {
 public:
  explicit Clocks(World& world) : world_(world) {}

  /// All ranks call it at the same place.
  void keep_right();
  /// Seconds on rank 0's clock.
  double now() const;
  /// Half of the shortest round trip to rank 0: the offset is known to that.
  double doubt() const { return doubt_; }

 private:
  void measure();

  World& world_;
  double offset_ = 0, doubt_ = 0, measured_ = -1e9;
};

}  // namespace roofline::mpi
