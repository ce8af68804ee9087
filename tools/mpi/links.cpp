#include "tools/mpi/links.hpp"

#include <algorithm>

#include "tools/mpi/world.hpp"

namespace roofline::mpi {
namespace {

constexpr int payload = 20, count = 21;  // tags
constexpr int most_trips = 200;

/// Values of a rank for every rank.
std::vector<double> gathered(const World& world, const std::vector<double>& own) {
  std::vector<double> all(own.size() * static_cast<std::size_t>(world.size()));
  const auto n = static_cast<int>(own.size());
  MPI_Allgather(own.data(), n, MPI_DOUBLE, all.data(), n, MPI_DOUBLE, MPI_COMM_WORLD);
  return all;
}

class LinkPhase {
 public:
  LinkPhase(World& world, const LinkOptions& options) : world_(world), options_(options) {
    for (double size = 1; size <= options.largest; size *= 4) sizes_.push_back(size);
  }

  LinkReport operator()() {
    LinkReport report;
    report.ends = world_.one_of_each_node();
    if (report.ends.size() == 1)
      for (int rank = 1; rank < world_.size(); ++rank) report.ends.push_back(rank);
    const auto rounds = disjoint_rounds(static_cast<int>(report.ends.size()));
    for (const auto& round : rounds) measure(ranks_of(round, report.ends), report.links);
    bisect(report);
    report.findings = judge_links(report.links);
    if (report.findings.empty()) return report;
    std::vector<std::vector<Link>> again(2);
    for (auto& links : again)
      for (const auto& finding : report.findings) measure_again(finding, report, links);
    report.findings = judge_links(report.links, again);
    return report;
  }

 private:
  static Pairs ranks_of(const Pairs& round, const std::vector<int>& ends) {
    Pairs pairs;
    for (const auto& [a, b] : round)
      pairs.emplace_back(ends[static_cast<std::size_t>(a)], ends[static_cast<std::size_t>(b)]);
    return pairs;
  }

  /// All pairs of a round at once.
  void measure(const Pairs& round, std::vector<Link>& links) {
    std::vector<double> own(3 * sizes_.size());
    world_.meet();
    for (const auto& [a, b] : round) {
      if (world_.rank() != a && world_.rank() != b) continue;
      for (std::size_t i = 0; i < sizes_.size(); ++i) {
        const auto seconds = message_seconds(world_, a + b - world_.rank(), static_cast<int>(sizes_[i]), 1,
                                             options_.seconds, options_.fewest);
        if (seconds.empty()) continue;
        const auto interval = median_interval(seconds);
        own[3 * i] = interval.median, own[3 * i + 1] = interval.low, own[3 * i + 2] = interval.high;
      }
    }
    world_.meet();
    const auto all = gathered(world_, own);
    for (const auto& [a, b] : round) {
      Link link{a, b, sizes_, {}};
      const double* of_a = all.data() + static_cast<std::size_t>(a) * own.size();
      for (std::size_t i = 0; i < sizes_.size(); ++i, of_a += 3) link.seconds.push_back({of_a[0], of_a[1], of_a[2]});
      links.push_back(std::move(link));
    }
  }

  /// Measures a suspect link alone; for a rank two of its links, one after the other.
  void measure_again(const LinkFinding& finding, const LinkReport& report, std::vector<Link>& links) {
    constexpr int most = 2;
    int measured = 0;
    for (const auto& link : report.links) {
      const bool is_one =
          finding.b < 0 ? link.a == finding.a || link.b == finding.a : link.a == finding.a && link.b == finding.b;
      if (is_one && measured++ < most) measure({{link.a, link.b}}, links);
    }
  }

  /// The first half of the ends against the second, both directions at once.
  void bisect(LinkReport& report) {
    const auto half = report.ends.size() / 2;
    if (half == 0) return;
    const auto place = std::find(report.ends.begin(), report.ends.end(), world_.rank()) - report.ends.begin();
    const auto i = static_cast<std::size_t>(place);
    const int partner = i < half ? report.ends[i + half] : i < 2 * half ? report.ends[i - half] : -1;
    const auto bytes = static_cast<int>(sizes_.back());
    std::vector<char> out(static_cast<std::size_t>(bytes)), in(out.size());
    std::vector<double> seconds;
    for (int trip = 0; trip < options_.fewest; ++trip) {
      world_.meet();
      const double begin = own_time();
      if (partner >= 0) {
        world_.waits_for(partner);
        MPI_Sendrecv(out.data(), bytes, MPI_CHAR, partner, payload, in.data(), bytes, MPI_CHAR, partner, payload,
                     MPI_COMM_WORLD, MPI_STATUS_IGNORE);
        world_.waits_for(-1);
      }
      const double own = partner >= 0 ? own_time() - begin : 0;
      world_.meet();
      const auto all = world_.all(own);
      seconds.push_back(*std::max_element(all.begin(), all.end()));
    }
    report.bisection_pairs = static_cast<int>(half);
    report.bisection = 2.0 * static_cast<double>(half) * bytes / median(seconds);
  }

  World& world_;
  const LinkOptions& options_;
  std::vector<double> sizes_;
};

}  // namespace

LinkReport measure_links(World& world, const LinkOptions& options) { return LinkPhase(world, options)(); }

std::vector<double> message_seconds(World& world, int partner, int bytes, int messages, double budget, int fewest) {
  const bool first = world.rank() < partner;
  std::vector<char> buffer(static_cast<std::size_t>(bytes) * static_cast<std::size_t>(messages));
  std::vector<MPI_Request> requests(static_cast<std::size_t>(messages));
  const auto burst = [&](bool sends) {
    for (int i = 0; i < messages; ++i) {
      char* const at = buffer.data() + static_cast<std::ptrdiff_t>(bytes) * i;
      auto* const request = &requests[static_cast<std::size_t>(i)];
      if (sends)
        MPI_Isend(at, bytes, MPI_CHAR, partner, payload, MPI_COMM_WORLD, request);
      else
        MPI_Irecv(at, bytes, MPI_CHAR, partner, payload, MPI_COMM_WORLD, request);
    }
    MPI_Waitall(messages, requests.data(), MPI_STATUSES_IGNORE);
  };
  const auto round_trip = [&] {
    const double begin = own_time();
    burst(first), burst(!first);
    return own_time() - begin;
  };
  world.waits_for(partner);
  // A first one that is long is one of the few that there is time for.
  const double warm = round_trip();
  const bool counts = warm > budget;
  int trips = static_cast<int>(std::clamp(budget / warm, double(fewest - counts), double{most_trips}));
  if (first)
    MPI_Send(&trips, 1, MPI_INT, partner, count, MPI_COMM_WORLD);
  else
    MPI_Recv(&trips, 1, MPI_INT, partner, count, MPI_COMM_WORLD, MPI_STATUS_IGNORE);
  std::vector<double> seconds;
  if (first && counts) seconds.push_back(warm / 2);
  for (int i = 0; i < trips; ++i)
    if (const double both_ways = round_trip(); first) seconds.push_back(both_ways / 2);
  world.waits_for(-1);
  return seconds;
}

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
