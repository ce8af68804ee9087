#include "bench/run/time_keeper.hpp"

#include <algorithm>

namespace roofline {

double TimeKeeper::share(int rows, double usual) const {
  if (!limited()) return usual;
  // Setting a row up and verifying it takes about as long as timing it.
  return std::clamp(left() / std::max(1, rows) / 2, 0.0, usual);
}

}  // namespace roofline
