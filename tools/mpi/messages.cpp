#include "tools/mpi/messages.hpp"

#include <algorithm>

#include "tools/mpi/links.hpp"

namespace roofline::mpi {

double MessageRoofline::attainable(const MessagePoint& point) const {
  return std::min(point.messages * point.bytes / roof.latency, roof.bandwidth);
}

MessageRoofline measure_messages(World& world, double largest, double seconds) {
  constexpr int fewest = 5;
  MessageRoofline found;
  const auto nodes = world.one_of_each_node();
  found.b = nodes.size() > 1 ? nodes[1] : 1;
  Link link{found.a, found.b, {}, {}};
  for (const int messages : {1, 4, 16})
    for (double bytes = 1; bytes * messages <= largest; bytes *= 4) {
      world.meet();
      std::vector<double> times;
      if (world.rank() == found.a || world.rank() == found.b)
        times = message_seconds(world, found.a + found.b - world.rank(), static_cast<int>(bytes), messages, seconds,
                                fewest);
      const auto own = times.empty() ? Interval{} : median_interval(times);
      found.points.push_back(
          {messages, bytes, {world.from(0, own.median), world.from(0, own.low), world.from(0, own.high)}});
      if (messages == 1) link.bytes.push_back(bytes), link.seconds.push_back(found.points.back().seconds);
    }
  found.roof = fit(link);
  // Within a node the largest messages leave the caches: the roof is what any size reaches.
  for (std::size_t i = 0; i < link.bytes.size(); ++i)
    found.roof.bandwidth = std::max(found.roof.bandwidth, link.rate(i));
  return found;
}

}  // namespace roofline::mpi
