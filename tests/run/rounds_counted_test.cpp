#include "tests/command_line.hpp"
#include "tests/session_ceilings.hpp"

namespace roofline::rounds_counted_test {
namespace {

/// Counts a launch as some bytes from DRAM, and counts how often it was asked.
class Repeating final : public CounterSource {
 public:
  explicit Repeating(bool repeats) : repeats_(repeats) {}
  std::optional<Counts> count(const std::string&, const Workload&) override {
    ++asked;
    Counts counts;
    counts.modelled_device = "host";
    counts.at(MemoryLevel::DRAM) = Traffic{bytes, 0};
    return counts;
  }
  bool repeats() const override { return repeats_; }

  double bytes = 3e6;
  int asked = 0;

 private:
  bool repeats_;
};

class CountsOfRows : public SessionCeilings {
 protected:
  /// The bytes of three rows in a run of them.
  std::vector<double> bytes_of_a_run() {
    suite_ = Suite(cpu_target(machine(), 1)), plan_ = {};
    for (const char* name : {"a", "b", "c"}) {
      Workload kernel;
      static_cast<Runnable&>(kernel) = workload(0);
      suite_.add({.name = name, .family = "kernel", .make = [=] { return kernel; }});
    }
    for (const auto& variant : suite_.variants()) plan_.kernels.push_back(&variant);
    counter_ = counting_;
    counting_->asked = 0;
    std::vector<double> bytes;
    for (const auto& point : run().points) bytes.push_back(point.counts.at(MemoryLevel::DRAM)->read);
    return bytes;
  }

  /// What the last run says about counts; it may also have a warning about other programs.
  std::string told() const {
    std::string text;
    for (const auto& line : results_.warnings)
      if (line.find("counted anew") != std::string::npos) text += line + "\n";
    return text;
  }

  const testing::CacheFolder folder_;
  std::shared_ptr<Repeating> counting_ = std::make_shared<Repeating>(true);
  const std::vector<double> counted_{3e6, 3e6, 3e6}, otherwise_{4e6, 4e6, 4e6};
};

TEST_F(CountsOfRows, AreKeptForTheNextRunWhichCountsOneOfThemAnew) {
  EXPECT_EQ(bytes_of_a_run(), counted_);
  EXPECT_EQ(counting_->asked, 3);
  EXPECT_EQ(bytes_of_a_run(), counted_);
  EXPECT_EQ(counting_->asked, 1);
  EXPECT_EQ(told(), "");
}

TEST_F(CountsOfRows, AreAllCountedAnewWhereOneDiffersFromWhatWasKept) {
  bytes_of_a_run();
  counting_->bytes = 4e6;
  EXPECT_EQ(bytes_of_a_run(), otherwise_);
  EXPECT_EQ(counting_->asked, 3);
  EXPECT_NE(told().find("has other counts than those that were kept"), std::string::npos);
  EXPECT_EQ(bytes_of_a_run(), otherwise_);
  EXPECT_EQ(counting_->asked, 1) << "the new ones are kept";
}

TEST_F(CountsOfRows, AreNotKeptWhereTheHardwareCounts) {
  counting_ = std::make_shared<Repeating>(false);
  bytes_of_a_run();
  counting_->bytes = 4e6;
  EXPECT_EQ(bytes_of_a_run(), otherwise_);
  EXPECT_EQ(told(), "");
}

TEST_F(CountsOfRows, AreCountedAnewWithOneWarningWhereTheFileIsDamaged) {
  bytes_of_a_run();
  for (const auto& entry : std::filesystem::recursive_directory_iterator(folder_.path()))
    if (entry.is_regular_file() && entry.path().filename().string().starts_with("counts-of-"))
      write_file(entry.path(), "{\"program\": 7");
  EXPECT_EQ(bytes_of_a_run(), counted_);
  EXPECT_EQ(counting_->asked, 3);
  EXPECT_EQ(told().find("the kept counts are damaged"), 0u);
}

}  // namespace
}  // namespace roofline::rounds_counted_test
