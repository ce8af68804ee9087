#pragma once
#include <array>
#include <functional>

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

}  // namespace roofline::mpi
