#include "tools/mpi/clocks.hpp"

namespace roofline::mpi {
namespace {

constexpr int go_ahead = 10, ask = 11, answer = 12;  // tags
constexpr int round_trips = 200;
constexpr double enough = 0.2;  // seconds of them: more ranks than cores take turns, and long ones
constexpr double longest = 10;  // seconds until an offset is old

}  // namespace

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

}  // namespace roofline::mpi
