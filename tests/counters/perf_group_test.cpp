#include <gtest/gtest.h>

#include <cerrno>
#include <functional>
#include <map>
#include <memory>
#include <optional>

#include "bench/counters/perf/group.hpp"
#include "bench/counters/unavailable.hpp"
#include "tests/error_of.hpp"
#include "tests/sanitized.hpp"

namespace roofline::perf::perf_group_test {
namespace {

/// Answers for a kernel: the results of opening, and each counter's increase between start and stop.
struct FakeKernel final : System {
  int error = 0;  ///< of the open that comes after `good` ones
  int good = 1 << 20;
  std::uint64_t enabled = 1000, running = 1000;
  long short_by = 0;
  std::function<std::uint64_t(const Attribute&)> counts = [](const Attribute&) { return 0; };
  struct Counter {
    Attribute what;
    int leader;
  };
  std::map<int, Counter> open_ones;
  int next = 10, started = 0;

  int open(const Attribute& what, int, int, int leader) override {
    if (good-- <= 0) return -error;
    open_ones[next] = {what, leader < 0 ? next : leader};
    return next++;
  }
  int start(int) override { return ++started, 0; }
  int stop(int) override { return 0; }
  long read(int leader, std::vector<std::uint64_t>& words) override {
    std::size_t n = 3;
    for (const auto& [descriptor, counter] : open_ones)
      if (counter.leader == leader) words.at(n++) = counts(counter.what);
    words[0] = n - 3, words[1] = enabled, words[2] = running;
    return static_cast<long>(n * sizeof words[0]) - short_by;
  }
  void close(int descriptor) override { open_ones.erase(descriptor); }
};

const std::vector<Event> two{{"first", {4, 1}}, {"second", {4, 2}}};

std::string why_not(FakeKernel& kernel) {
  const auto why = testing::error_of<CountersUnavailable>([&] { Group(kernel, two, {1, 2}).count([] {}); });
  EXPECT_TRUE(kernel.open_ones.empty()) << "left open";
  EXPECT_EQ(why.find('\n'), std::string::npos);
  return why;
}

TEST(PerfGroup, ACountIsTheSumOverTheThreads) {
  FakeKernel kernel;
  kernel.counts = [](const Attribute& what) { return 10 * what.config; };
  EXPECT_EQ(Group(kernel, two, {1, 2, 3}).count([] {}), (EventCounts{{"first", 30}, {"second", 60}}));
  EXPECT_EQ(kernel.started, 3);
  EXPECT_TRUE(kernel.open_ones.empty());
}

TEST(PerfGroup, ARefusalIsOneLineWithItsSuggestionAndLeavesNothingOpen) {
  const std::map<int, std::string> suggestions{
      {ENOENT, "bare"},      {EACCES, "perf_event_paranoid"}, {EPERM, "perf_event_paranoid"},
      {EMFILE, "ulimit -n"}, {ENOSYS, "CONFIG_PERF_EVENTS"},  {EBUSY, "another program"},
      {EINVAL, "too old"},   {E2BIG, "perf_event_open"}};
  for (const auto& [error, suggestion] : suggestions)
    for (const int good : {0, 1, 3}) {
      FakeKernel kernel;
      kernel.error = error, kernel.good = good;
      const auto line = why_not(kernel);
      EXPECT_NE(line.find(suggestion), std::string::npos) << error << ": " << line;
      EXPECT_NE(line.find(good < 2 && good != 1 ? "first" : good == 1 ? "first" : "second"), std::string::npos) << line;
    }
  EXPECT_NE(refusal(EACCES, "x", "").find("seccomp"), std::string::npos);
}

TEST(PerfGroup, CountsOfPartOfTheTimeAreRefused) {
  FakeKernel kernel;
  kernel.running = 500;
  EXPECT_NE(why_not(kernel).find("50 % of the time"), std::string::npos);
  kernel.running = 0;  // a group that never fitted
  EXPECT_NE(why_not(kernel).find("0 % of the time"), std::string::npos);
  kernel.enabled = 0;  // a thread that slept
  EXPECT_EQ(why_not(kernel), "no error");
}

TEST(PerfGroup, AShortReadIsRefused) {
  FakeKernel kernel;
  kernel.short_by = 8;
  EXPECT_NE(why_not(kernel).find("fell apart"), std::string::npos);
}

TEST(PerfGroup, TheRealCallCountsSoftwareEventsInAllThreads) {
  // Not task-clock: as a member of a group of others it read 0 now and then on a busy machine.
  constexpr std::uint32_t software = 1;
  constexpr std::size_t pages = 64, page = 4096;
  std::optional<Group> group;
  try {
    group.emplace(this_kernel(), std::vector<Event>{{"page-faults", {software, 2}}, {"minor-faults", {software, 5}}},
                  threads_of_this_process());
  } catch (const CountersUnavailable& why) {
    GTEST_SKIP() << why.what();
  }
  const auto touch = [&](std::size_t n) {
    return group->count([n] {
      const auto memory = std::make_unique_for_overwrite<char[]>((n + 512) * page);
      for (std::size_t i = 0; i < n; ++i) static_cast<volatile char*>(memory.get())[i * page] = 1;
    });
  };
  const auto few = touch(0), more = touch(pages * 512);
  EXPECT_GT(more.at("page-faults"), few.at("page-faults"));
  EXPECT_GT(more.at("minor-faults"), few.at("minor-faults"));
  EXPECT_TRUE(testing::sanitized || few.at("page-faults") < pages) << "the first count is in the second one";
}

}  // namespace
}  // namespace roofline::perf::perf_group_test
