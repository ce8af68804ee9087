#include "bench/ranks/siblings.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <unistd.h>

#include <fstream>
#include <thread>

#include "tests/command_line.hpp"

namespace roofline::siblings_test {
namespace {

namespace fs = std::filesystem;

Place rank(int number, int of) {
  Place place;
  place.node = "n1", place.local_rank = number, place.local_ranks = of;
  return place;
}

TEST(Siblings, FindOneAnotherByTheirFiles) {
  const testing::Scratch folder;
  const Siblings first(folder.path(), "job-1", rank(0, 2), {0, {0, 1}, "0"});
  std::vector<Sibling> seen;
  std::thread late([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    const Siblings second(folder.path(), "job-1", rank(1, 2), {1, {2}, "0,1 x"});
    seen = first.all(5);
  });
  late.join();
  ASSERT_EQ(seen.size(), 2u);
  EXPECT_EQ(seen[0].cpus, (std::vector<int>{0, 1}));
  EXPECT_EQ(seen[1].local_rank, 1);
  EXPECT_EQ(seen[1].cpus, std::vector<int>{2});
  EXPECT_EQ(seen[1].devices, "0,1 x");
  EXPECT_EQ(first.all(0).size(), 1u) << "the second one took its file with it";
}

TEST(Siblings, OfAnotherLaunchOrNodeAreNone) {
  const testing::Scratch folder;
  const Siblings mine(folder.path(), "job-1", rank(0, 2), {0, {0}, ""});
  const Siblings other(folder.path(), "job-2", rank(1, 2), {1, {0}, ""});
  auto far_place = rank(1, 2);
  far_place.node = "n2";
  const Siblings far(folder.path(), "job-1", far_place, {1, {0}, ""});
  EXPECT_EQ(mine.all(0).size(), 1u);
}

TEST(Siblings, FilesOfTheDeadDoNotCount) {
  const testing::Scratch folder;
  const Siblings mine(folder.path(), "s", rank(0, 2), {0, {0}, ""});
  const auto file = folder / "s-n1-1";
  // This process, at a time when it did not live; no process; no such file at all.
  for (const std::string& text : {std::to_string(::getpid()) + " 1 0-1 \n", std::string("999999999 5 0 \n"),
                                  std::string("\n"), std::string("x y z\n")}) {
    std::ofstream(file) << text;
    EXPECT_EQ(mine.all(0).size(), 1u) << text;
  }
}

TEST(Siblings, MeetInAFolderThatIsTheUsersAlone) {
  const auto folder = sibling_folder();
  ASSERT_FALSE(folder.empty());
  struct stat about {};
  ASSERT_EQ(::stat(folder.c_str(), &about), 0);
  EXPECT_EQ(about.st_mode & 0777, 0700u);
  EXPECT_EQ(about.st_uid, ::geteuid());
}

TEST(Siblings, ASessionIsThatOfOneMpirun) {
  Place place;
  place.job = "7.0";
  EXPECT_EQ(session_of(place, {{"PMIX_NAMESPACE", "33"}}), "7.0-33");
  place.launcher = "Slurm step";
  EXPECT_EQ(session_of(place, {{"SLURM_STEP_ID", "0"}}), "7.0") << "a shell may stand between srun and each rank";
  place.launcher = "PMI";
  EXPECT_EQ(session_of(place, {{"SLURM_STEP_ID", "0"}}), "7.0-parent-" + std::to_string(::getppid()));
  EXPECT_EQ(session_of(place, {}), "7.0-parent-" + std::to_string(::getppid()));
}

}  // namespace
}  // namespace roofline::siblings_test
