#include "bench/ranks/siblings.hpp"

#include <gtest/gtest.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <fstream>
#include <set>
#include <thread>

#include "bench/machine/topology.hpp"
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

TEST(Siblings, OnesThatHaveEndedDoNotCountBeforeTheyAreWaitedFor) {
  const testing::Scratch folder;
  int ready[2] = {}, leave[2] = {};
  ASSERT_EQ(::pipe(ready) + ::pipe(leave), 0);
  const auto child = ::fork();
  if (child == 0) {
    {
      const Siblings second(folder.path(), "s", rank(1, 2), {1, {1}, ""});
      const bool told = ::write(ready[1], "x", 1) == 1;
      char wait = 0;
      if (!told || ::read(leave[0], &wait, 1) < 0) ::_exit(1);
      ::_exit(0);  // without taking its file along
    }
  }
  const Siblings first(folder.path(), "s", rank(0, 2), {0, {0}, ""});
  char told = 0;
  ASSERT_EQ(::read(ready[0], &told, 1), 1);
  EXPECT_EQ(first.all(0).size(), 2u);
  ASSERT_EQ(::write(leave[1], "x", 1), 1);
  siginfo_t ended{};
  ASSERT_EQ(::waitid(P_PID, static_cast<id_t>(child), &ended, WEXITED | WNOWAIT), 0);
  EXPECT_EQ(first.all(0).size(), 1u) << "a zombie computes nothing";
  ::waitpid(child, nullptr, 0);
  for (const int end : {ready[0], ready[1], leave[0], leave[1]}) ::close(end);
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

using Cores = std::vector<std::vector<int>>;
const Cores eight{{0, 8}, {1, 9}, {2, 10}, {3, 11}, {4, 12}, {5, 13}, {6, 14}, {7, 15}};

std::vector<int> cpus_of(const Cores& cores) {
  std::set<int> all;
  for (const auto& core : cores) all.insert(core.begin(), core.end());
  return {all.begin(), all.end()};
}

/// Ranks that may all use the same.
std::vector<Sibling> unbound(int ranks, const Cores& cores) {
  std::vector<Sibling> all;
  for (int i = 0; i < ranks; ++i) all.push_back({i, cpus_of(cores), ""});
  return all;
}

TEST(CoreShare, RanksWithoutABindingGetAsManyWholeCoresEach) {
  for (const int ranks : {2, 3, 4, 8}) {
    std::set<int> taken;
    for (int rank = 0; rank < ranks; ++rank) {
      const auto share = core_share(eight, 0, unbound(ranks, eight), rank, ranks, true);
      EXPECT_EQ(share.cpus.size(), 2u * (8u / static_cast<unsigned>(ranks)));
      EXPECT_EQ(share.conflict, "");
      for (const int cpu : share.cpus) EXPECT_TRUE(taken.insert(cpu).second) << "CPU " << cpu << " twice";
    }
  }
  EXPECT_EQ(core_share(eight, 0, unbound(3, eight), 1, 3, true).note,
            "3 ranks of this node share 8 cores out: 2 cores each, CPUs 2-3,10-11 for this one");
}

TEST(CoreShare, MoreRanksThanCoresDisturbEachOther) {
  const Cores two{{0}, {1}};
  std::vector<int> of_core(2);
  for (int rank = 0; rank < 8; ++rank) {
    const auto share = core_share(two, 0, unbound(8, two), rank, 8, true);
    ASSERT_EQ(share.cpus.size(), 1u);
    ++of_core[static_cast<std::size_t>(share.cpus[0])];
    EXPECT_EQ(share.conflict, "8 ranks of this node run on 2 cores");
  }
  EXPECT_EQ(of_core, (std::vector<int>{4, 4}));
}

TEST(CoreShare, AQuotaIsSharedOutToo) {
  EXPECT_EQ(core_share(eight, 4.5, unbound(2, eight), 1, 2, true).cpus, (std::vector<int>{2, 10, 3, 11}));
  EXPECT_EQ(core_share(eight, 3.9, unbound(2, eight), 1, 2, true).cpus, (std::vector<int>{1, 9}))
      << "three whole cores are granted";
  EXPECT_EQ(core_share(eight, 100, unbound(2, eight), 1, 2, true).cpus.size(), 8u) << "there are no more than eight";
}

TEST(CoreShare, ABindingOfItsOwnIsKept) {
  const Cores mine{{2}, {3}};
  const std::vector<Sibling> siblings{{0, {0, 1}, ""}, {1, {2, 3}, ""}};
  const auto share = core_share(mine, 0, siblings, 1, 2, false);
  EXPECT_TRUE(share.cpus.empty());
  EXPECT_EQ(share.conflict, "");
  EXPECT_EQ(share.note, "this rank keeps to CPUs 2-3, to which its launcher bound it");
}

TEST(CoreShare, RanksOfASocketShareThatSocket) {
  // Open MPI binds more than two ranks to sockets.
  const Cores first{{0}, {1}}, second{{2}, {3}};
  const std::vector<Sibling> siblings{{0, {0, 1}, ""}, {1, {2, 3}, ""}, {2, {0, 1}, ""}, {3, {2, 3}, ""}};
  EXPECT_EQ(core_share(first, 0, siblings, 2, 4, false).cpus, std::vector<int>{1});
  EXPECT_EQ(core_share(second, 0, siblings, 1, 4, false).cpus, std::vector<int>{2});
}

TEST(CoreShare, BindingsThatOverlapAreToldAsADisturbance) {
  const std::vector<Sibling> siblings{{0, {0, 1}, ""}, {1, {1, 2}, ""}};
  EXPECT_EQ(core_share({{1}, {2}}, 0, siblings, 1, 2, false).conflict, "CPUs 1-2 are bound to local ranks 1 and 0");
}

TEST(CoreShare, WithoutSiblingsTheMaskDecides) {
  const std::vector<Sibling> alone{{1, cpus_of(eight), ""}};
  EXPECT_EQ(core_share(eight, 0, alone, 1, 2, true).cpus.size(), 8u);
  const auto kept = core_share(eight, 0, alone, 1, 2, false);
  EXPECT_TRUE(kept.cpus.empty());
  EXPECT_EQ(kept.note.rfind("1 of 2 ranks of this node were found; ", 0), 0u) << kept.note;
}

TEST(CoreShare, CoresAreTogetherWithTheirThreads) {
  // Two packages of two cores with two threads, numbered package by package as hwloc does.
  const auto cores = cpus_by_core({0, 1, 2, 3, 4, 5, 6, 7}, "pack:2 core:2 pu:2");
  EXPECT_EQ(cores, (Cores{{0, 1}, {2, 3}, {4, 5}, {6, 7}}));
  EXPECT_EQ(cpus_by_core({1, 2}, "pack:2 core:2 pu:2"), (Cores{{1}, {2}}));
}

}  // namespace
}  // namespace roofline::siblings_test
