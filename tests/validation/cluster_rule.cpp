// The rule of `roofline cluster` on simulated fleets: cluster_rule [FLEETS] [SEED] [PART OF A NAME] prints a table in
// Markdown, which results/cluster/rule.md has. Values are drawn, the verdicts are those of the program.
#include <fmt/format.h>

#include <chrono>
#include <cmath>
#include <cstdlib>
#include <random>

#include "reporters/cluster/verdicts.hpp"

namespace roofline::cluster_rule {
namespace {

using cluster::Fleet;
using cluster::Verdict;

constexpr std::size_t all_rows = 20, memory_rows = 6;

/// A kind of fleet; rates and losses as shares.
struct Kind {
  const char* name;
  std::size_t nodes = 1000, slow = 10;
  double noise = 0.01, apart = 0.005, least_loss = 0.05, most_loss = 0.10;
  bool one_row = false;
  double disturbed = 0;           ///< share of the runs that are, without saying so
  const char *suspects, *called;  ///< what the rule was specified to give, by 20 fleets a line
};

class Simulation {
 public:
  Simulation(const Kind& kind, unsigned seed) : kind_(kind), random_(seed) {
    for (std::size_t i = 0; i < kind.nodes; ++i) {
      base_.push_back(normal(kind.apart));
      losses_.push_back(i < kind.slow ? uniform(kind.least_loss, kind.most_loss) : 0);
    }
    for (std::size_t i = 0; i < all_rows; ++i) fleet_.rows.push_back({fmt::format("row {:02}", i)});
    for (std::size_t i = 0; i < kind.nodes; ++i) {
      const auto name = fmt::format("n{:05}", i);
      fleet_.nodes.push_back({name, name, {run_of(i)}});
    }
  }

  bool is_slow(const std::string& node) const { return losses_[std::stoul(node.substr(1))] > 0; }
  cluster::ClusterReport judged() const { return judge(fleet_, {}); }
  /// Every suspect is measured twice more.
  void measure_again(const cluster::ClusterReport& report) {
    for (const auto& node : report.nodes)
      if (node.verdict == Verdict::suspect)
        for (int again = 0; again < 2; ++again) {
          const auto i = std::stoul(node.node.substr(1));
          fleet_.nodes[i].runs.push_back(run_of(i));
        }
  }

 private:
  double normal(double deviation) { return std::normal_distribution(0.0, deviation)(random_); }
  double uniform(double low, double high) { return std::uniform_real_distribution(low, high)(random_); }

  Fleet::Run run_of(std::size_t node) {
    Fleet::Run run;
    run.file = fmt::format("{}-{}", node, ++runs_), run.hash = runs_;
    for (std::size_t row = 0; row < all_rows; ++row) {
      const bool memory = row < memory_rows, hit = kind_.one_row ? row == 0 : memory;
      run.logs.push_back(base_[node] + normal(kind_.noise) + (hit ? std::log1p(-losses_[node]) : 0));
      run.bound_by_dram.push_back(memory);
    }
    if (kind_.disturbed > 0 && uniform(0, 1) < kind_.disturbed) {
      const double loss = uniform(0.03, 0.15), share = uniform(0, 0.5);
      for (auto& log : run.logs)
        if (uniform(0, 1) < share) log += std::log1p(-loss);
    }
    return run;
  }

  const Kind& kind_;
  std::mt19937_64 random_;
  std::vector<double> base_, losses_;
  Fleet fleet_;
  std::size_t runs_ = 0;
};

/// Sound nodes that were called per fleet, and slow ones that were found.
struct Score {
  double sound = 0, found = 0, slow = 0;

  void add(const cluster::ClusterReport& report, const Simulation& simulation, Verdict verdict) {
    for (const auto& node : report.nodes) {
      const bool slow_one = simulation.is_slow(node.node);
      slow += slow_one;
      if (node.verdict == verdict) (slow_one ? found : sound) += 1;
    }
  }
  std::string text(int fleets) const {
    const auto share = slow > 0 ? fmt::format(" / {:.1f} %", 100 * found / slow) : "";
    return fmt::format("{:.3g}{}", sound / fleets, share);
  }
};

void print_line(const Kind& kind, int fleets, unsigned seed) {
  Score suspects, called;
  for (int i = 0; i < fleets; ++i) {
    Simulation simulation(kind, seed + static_cast<unsigned>(i));
    const auto first = simulation.judged();
    suspects.add(first, simulation, Verdict::suspect);
    simulation.measure_again(first);
    called.add(simulation.judged(), simulation, Verdict::slow);
  }
  fmt::print("| {} | {} | {} | {} | {} | {} |\n", kind.name, fleets, suspects.text(fleets), kind.suspects,
             called.text(fleets), kind.called);
  std::fflush(stdout);
}

}  // namespace
}  // namespace roofline::cluster_rule

int main(int argc, char** argv) {
  using roofline::cluster_rule::Kind;
  const int fleets = argc > 1 ? std::atoi(argv[1]) : 200;
  const auto seed = static_cast<unsigned>(argc > 2 ? std::atoi(argv[2]) : 1);
  const std::string_view wanted = argc > 3 ? argv[3] : "";
  const Kind kinds[] = {
      {.name = "as said", .suspects = "0 / 100", .called = "0 / 100"},
      {.name = "slow by 5 % exactly", .most_loss = 0.05, .suspects = "0 / 100", .called = "0 / 99"},
      {.name = "one row alone is slow", .one_row = true, .suspects = "0 / 85", .called = "0 / 85"},
      {.name = "3 % of runs disturbed", .disturbed = 0.03, .suspects = "27 / 100", .called = "0 / 99"},
      {.name = "noise 2 %", .noise = 0.02, .suspects = "0 / 91", .called = "0 / 91"},
      {.name = "nodes 3 % apart", .apart = 0.03, .suspects = "0 / 5", .called = "0 / 5"},
      {.name = "300 slow", .slow = 300, .suspects = "0.05 / 100", .called = "0 / 100"},
      {.name = "8 nodes, one slow", .nodes = 8, .slow = 1, .suspects = "0.3 / 100", .called = "0 / 100"},
      {.name = "10,000 nodes, 50 slow", .nodes = 10000, .slow = 50, .suspects = "0 / 99.6", .called = "0 / 99.6"},
      {.name = "none slow", .slow = 0, .suspects = "0.05", .called = "0"},
      {.name = "8 nodes, none slow", .nodes = 8, .slow = 0, .suspects = "", .called = ""},
      {.name = "8 nodes, none slow, noise 3 %", .nodes = 8, .slow = 0, .noise = 0.03, .suspects = "", .called = ""},
      {.name = "4 nodes, one at half",
       .nodes = 4,
       .slow = 1,
       .least_loss = 0.5,
       .most_loss = 0.5,
       .suspects = "",
       .called = ""},
      {.name = "4 nodes, one at half, noise 5 %",
       .nodes = 4,
       .slow = 1,
       .noise = 0.05,
       .least_loss = 0.5,
       .most_loss = 0.5,
       .suspects = "",
       .called = ""},
      {.name = "4 nodes, none slow", .nodes = 4, .slow = 0, .suspects = "", .called = ""},
      {.name = "4 nodes, none slow, noise 3 %", .nodes = 4, .slow = 0, .noise = 0.03, .suspects = "", .called = ""},
      {.name = "4 nodes, none slow, noise 10 %", .nodes = 4, .slow = 0, .noise = 0.1, .suspects = "", .called = ""},
      {.name = "3 nodes, none slow, noise 3 %", .nodes = 3, .slow = 0, .noise = 0.03, .suspects = "", .called = ""},
      {.name = "20 nodes, one slow", .nodes = 20, .slow = 1, .suspects = "", .called = ""},
      {.name = "20 nodes, none slow, noise 3 %", .nodes = 20, .slow = 0, .noise = 0.03, .suspects = "", .called = ""},
      {.name = "50 nodes, two slow", .nodes = 50, .slow = 2, .suspects = "", .called = ""},
  };
  fmt::print("| fleet | fleets | suspects | specified | slow | specified |\n|---|---|---|---|---|---|\n");
  for (const auto& kind : kinds)
    if (std::string_view(kind.name).find(wanted) != std::string_view::npos)
      roofline::cluster_rule::print_line(kind, fleets, seed);
}
