#include <gtest/gtest.h>

#include <algorithm>
#include <csignal>
#include <cstdint>
#include <cstdlib>
#include <nlohmann/json.hpp>
#include <thread>

#include "bench/machine/interrupt.hpp"
#include "bench/storage/stored_run.hpp"
#include "tests/command_line.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline::interrupted_runs_test {
namespace {

using Json = nlohmann::ordered_json;

/// Two ceilings and two rows whose launches take what they say, one wrong row and one ceiling that is not here. A run
/// of it has over a hundred records of every kind.
class InterruptedRuns : public SessionCeilings {
 protected:
  InterruptedRuns() {
    for (const auto& [mix, bytes] : {std::pair("read", 2e6), {"copy", 3e6}}) {
      CeilingVariant variant;
      variant.ceiling = example::memory(MemoryLevel::DRAM, mix, 0, 1);
      variant.make = {[bytes = bytes] { return workload(bytes); }};
      suite_.add_ceiling(std::move(variant));
    }
    add("ceiling/absent", {[]() -> CeilingWork { throw NoSuchCeiling("one L2"); }});
    add_row("a", Check{}), add_row("b", Check{}), add_row("wrong", Check{false, "element 3: got 1, expected 2"});
    for (const auto& variant : suite_.variants()) plan_.kernels.push_back(&variant);
    for (const auto& ceiling : suite_.ceilings()) plan_.ceilings.push_back(&ceiling);
    counter_ = std::make_shared<CounterFunction>([](auto&, auto&) { return std::optional(read_from_dram(2e6)); });
    options_.time_limit = 1e6;  // all rounds, however busy the machine is
  }
  void add_row(const char* name, const Check& check) {
    Workload kernel;
    static_cast<Runnable&>(kernel) = workload(0);
    kernel.check = [check] { return check; };
    suite_.add({.name = name, .family = "family", .make = [=] { return kernel; }});
  }
  /// Runs on from these lines and adds what it finds. It is interrupted when there are `most` lines.
  Results run_on(std::vector<std::string>& lines, std::size_t most = SIZE_MAX) {
    records_ = Records(lines, [&](const std::string& line) {
      lines.push_back(line);
      if (lines.size() == most) std::raise(SIGINT);
    });
    return measured(Session(suite_, options_, plan_, records_, counter_));
  }
  /// A run without what a clock on the wall decides.
  static Json lasting(const Results& results) {
    auto run = stored_run(results);
    for (const std::string key : {"timer", "noise", "warnings", "checks", "gpu_facts"}) run.erase(key);
    for (auto& point : run["points"]) {
      point.erase(std::string("cpu_seconds"));
      for (auto& sample : point["times"]) sample.erase(std::string("start"));
    }
    return run;
  }
};

TEST_F(InterruptedRuns, AnyFirstPartOfAJournalGivesTheResultsOfThatMoment) {
  std::vector<std::string> lines;
  run_on(lines);
  ASSERT_GT(lines.size(), 100u);
  const auto in_process = records_.all();
  ASSERT_EQ(in_process.size(), lines.size());
  std::size_t rounds_before = 0;
  for (std::size_t n = 0; n <= lines.size(); ++n) {
    const auto results = results_of(Records({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(n)}).all());
    const auto at_that_moment = results_of({in_process.begin(), in_process.begin() + static_cast<std::ptrdiff_t>(n)});
    ASSERT_EQ(stored_run(results), stored_run(at_that_moment)) << "after record " << n;
    EXPECT_EQ(results.interrupted, n < lines.size()) << n;
    std::size_t rounds = 0;
    for (const auto& point : results.points)
      if (point.name != "wrong") rounds += static_cast<std::size_t>(point.rounds());
    EXPECT_GE(rounds, rounds_before) << "a later record has taken a round away, " << n;
    rounds_before = rounds;
  }
  EXPECT_EQ(stored_run(results_), stored_run(results_of(Records(lines).all())));
}

/// In a process of its own, since an interrupt is for the whole process.
void run_until_interrupted(const std::function<bool()>& run) {
  EXPECT_EXIT(
      {
        catch_interrupts();
        bool is_right = false;
        // The thread that forked believes in a team of OpenMP whose threads stayed behind.
        std::thread([&] { is_right = run(); }).join();
        std::_Exit(is_right ? 0 : 1);
      },
      ::testing::ExitedWithCode(0), "");
}

TEST_F(InterruptedRuns, GoOnToTheSameResults) {
  std::vector<std::string> whole;
  const auto wanted = lasting(run_on(whole));
  ASSERT_FALSE(results_.interrupted);
  ASSERT_EQ(results_.points.size(), 2u);
  ASSERT_EQ(results_.failures.size(), 1u);
  // Another run of it may have a record less, where no other program disturbs it.
  const auto is_certain = [](const std::string& line) { return line.find("\"warnings\"") == line.npos; };
  const auto records = static_cast<std::size_t>(std::count_if(whole.begin(), whole.end(), is_certain));
  // Twenty moments over the whole run, its first record and the last but one among them.
  for (std::size_t moment = 0; moment < 20; ++moment) {
    const auto most = 1 + moment * (records - 2) / 19;
    SCOPED_TRACE(most);
    const testing::Scratch folder;
    const auto journal = folder / "journal";
    run_until_interrupted([&] {
      std::vector<std::string> lines;
      const auto shown = run_on(lines, most);
      std::ofstream file(journal);
      for (const auto& line : lines) file << line << "\n";
      return shown.interrupted && stored_run(shown) == stored_run(results_of(Records(lines).all()));
    });
    std::vector<std::string> lines;
    std::istringstream text(testing::contents(journal));
    for (std::string line; std::getline(text, line);) lines.push_back(line);
    ASSERT_GE(lines.size(), most);
    EXPECT_EQ(lasting(run_on(lines)), wanted);
    EXPECT_FALSE(results_.interrupted);
  }
}

}  // namespace
}  // namespace roofline::interrupted_runs_test
