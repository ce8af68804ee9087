#include <gtest/gtest.h>

#include <sstream>

#include "bench/session.hpp"
#include "reporters/roofline_reporter.hpp"

namespace roofline {
namespace {

/// A launch that takes a millisecond by its own account, however often it is made.
Workload workload(double work) {
  Workload w;
  w.launch = [] {};
  w.time = [](int batch) { return 1e-3 * batch; };
  w.check = [] { return Check{}; };
  w.work = work;
  return w;
}

class SessionCeilings : public ::testing::Test {
 protected:
  void add(const char* name, std::vector<std::function<Workload()>> make) {
    CeilingVariant variant;
    variant.ceiling.name = name;
    variant.make = std::move(make);
    suite_.add_ceiling(std::move(variant));
  }
  const Results& run() {
    options_.quick = true;
    options_.min_time = 0;
    for (const auto& ceiling : suite_.ceilings()) plan_.ceilings.push_back(&ceiling);
    session_ = std::make_unique<Session>(suite_, options_, plan_, CounterSource());
    benchmark::JSONReporter json;
    json.SetOutputStream(&text_), json.SetErrorStream(&text_);
    session_->run_ceilings(json);
    return session_->results();
  }

  Machine machine_;
  Suite suite_{machine_, 1};
  Options options_;
  Plan plan_;
  std::ostringstream text_;
  std::unique_ptr<Session> session_;
};

TEST_F(SessionCeilings, OfAResourceThatIsNotThereAreLeftOutAndNoFailure) {
  add("ceiling/one", {[]() -> Workload { throw NoSuchCeiling("one L2"); }});
  add("ceiling/two", {[] { return workload(2e6); }});
  const auto& results = run();
  EXPECT_TRUE(results.failures.empty());
  EXPECT_EQ(results.left_out, (std::vector<std::string>{"ceiling/one: one L2"}));
  ASSERT_EQ(results.roofline.ceilings().size(), 1u);
  EXPECT_EQ(results.roofline.ceilings()[0].name, "ceiling/two");
}

TEST_F(SessionCeilings, AnyOtherTroubleFailsTheirRow) {
  add("ceiling/one", {[]() -> Workload { throw std::runtime_error("no memory"); }});
  EXPECT_EQ(run().failures, (std::vector<std::pair<std::string, std::string>>{{"ceiling/one", "no memory"}}));
}

TEST_F(SessionCeilings, AreTheBestOfTheirVariants) {
  add("ceiling/one", {[] { return workload(1e6); }, [] { return workload(3e6); }, [] { return workload(2e6); }});
  const auto& best = run().roofline.ceilings().at(0);
  EXPECT_EQ(best.rate, 3e9);
  EXPECT_EQ(best.winner, 1u);
  EXPECT_FALSE(best.theory);
}

}  // namespace
}  // namespace roofline
