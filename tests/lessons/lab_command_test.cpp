// The labs as a student and a teacher type them.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "bench/text/output.hpp"
#include "bench/virtual_gpu/runtime/virtual_run.hpp"
#include "tests/command_line.hpp"
#include "tests/lessons/answers.hpp"

namespace roofline::labs::lab_command_test {
namespace {

class LabCommand : public ::testing::Test {
 protected:
  testing::Outcome lab(const std::string& arguments) { return testing::roofline("lab " + arguments, folder); }
  testing::Scratch folder;
  const std::string run = " --replay '" ROOFLINE_TEST_DATA "/claims-cpu.json' ";
};

TEST_F(LabCommand, GradesAClassOfThirtyFromFiles) {
  std::filesystem::create_directories(folder / "class");
  const auto& triad = labs::lab(2);
  const claims::RunFacts facts(run_of(triad));
  for (int i = 0; i < 30; ++i) {
    const auto name = "student" + std::to_string(i);
    std::string text = "# answers\n";
    for (const auto& [id, value] : right_answers(triad, facts, i % 3 ? name : "somebody else"))
      text += id + " = \"" + value + "\"\n";
    write_file(folder / ("class/" + name + ".toml"), i == 7 ? "no equals sign" : text);
  }
  const auto graded = lab("2" + run + "--class class --csv grades.csv");
  EXPECT_EQ(graded.code, 0) << graded.err;
  EXPECT_NE(graded.err.find("student7.toml:1"), std::string::npos) << graded.err;
  const auto csv = testing::contents(folder / "grades.csv");
  EXPECT_EQ(std::count(csv.begin(), csv.end(), '\n'), 31);
  EXPECT_NE(csv.find("student7,0,"), std::string::npos) << csv;
}

TEST_F(LabCommand, WritesWhatGradescopeReads) {
  write_file(folder / "answers.toml", "flops = 1\nai = 2/32 # with write-allocate\nbound = \"memory\"\nsurplus = 3\n");
  const auto graded = lab("2" + run + "--predict answers.toml --grade --results results.json");
  EXPECT_EQ(graded.code, 0) << graded.err;
  EXPECT_NE(graded.err.find("surplus"), std::string::npos);
  const auto json = testing::json_of(folder / "results.json");
  double sum = 0;
  for (const auto& test : json.at("tests")) {
    sum += test.at("score").get<double>();
    EXPECT_LE(test.at("score").get<double>(), test.at("max_score").get<double>());
    for (const auto* key : {"name", "number", "output", "status", "visibility"}) EXPECT_TRUE(test.at(key).is_string());
  }
  EXPECT_DOUBLE_EQ(json.at("score").get<double>(), sum);
  EXPECT_GE(sum, 2);
}

TEST_F(LabCommand, RefusesFlagsThatWouldDoNothing) {
  for (const auto* arguments :
       {"2 --csv grades.csv", "2 --results results.json", "--grade", "--student=ada", "2 --measure --grade",
        "2 --class . --results results.json", "2 --grade --html", "2 --predict a.toml --replay run.json"}) {
    SCOPED_TRACE(arguments);
    testing::expect_one_line(lab(arguments), 2, "");
  }
  for (const auto* flag : {"--strict", "--id=GPP-2", "--json", "--core", "--details"})
    EXPECT_EQ(testing::roofline(std::string("claims run.json --pages=p ") + flag, folder).code, 2) << flag;
  const auto solutions = lab("7" + run + "--solutions --out solutions.md");
  EXPECT_EQ(solutions.code, 0) << solutions.err;
  EXPECT_EQ(solutions.out, "");
  EXPECT_NE(testing::contents(folder / "solutions.md").find("solutions"), std::string::npos);
}

TEST_F(LabCommand, ExplainsRowsByTheCountsThatLabElevenAsksFor) {
  const auto explained =
      testing::roofline("explain gsrb/fp/op:fv4/level:6 '" ROOFLINE_TEST_DATA "/claims-v100.json'", folder);
  for (const auto* count :
       {"flop_count_dp               30277632", "predication                 1", "gst_transactions"})
    EXPECT_NE(explained.out.find(count), std::string::npos) << explained.out;
}

TEST_F(LabCommand, ListsWhatEachLabMeasures) {
  const auto list = lab("").out;
  EXPECT_NE(list.find("GPU model"), std::string::npos);
  EXPECT_EQ(list.find("--benchmark_filter"), std::string::npos);
}

TEST_F(LabCommand, TellsWhichAnswersCannotBeRead) {
  write_file(folder / "units.toml", "flops = 16.8\nsource = 201.3 MB\nbound = DRAM\nai =\n");
  const auto checked = lab("2 --predict units.toml");
  EXPECT_EQ(checked.code, 2);
  EXPECT_NE(checked.out.find("source: '201.3 MB' is not a number; write it in MB"), std::string::npos) << checked.out;
  EXPECT_NE(checked.out.find("bound: expected one of: memory, compute"), std::string::npos) << checked.out;
  EXPECT_NE(checked.out.find("predict: 1 of 4 questions are answered; explain: 0 of 3"), std::string::npos)
      << checked.out;
  EXPECT_NE(checked.out.find("next: the other predictions"), std::string::npos) << checked.out;
}

TEST_F(LabCommand, NamesTheStepsBetweenPredictionAndGrade) {
  write_file(folder / "answers.toml", "flops = 1\nsource = 1\ndram = 1\nai = 1\n");
  const auto before = lab("2 --predict answers.toml");
  EXPECT_EQ(before.code, 0);
  EXPECT_NE(before.out.find("roofline lab 2 --measure"), std::string::npos) << before.out;
  EXPECT_NE(before.out.find("Explain"), std::string::npos) << before.out;
  std::filesystem::create_directories(folder / "lab-2");
  write_file(folder / "lab-2/run.json", "{}");
  EXPECT_NE(lab("2 --predict answers.toml").out.find("roofline show lab-2/run.json"), std::string::npos);
}

TEST_F(LabCommand, KeepsTheRunBeforeWhenItMeasuresAgain) {
  if (!runtime::can_run_virtually()) GTEST_SKIP() << "a build without CUDA cannot measure lab 11, which is quick";
  std::filesystem::create_directories(folder / "lab-11");
  write_file(folder / "lab-11/run.json", "{\"the run\": \"before\"}");
  const auto again = lab("11 --measure");
  ASSERT_EQ(again.code, 0) << again.err;
  EXPECT_EQ(testing::contents(folder / "lab-11/run-1.json"), "{\"the run\": \"before\"}");
  EXPECT_NE(again.out.find("--replay=lab-11/run-1.json"), std::string::npos) << again.out;
  EXPECT_NE(testing::contents(folder / "lab-11/run.json").find("gsrb/branch"), std::string::npos);
}

TEST_F(LabCommand, ComplainsInOneLine) {
  EXPECT_EQ(lab("99").code, 2);
  EXPECT_EQ(lab("2 --predict missing.toml").code, 4);
  EXPECT_EQ(lab("2 --grade --replay missing.json").code, 4);
  write_file(folder / "wrong.toml", "flops 3\n");
  const auto wrong = lab("2 --predict wrong.toml");
  EXPECT_EQ(wrong.code, 4);
  EXPECT_EQ(wrong.err, "roofline: wrong.toml:1: expected NAME = VALUE\n");
}

TEST_F(LabCommand, PrintsHandoutsAndKeepsSolutionsApart) {
  const auto page = lab("7 --html");
  EXPECT_NE(page.out.find("<h2>Predict</h2>"), std::string::npos);
  EXPECT_EQ(page.out.find("<script"), std::string::npos);
  EXPECT_NE(lab("7" + run + "--solutions").out.find("solutions"), std::string::npos);
  EXPECT_NE(lab("7 --sheet").out.find("# useful = "), std::string::npos);
}

}  // namespace
}  // namespace roofline::labs::lab_command_test
