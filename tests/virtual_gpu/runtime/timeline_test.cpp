#include "bench/virtual_gpu/runtime/timeline.hpp"

#include <gtest/gtest.h>

namespace roofline::runtime::timeline_test {
namespace {

using Engine = Timeline::Engine;

TEST(Timeline, AStreamWorksInOrder) {
  Timeline time;
  Timeline::Lane lane;
  EXPECT_DOUBLE_EQ(time.submit(lane, Engine::compute, 1), 1);
  EXPECT_DOUBLE_EQ(time.submit(lane, Engine::download, 2), 3);
  EXPECT_FALSE(time.done(lane));
  time.wait(3);
  EXPECT_TRUE(time.done(lane));
}

TEST(Timeline, StreamsOverlapUnlessTheyNeedTheSameEngine) {
  Timeline time;
  Timeline::Lane a, b, c;
  time.submit(a, Engine::compute, 5);
  EXPECT_DOUBLE_EQ(time.submit(b, Engine::upload, 2), 2);
  EXPECT_DOUBLE_EQ(time.submit(c, Engine::compute, 1), 6);
}

TEST(Timeline, TheLegacyStreamWaitsForBlockingStreamsAndTheyForIt) {
  Timeline time;
  Timeline::Lane blocking, free;
  free.blocking = false;
  time.submit(blocking, Engine::upload, 4);
  EXPECT_DOUBLE_EQ(time.submit_legacy(Engine::compute, 1), 5);
  EXPECT_DOUBLE_EQ(time.submit(blocking, Engine::download, 1), 6);
  EXPECT_DOUBLE_EQ(time.submit(free, Engine::upload, 1), 5);  // the engine was free at 4
}

TEST(Timeline, CallsTakeTimeSoThatPollingEnds) {
  Timeline time;
  Timeline::Lane lane;
  time.submit(lane, Engine::compute, 1e-4);
  int polls = 0;
  while (!time.done(lane)) time.call(), ++polls;
  EXPECT_GT(polls, 10);
  EXPECT_LT(polls, 1000);
}

TEST(Timeline, WhoPollsForASecondDoesNotPollAMillionTimes) {
  Timeline time;
  Timeline::Lane lane;
  const double end = time.submit(lane, Engine::compute, 1);
  int polls = 0;
  while (!time.asked(end)) {
    ASSERT_LT(++polls, 1000);
    time.call();
  }
  EXPECT_GT(polls, 20) << "a wait, not a poll";
  EXPECT_NEAR(time.now(), end, 1e-3) << "a device that is done sooner than it is";
}

}  // namespace
}  // namespace roofline::runtime::timeline_test
