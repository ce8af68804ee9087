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

}  // namespace roofline
