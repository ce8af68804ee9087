#include "bench/run/time_keeper.hpp"

#include <algorithm>

namespace roofline {

double TimeKeeper::share(int rows, double usual) const {
  if (!limited()) return usual;
  // Setting a row up and verifying it takes about as long as timing it.
  return std::clamp(left() / std::max(1, rows) / 2, 0.0, usual);
}

double TimeKeeper::share_of_ceiling(int rows, double usual) const {
  if (!limited()) return usual;
  // Most are not slow, and the ones of DRAM, which are, come last.
  constexpr double room = 1.5;
  return std::clamp(room * (ceilings_part() * seconds_ - elapsed()) / std::max(1, rows), 0.0, usual);
}

bool EvenShare::picks(double share) {
  owed_ += std::clamp(share, 0.0, 1.0);
  if (owed_ < 1) return false;
  --owed_;
  return true;
}

}  // namespace roofline
