#include "bench/ranks/place.hpp"

#include <gtest/gtest.h>
#include <unistd.h>

#include <sstream>

namespace roofline::place_test {
namespace {

/// A launcher's variables, and what they mean.
struct Case {
  const char* launcher;
  const char* variables;
  int rank;
  std::optional<int> ranks, local_rank, local_ranks;
  const char* folder;  ///< on node n1

  /// The variables of a text such as "A=1 B=2".
  Environment environment() const {
    Environment all;
    std::istringstream words(variables);
    for (std::string word; words >> word;) all[word.substr(0, word.find('='))] = word.substr(word.find('=') + 1);
    return all;
  }
};

const std::vector<Case>& cases() {
  static const std::vector<Case> all{
      {"Open MPI",
       "OMPI_COMM_WORLD_RANK=3 OMPI_COMM_WORLD_SIZE=8 OMPI_COMM_WORLD_LOCAL_RANK=1 OMPI_COMM_WORLD_LOCAL_SIZE=2", 3, 8,
       1, 2, "n1.1"},
      {"Hydra (MPICH, Intel MPI)", "PMI_RANK=7 PMI_SIZE=8 MPI_LOCALRANKID=0 MPI_LOCALNRANKS=1", 7, 8, 0, 1, "n1"},
      {"MVAPICH2",
       "MV2_COMM_WORLD_RANK=0 MV2_COMM_WORLD_SIZE=2 MV2_COMM_WORLD_LOCAL_RANK=0 MV2_COMM_WORLD_LOCAL_SIZE=2", 0, 2, 0,
       2, "n1.0"},
      {"jsrun (LSF)", "JSM_NAMESPACE_RANK=5 JSM_NAMESPACE_SIZE=6 JSM_NAMESPACE_LOCAL_RANK=1", 5, 6, 1, {}, "n1.1"},
      {"HPE PALS", "PALS_RANKID=4 PMI_SIZE=6 PALS_LOCAL_RANKID=0 PALS_LOCAL_SIZE=2", 4, 6, 0, 2, "n1.0"},
      {"Flux", "FLUX_TASK_RANK=2 FLUX_JOB_SIZE=4 FLUX_TASK_LOCAL_ID=0", 2, 4, 0, {}, "n1.0"},
      {"torchrun", "TORCHELASTIC_RUN_ID=none RANK=9 WORLD_SIZE=16 LOCAL_RANK=1 LOCAL_WORLD_SIZE=8", 9, 16, 1, 8,
       "n1.1"},
      {"Slurm step",
       "SLURM_PROCID=2 SLURM_STEP_NUM_TASKS=5 SLURM_LOCALID=0 SLURM_STEP_TASKS_PER_NODE=2(x2),1 SLURM_NODEID=1 "
       "SLURM_NTASKS=99",
       2, 5, 0, 2, "n1.0"},
      {"PMI", "PMI_RANK=1 PMI_SIZE=4", 1, 4, {}, {}, "n1.1"},
      {"pbsdsh", "PBS_TASKNUM=5", 5, {}, {}, {}, "n1.5"},
      {"Kubernetes Indexed Job", "JOB_COMPLETION_INDEX=0", 0, {}, {}, {}, "n1.0"},
  };
  return all;
}

TEST(Place, EveryLineOfTheTableIsReadFromItsVariables) {
  for (const auto& one : cases()) {
    auto [place, warning] = detect_place(one.environment());
    EXPECT_EQ(warning, "") << one.launcher;
    EXPECT_EQ(place.launcher, one.launcher);
    EXPECT_EQ(place.rank, one.rank) << one.launcher;
    EXPECT_EQ(place.ranks, one.ranks) << one.launcher;
    EXPECT_EQ(place.local_rank, one.local_rank) << one.launcher;
    EXPECT_EQ(place.local_ranks, one.local_ranks) << one.launcher;
    place.node = "n1";
    EXPECT_EQ(rank_folder(place), one.folder) << one.launcher;
  }
}

TEST(Place, ALineWithoutOneOfItsVariablesDoesNotFit) {
  for (const auto& one : cases())
    for (const auto& [name, value] : one.environment()) {
      if (name == "SLURM_NTASKS") continue;  // of no line
      auto fewer = one.environment();
      fewer.erase(name);
      const auto [place, warning] = detect_place(fewer);
      EXPECT_NE(place.launcher, one.launcher) << name;
      EXPECT_EQ(warning, "") << name;
    }
}

TEST(Place, TheNearestLauncherWins) {
  // From the last line to the first: with each the one that stands above what is there already is found.
  Environment all;
  for (auto one = cases().rbegin(); one != cases().rend(); ++one) {
    for (const auto& [name, value] : one->environment()) all[name] = value;
    EXPECT_EQ(detect_place(all).place.launcher, one->launcher);
  }
}

TEST(Place, NonsenseIsOneWarningAndASingleProcess) {
  for (const auto& one : cases())
    for (const auto& [name, value] : one.environment()) {
      if (name == "SLURM_NTASKS" || name == "TORCHELASTIC_RUN_ID") continue;
      for (const char* const bad : {"-1", "x", "", "3x", "99999999999"}) {
        auto variables = one.environment();
        variables[name] = bad;
        const auto [place, warning] = detect_place(variables);
        EXPECT_EQ(place.launcher, "") << name << "=" << bad;
        EXPECT_FALSE(place.rank) << name;
        EXPECT_EQ(rank_folder(place), "") << name;
        EXPECT_EQ(std::count(warning.begin(), warning.end(), '\n'), 0);
        const std::string named = name == "SLURM_NODEID" ? "SLURM_STEP_TASKS_PER_NODE" : name;
        EXPECT_EQ(warning.rfind(named + "=", 0), 0u) << name << "=" << bad << ": " << warning;
      }
    }
}

TEST(Place, ARankIsBelowItsSize) {
  const auto warning = [](const char* name, const char* value) {
    auto variables = cases().front().environment();
    variables[name] = value;
    return detect_place(variables).warning;
  };
  EXPECT_EQ(warning("OMPI_COMM_WORLD_RANK", "8"),
            "OMPI_COMM_WORLD_RANK=8: a number below OMPI_COMM_WORLD_SIZE=8 is expected of Open MPI; this process runs "
            "as if it were alone (--ranks=off says so)");
  EXPECT_NE(warning("OMPI_COMM_WORLD_LOCAL_RANK", "2"), "");
  EXPECT_NE(warning("OMPI_COMM_WORLD_SIZE", "0"), "");
  EXPECT_EQ(warning("OMPI_COMM_WORLD_RANK", "7"), "");
}

TEST(Place, NonsenseIsNotReplacedByTheBatchSystem) {
  // The daemon that Open MPI starts by srun on further nodes is a task of its own, and the ranks inherit its variables.
  auto variables = cases()[7].environment();
  variables.merge(cases()[0].environment());
  variables["OMPI_COMM_WORLD_RANK"] = "x";
  const auto [place, warning] = detect_place(variables);
  EXPECT_EQ(place.launcher, "");
  EXPECT_NE(warning, "");
}

TEST(Place, ABatchScriptOfSlurmIsOneProcess) {
  const Environment script{{"SLURM_PROCID", "0"},         {"SLURM_LOCALID", "0"}, {"SLURM_NTASKS", "2"},
                           {"SLURM_TASKS_PER_NODE", "2"}, {"SLURM_NODEID", "0"},  {"SLURM_JOB_ID", "7"},
                           {"SLURM_JOB_NUM_NODES", "2"},  {"SLURM_NPROCS", "2"}};
  const auto [place, warning] = detect_place(script);
  EXPECT_EQ(place.launcher, "");
  EXPECT_FALSE(place.among_others());
  EXPECT_EQ(warning, "");
  // mpirun in it: 0 of 1 by Slurm in every rank.
  auto ranks = script;
  ranks["SLURM_NTASKS"] = "1";
  ranks.merge(cases()[0].environment());
  EXPECT_EQ(detect_place(ranks).place.rank, 3);
}

TEST(Place, VariablesThatAnybodyMaySetAreTorchrunsOnlyWithItsOwn) {
  EXPECT_EQ(
      detect_place({{"RANK", "1"}, {"WORLD_SIZE", "2"}, {"LOCAL_RANK", "1"}, {"LOCAL_WORLD_SIZE", "2"}}).place.launcher,
      "");
}

TEST(Place, TheScriptOfAPbsJobIsNoTaskOfPbsdsh) {
  EXPECT_EQ(detect_place({{"PBS_TASKNUM", "1"}, {"PBS_JOBID", "12.server"}}).place.launcher, "");
}

TEST(Place, TasksOfANodeOfSlurm) {
  EXPECT_EQ(slurm_tasks_on("2(x2),1", 0), 2);
  EXPECT_EQ(slurm_tasks_on("2(x2),1", 1), 2);
  EXPECT_EQ(slurm_tasks_on("2(x2),1", 2), 1);
  EXPECT_EQ(slurm_tasks_on("4", 0), 4);
  EXPECT_EQ(slurm_tasks_on("1,3(x10),2", 11), 2);
  for (const char* const bad : {"", ",", "2(x", "2(x2", "2(y2)", "(x2)", "a", "2(x2),1 ", "-2", "2(x-2)"})
    EXPECT_FALSE(slurm_tasks_on(bad, 3)) << bad;
  EXPECT_FALSE(slurm_tasks_on("2(x2),1", 3));
  EXPECT_FALSE(slurm_tasks_on("2", -1));
}

TEST(Place, OneProcessHasNoFolderAndPrints) {
  auto single = cases().front().environment();
  single["OMPI_COMM_WORLD_RANK"] = single["OMPI_COMM_WORLD_LOCAL_RANK"] = "0";
  single["OMPI_COMM_WORLD_SIZE"] = single["OMPI_COMM_WORLD_LOCAL_SIZE"] = "1";
  const auto place = detect_place(single).place;
  EXPECT_EQ(place.launcher, "Open MPI");
  EXPECT_EQ(rank_folder(place), "");
  EXPECT_FALSE(place.silent());
  EXPECT_TRUE(detect_place(cases().front().environment()).place.silent());
}

TEST(Place, TheLineSaysWhatIsKnown) {
  const auto line = [](int i) {
    return launcher_line(detect_place(cases()[static_cast<std::size_t>(i)].environment()).place);
  };
  EXPECT_EQ(line(0), "Open MPI, rank 3 of 8, local 1 of 2");
  EXPECT_EQ(line(5), "Flux, rank 2 of 4, local 0");
  EXPECT_EQ(line(9), "pbsdsh, rank 5");
  EXPECT_EQ(launcher_line({}), "");
}

TEST(Node, TheNearestNameWins) {
  Environment variables{{"SLURMD_NODENAME", "n3"}, {"ROOFLINE_NODE", "pod-7"}};
  EXPECT_EQ(node_name(variables), "pod-7");
  variables["ROOFLINE_NODE"] = "";
  EXPECT_EQ(node_name(variables), "n3");
  char host[256] = {};
  ASSERT_EQ(::gethostname(host, 255), 0);
  EXPECT_EQ(node_name(Environment{}), host);
}

TEST(Node, ANameIsThatOfOneFolder) {
  EXPECT_EQ(node_name({{"ROOFLINE_NODE", "rack1/n3"}}), "rack1-n3");
  EXPECT_EQ(node_name({{"ROOFLINE_NODE", ".."}}), "unnamed");
  EXPECT_EQ(node_name({{"ROOFLINE_NODE", std::string(999, 'n')}}).size(), 128u);
  EXPECT_NO_THROW(require_node_name("n1.example.org"));
  for (const std::string& bad : {std::string(""), std::string("."), std::string(".."), std::string("a/b"),
                                 std::string("a\nb"), std::string("a\\b"), std::string(129, 'n')})
    EXPECT_THROW(require_node_name(bad), std::invalid_argument) << bad;
}

TEST(Node, TheJobIsTheSchedulersWithArrayTaskAndStep) {
  Environment variables{{"SLURM_JOB_ID", "12"}};
  EXPECT_EQ(job_of(variables), "12");
  variables["SLURM_STEP_ID"] = "0";
  EXPECT_EQ(job_of(variables), "12.0");
  variables["SLURM_ARRAY_JOB_ID"] = "11";
  EXPECT_EQ(job_of(variables), "12.0") << "which task of the array is not told";
  variables["SLURM_ARRAY_TASK_ID"] = "4";
  EXPECT_EQ(job_of(variables), "11_4.0");
  EXPECT_EQ(job_of({{"PBS_JOBID", "3.server"}}), "3.server");
  EXPECT_EQ(job_of({}), "");
}

}  // namespace
}  // namespace roofline::place_test
