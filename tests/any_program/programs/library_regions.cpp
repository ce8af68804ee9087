// Regions of the project's library, one within the other; its report is left out.
#include <cstdio>

#include "bench/library/region.cpp"  // its headers once

namespace roofline {
void write_region_report(std::ostream&) {}
}  // namespace roofline

[[gnu::noipa]] double divide(double t, int times) {
  for (int i = 0; i < times; ++i) t = 1.5 / t;
  return t;
}

int main() {
  double sum = divide(2, 100);  // in no region
  {
    const roofline::Region whole("whole");
    divide(3, 1000);
    for (int i = 0; i < 5; ++i) {
      const roofline::Region part("part");
      divide(4, 10);
    }
  }
  std::printf("%d\n", sum > 0);
}
