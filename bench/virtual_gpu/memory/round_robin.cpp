#include <algorithm>
#include <span>

#include "bench/machine/interrupt.hpp"
#include "bench/virtual_gpu/memory/running_launch.hpp"

namespace roofline {
namespace {

/// The requests of a warp in a step, and how many of them were sent.
struct Request {
  std::span<const LineAccess> lines;
  std::size_t sent = 0;
};

/// One step of all warps of an SM: the k-th requests of all warps go through L1 before the (k+1)-th of any. Lines that
/// must go on to L2 are appended to their request's list in `behind`.
void step_together(RunningLaunch& launch, unsigned number, std::vector<Request>& of_warps,
                   std::vector<std::vector<LineAccess>>& behind) {
  auto& warps = launch.sms()[number].warps;
  if (of_warps.size() < warps.size()) of_warps.resize(warps.size());
  std::size_t requests = 0;
  for (std::size_t w = 0; w < warps.size(); ++w) {
    auto& [lines, sent] = of_warps[w];
    lines = launch.step(number, warps[w]).lines;
    sent = 0;
    launch.count(asked_for(lines));
    if (!lines.empty()) requests = std::max<std::size_t>(requests, lines.back().request + 1u);
  }
  if (behind.size() < requests) behind.resize(requests);
  for (std::size_t request = 0; request < requests; ++request)
    for (std::size_t w = 0; w < warps.size(); ++w) {
      auto& [lines, sent] = of_warps[w];
      for (; sent < lines.size() && lines[sent].request == request; ++sent)
        launch.memory().access_l1(number, lines[sent], behind[request]);
    }
}

/// Many blocks end at once: as at the start, the next ones go to the SMs in turn.
void refill(RunningLaunch& launch) {
  const auto sms = static_cast<unsigned>(launch.sms().size());
  std::vector<std::vector<unsigned>> free(sms);
  std::size_t turns = 0;
  for (unsigned sm = 0; sm < sms; ++sm) {
    launch.retire(sm, [&](unsigned slot) { free[sm].push_back(slot); });
    turns = std::max(turns, free[sm].size());
  }
  for (std::size_t turn = 0; turn < turns; ++turn)
    for (unsigned sm = 0; sm < sms; ++sm)
      if (turn < free[sm].size()) launch.dispatch(sm, free[sm][turn], 0);
}

}  // namespace

// L1s know nothing of each other, so each is done with a step before the next begins; L2 then sees the requests in
// their order.
void run_round_robin(RunningLaunch& launch) {
  std::vector<Request> of_warps;                // of an SM
  std::vector<std::vector<LineAccess>> behind;  // of each request
  for (std::uint64_t step = 1; !launch.over(); ++step) {
    stop_if_interrupted();
    for (unsigned sm = 0; sm < launch.sms().size(); ++sm) step_together(launch, sm, of_warps, behind);
    for (auto& request : behind) {
      launch.memory().prefetch_l2(request);
      // All that the warps ask for in a step is on its way together.
      launch.memory().access_l2(
          request, [&](const LineAccess& access, DramSectors) { launch.memory().in_flight(access, step, step); });
      request.clear();
    }
    launch.watch();
    refill(launch);
  }
}

}  // namespace roofline
