// Labs on machines that nobody has: the right answer is the machine's own, or nobody's where the run is noisy.
#include <gtest/gtest.h>

#include "tests/lessons/answers.hpp"

namespace roofline::labs::made_up_machines_test {
namespace {

/// GFLOP/s of a ceiling of all threads: the median of its rounds, and the lowest and the highest of them.
struct Rounds {
  Operation operation;
  const char* isa;
  double median, low, high;
  Rounds(Operation of, const char* vectors, double rate) : Rounds(of, vectors, rate, rate, rate) {}
  Rounds(Operation of, const char* vectors, double rate, double lowest, double highest)
      : operation(of), isa(vectors), median(rate), low(lowest), high(highest) {}
};

/// The stored run with other arithmetic; its memory and its rows stay.
Results machine(const std::vector<Rounds>& arithmetic) {
  auto run = run_of(lab(1));
  auto ceilings = run.roofline.ceilings();
  const int threads = run.roofline.threads();
  std::erase_if(ceilings, [&](const Ceiling& c) {
    return c.kind == Ceiling::Kind::compute && c.precision == "fp64" && c.threads == threads;
  });
  for (const auto& rounds : arithmetic) {
    Ceiling c;
    c.operation = rounds.operation, c.isa = rounds.isa, c.threads = threads;
    c.rate = 1e9 * rounds.median, c.rate_low = 1e9 * rounds.low, c.rate_high = 1e9 * rounds.high;
    c.name = ceiling_name(c);
    ceilings.push_back(c);
  }
  run.roofline = Roofline(std::move(ceilings), threads);
  return run;
}

Mark marked(int number, const Results& run, const std::string& id, const std::string& answer) {
  const claims::RunFacts facts(run);
  for (auto& mark : grade(lab(number), {{id, answer}}, facts, "ada").marks)
    if (mark.question->id == id) return mark;
  ADD_FAILURE() << "lab " << number << " has no question " << id;
  return {};
}

/// All points, none, or undecided.
std::string result(int number, const Results& run, const std::string& id, const std::string& answer) {
  const auto mark = marked(number, run, id, answer);
  return !mark.counted                         ? "undecided"
         : mark.score == mark.question->points ? "right"
         : mark.score == 0                     ? "wrong"
                                               : "half";
}

constexpr auto fma = Operation::fma, nofma = Operation::nofma, add = Operation::add, mul = Operation::mul,
               division = Operation::div;
const std::vector<Rounds> halves{{fma, "scalar", 30},  {fma, "sse", 60},       {fma, "avx2", 120},
                                 {fma, "avx512", 118}, {nofma, "avx512", 121}, {add, "avx512", 60},
                                 {mul, "avx512", 60},  {division, "avx512", 6}};

TEST(MadeUpMachines, WorkOnAsManyLanesAsTheyExecute) {
  struct Case {
    std::vector<Rounds> arithmetic;
    const char *right, *wrong;
  };
  const std::vector<Case> cases{
      {halves, "4", "8"},
      {{{fma, "scalar", 25}, {fma, "sse", 51}, {fma, "avx2", 98}, {fma, "avx512", 166}}, "8", "4"},
      {{{fma, "scalar", 30}, {fma, "sse", 60}, {fma, "avx2", 120}}, "4", "8"},
      {{{fma, "scalar", 20}, {fma, "neon", 40}}, "2", "4"},
      {{{fma, "scalar", 20}, {fma, "neon", 40}, {fma, "sve256", 41}}, "2", "4"},
      {{{fma, "scalar", 20}, {fma, "neon", 40}, {fma, "sve512", 150}}, "8", "2"}};
  for (const auto& [arithmetic, right, wrong] : cases) {
    const auto run = machine(arithmetic);
    EXPECT_EQ(result(4, run, "lanes", right), "right") << right;
    EXPECT_EQ(result(4, run, "lanes", wrong), "wrong") << right;
  }
  EXPECT_EQ(marked(4, machine(halves), "lanes", "8").feedback,
            "That is the width of a register. Look for a narrower vector that is as fast.");
}

TEST(MadeUpMachines, LeaveTheLanesOpenWhereOtherProgramsTookTheTime) {
  // Wide vectors that never ran undisturbed: half-way between four lanes and eight.
  const auto between = machine({{fma, "scalar", 30}, {fma, "avx2", 60}, {fma, "avx512", 70, 20, 80}});
  // The best rounds say four, the medians two.
  const auto medians = machine({{fma, "scalar", 30}, {fma, "sse", 60}, {fma, "avx2", 62, 15, 120}});
  for (const auto* given : {"2", "4", "8"}) {
    EXPECT_EQ(result(4, between, "lanes", given), "undecided");
    EXPECT_EQ(result(4, medians, "lanes", given), "undecided");
  }
}

TEST(MadeUpMachines, WithAddersOfTheirOwnGainNothingByFma) {
  const auto run = machine(halves);
  EXPECT_EQ(result(4, run, "fma_measured", "0.99"), "right");
  EXPECT_EQ(result(4, run, "fma_measured", "2"), "wrong");
  EXPECT_EQ(result(14, run, "fused", "0.99"), "right");
  EXPECT_EQ(marked(14, run, "fused", "2").feedback, "That is the V100 of the talk.");
  // A multiplication takes no part of the adders: 60 / 6, and not 121 / 6.
  EXPECT_EQ(result(10, run, "divider", "10"), "right");
  EXPECT_EQ(marked(10, run, "divider", "20.2").feedback, "The no-FMA ceiling has additions in it, too.");
}

TEST(MadeUpMachines, ThatAreNoisyMakeNoAnswerRightOrWrong) {
  std::vector<Rounds> noisy;
  for (const auto& c : halves) noisy.emplace_back(c.operation, c.isa, c.median, c.median / 3, c.median);
  const auto run = machine(noisy);
  struct Question {
    int lab;
    const char* id;
  };
  for (const auto& [number, id] : {Question{1, "fma"},
                                   {1, "ridge"},
                                   {4, "simd_measured"},
                                   {4, "fma_measured"},
                                   {4, "add"},
                                   {5, "ridge"},
                                   {10, "divider"},
                                   {14, "fused"},
                                   {14, "ridge"}})
    for (const auto* given : {"1", "4", "1000", "yes", "no"})
      EXPECT_EQ(result(number, run, id, given), "undecided") << number << id;
  // A mistake is recognised by its middle: within a wide range lies much else.
  const auto mistaken = machine({{fma, "avx2", 100}, {nofma, "avx2", 50, 20, 90}});
  EXPECT_EQ(marked(1, mistaken, "fma", "30").feedback, "different from the run");
  EXPECT_EQ(marked(1, mistaken, "fma", "50").feedback, "That is the ceiling without FMA.");
  EXPECT_EQ(marked(1, run, "fma", "1").feedback.rfind("undecided: the run says 120 (40 .. 120) only", 0), 0u);
}

TEST(MadeUpMachines, CountAsFarAsHalfOfThePointsReaches) {
  const auto of_range = [](double low, double high) {
    return result(1, machine({{fma, "avx2", 100, low, high}}), "fma", "100");
  };
  EXPECT_EQ(of_range(85.1, 114.9), "right");
  EXPECT_EQ(of_range(84.9, 100), "undecided");
  EXPECT_EQ(of_range(100, 115.1), "undecided");
  // An answer in the range is right, whichever round the student has read.
  EXPECT_EQ(result(1, machine({{fma, "avx2", 100, 90, 100}}), "fma", "88"), "right");
  EXPECT_EQ(result(1, machine({{fma, "avx2", 100, 90, 100}}), "fma", "84"), "half");
}

TEST(MadeUpMachines, HaveTheRoofOfTheirCeilingsNotOfTheMoment) {
  auto run = run_of(lab(7));
  const auto answers = right_answers(lab(7), claims::RunFacts(run), "ada");
  ASSERT_TRUE(answers.contains("roof"));
  for (auto& point : run.points)
    if (point.assessment.roof && point.name.find("stride:8") != std::string::npos)
      *point.assessment.roof->attainable *= 7;
  EXPECT_EQ(result(7, run, "roof", answers.at("roof")), "right");
  // Units that were slow in some rounds are, in those, the roof of stride 1.
  EXPECT_EQ(result(7, machine({{fma, "avx512", 166, 40, 169}}), "roof", "4"), "undecided");
}

TEST(MadeUpMachines, ClimbTheLadderWithoutItsLastVersions) {
  auto run = run_of(lab(9));
  std::erase_if(run.points, [](const KernelPoint& p) {
    return p.name.find("/v4/") != std::string::npos || p.name.find("/v5/") != std::string::npos;
  });
  for (auto& p : run.points) {
    if (p.name.rfind("lbm/collide/v0/", 0) == 0) p.time = {3, 3, 3};
    if (p.name.rfind("lbm/collide/v3/", 0) == 0) p.time = {1, 1, 1};
    if (p.name.rfind("lbm/collide/v1/", 0) == 0 || p.name.rfind("lbm/collide/v2/", 0) == 0) p.time = {2, 2, 2};
  }
  EXPECT_EQ(result(9, run, "gain", "3"), "right");
  EXPECT_EQ(marked(9, run, "gain", "1.6").feedback, "That is the V100 of the talk.");
  for (const auto& [id, answer] : right_answers(lab(9), claims::RunFacts(run), "ada"))
    EXPECT_EQ(result(9, run, id, answer), "right") << id;
}

}  // namespace
}  // namespace roofline::labs::made_up_machines_test
