#include <gtest/gtest.h>
#include <unistd.h>

#include "bench/ranks/place.hpp"

namespace roofline::node_test {
namespace {

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
  variables["SLURM_ARRAY_JOB_ID"] = "11", variables["SLURM_ARRAY_TASK_ID"] = "4";
  EXPECT_EQ(job_of(variables), "11_4.0");
  EXPECT_EQ(job_of({{"PBS_JOBID", "3.server"}}), "3.server");
  EXPECT_EQ(job_of({}), "");
}

}  // namespace
}  // namespace roofline::node_test
