// Every lab from the student's side: right, typically wrong and nonsensical answers; and a class from the teacher's.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <regex>
#include <set>

#include "bench/run/stored_run.hpp"
#include "bench/simulator/runtime/virtual_run.hpp"
#include "bench/text/output.hpp"
#include "reporters/claims/expression.hpp"
#include "tests/command_line.hpp"
#include "tools/labs/missing_rows.hpp"
#include "tools/labs/sheets.hpp"

namespace roofline::labs {
namespace {

/// The run that a lab is about: of the model where it says so.
const Results& run_of(const Lab& lab) {
  static const auto cpu = read_run(ROOFLINE_TEST_DATA "/claims-cpu.json");
  static const auto v100 = read_run(ROOFLINE_TEST_DATA "/claims-v100.json");
  return lab.flags.find("--model=v100") != std::string::npos ? v100 : cpu;
}

std::string spelled(double number) { return fmt::format("{:.12g}", number); }

Answers right_answers(const Lab& lab, const claims::Facts& run, const std::string& student) {
  Answers answers;
  for (const auto& question : lab.questions) {
    const auto solution = solve(question, run, numbers_of(lab, student));
    if (solution.missing.empty())
      answers[question.id] = question.is_choice() ? solution.choice : spelled(solution.number->value);
  }
  return answers;
}

TEST(Labs, AreThirteenInOrderWithTheirQuestions) {
  ASSERT_EQ(all_labs().size(), 13u);
  for (std::size_t i = 0; i < all_labs().size(); ++i) {
    const auto& lab = all_labs()[i];
    EXPECT_EQ(lab.number, static_cast<int>(i) + 1);
    std::set<std::string> ids;
    for (const auto& question : lab.questions) {
      ids.insert(question.id);
      EXPECT_TRUE(question.phase == "predict" || question.phase == "explain") << lab.name;
      EXPECT_FALSE(question.because.empty());
    }
    EXPECT_EQ(ids.size(), lab.questions.size());
    for (const auto* part : {"## Goal", "## Theory", "## Read"})
      EXPECT_NE(lab.text.find(part), std::string::npos) << lab.name << part;
  }
}

TEST(Labs, RightAnswersHaveFullMarks) {
  for (const auto& lab : all_labs())
    for (const auto* student : {"", "ada", "grace"}) {
      const claims::RunFacts run(&run_of(lab));
      const auto graded = grade(lab, right_answers(lab, run, student), run, student);
      EXPECT_DOUBLE_EQ(graded.score(), graded.possible()) << lab.name;
      EXPECT_EQ((grade_text(lab, graded) + solution_sheet(lab, run, student)).find("{s}"), std::string::npos);
      // A run of everything decides nearly all of it.
      std::size_t decided = 0;
      std::string undecided;
      for (const auto& mark : graded.marks) {
        decided += mark.counted;
        if (!mark.counted) undecided += mark.question->id + ": " + mark.feedback + "; ";
      }
      EXPECT_GE(decided + 2, lab.questions.size()) << lab.name << ": " << undecided;
    }
}

TEST(Labs, TypicalMistakesAreNamedAndLoseTheirPoints) {
  int named = 0;
  for (const auto& lab : all_labs()) {
    const claims::RunFacts run(&run_of(lab));
    const auto numbers = numbers_of(lab, "ada");
    for (const auto& question : lab.questions)
      for (const auto& [wrong, says] : question.misconceptions) {
        const auto solution = solve(question, run, numbers);
        if (!solution.missing.empty()) continue;
        std::string given = wrong;
        if (!question.is_choice()) {
          claims::Scope scope{.facts = run};
          try {
            const auto value = claims::evaluate(filled(wrong, numbers), scope).value;
            // On some machines a typical mistake happens to be right.
            const auto& right = *solution.number;
            const double room = 1.01 * question.tolerance * std::abs(right.value);
            if (value >= right.low - room && value <= right.high + room) continue;
            given = spelled(value);
          } catch (const claims::Missing&) {
            continue;
          }
        } else if (given == solution.choice) {
          continue;
        }
        const auto graded = grade(lab, {{question.id, given}}, run, "ada");
        EXPECT_DOUBLE_EQ(graded.score(), 0) << lab.name << " " << question.id << " " << given;
        std::string feedback;
        for (const auto& mark : graded.marks)
          if (mark.question == &question) feedback = mark.feedback;
        EXPECT_NE(feedback, "not what the run has") << lab.name << " " << question.id;
        named += feedback == says;
      }
  }
  EXPECT_GE(named, 50);
}

TEST(Labs, NonsenseScoresNothingAndSaysWhatWasExpected) {
  for (const auto& lab : all_labs()) {
    const claims::RunFacts run(&run_of(lab));
    for (const auto* nonsense : {"", "banana", "nan", "1e999", "0x", "-1", "1/0", "'; rm -rf /"}) {
      Answers answers;
      for (const auto& question : lab.questions)
        if (!question.program) answers[question.id] = nonsense;
      double score = 0;
      for (const auto& mark : grade(lab, answers, run, "").marks)
        if (!mark.question->program) score += mark.score;
      EXPECT_DOUBLE_EQ(score, 0) << lab.name << " " << nonsense;
    }
  }
}

TEST(Labs, StudentsHaveNumbersOfTheirOwnThatStay) {
  std::set<std::string> different;
  for (int i = 0; i < 30; ++i) different.insert(handout(lab(2), "student" + std::to_string(i)).substr(0, 100000));
  EXPECT_GE(different.size(), 4u);
  EXPECT_EQ(numbers_of(lab(2), "ada"), numbers_of(lab(2), "ada"));
}

TEST(Labs, AHandoutHasNoAnswers) {
  for (const auto& lab : all_labs()) {
    const auto text = handout(lab, "ada") + answer_sheet(lab, "ada");
    for (const auto& question : lab.questions) EXPECT_EQ(text.find(question.because), std::string::npos) << lab.name;
    EXPECT_FALSE(std::regex_search(text, std::regex(R"(\{\w+\})"))) << lab.name << ": a number was not filled in";
  }
}

TEST(Labs, WhatWasCountedOfARowWithoutTimeIsGraded) {
  auto run = run_of(lab(8));
  const auto whole = run;
  const std::string late = "gsrb/fp/op:fv4/level:7";
  std::erase_if(run.points, [&](const auto& point) { return point.name == late; });
  run.left_out = {"gsrb: 2 of 4 matching variants selected",
                  late + ": no time left; --benchmark_filter=" + late + " measures it"};
  EXPECT_EQ(rows_without_time(run), std::vector<std::string>{late});
  EXPECT_EQ(counting_flags(lab(9), "ada"), "--lbm=257,1024");
  const auto right = right_answers(lab(8), claims::RunFacts(&whole), "ada");
  const auto counted_questions = [&](const Results* counts) {
    std::set<std::string> ids;
    const RunAndCounts facts(run, counts);
    for (const auto& mark : grade(lab(8), right, facts, "ada").marks)
      if (mark.counted) {
        ids.insert(mark.question->id);
        EXPECT_DOUBLE_EQ(mark.score, mark.question->points);
      }
    return ids;
  };
  EXPECT_EQ(counted_questions(nullptr), (std::set<std::string>{"cells"}));
  EXPECT_EQ(counted_questions(&whole), (std::set<std::string>{"cells", "flops", "bytes", "ai"}));
}

TEST(Labs, AHandoutSaysWhatItsKindOfRunNeeds) {
  EXPECT_EQ(handout(lab(11), "").find("disturbed"), std::string::npos);
  EXPECT_NE(handout(lab(8), "").find("`lab-8/run-1.json`"), std::string::npos);
  EXPECT_NE(handout(lab(13), "ada").find("--grade --replay=roofline-out/run.json --student=ada\n"), std::string::npos);
}

class LabCommand : public ::testing::Test {
 protected:
  testing::Outcome lab(const std::string& arguments) {
    return testing::shell("'" ROOFLINE_CLI "' lab " + arguments, folder);
  }
  testing::Scratch folder;
  const std::string run = " --replay '" ROOFLINE_TEST_DATA "/claims-cpu.json' ";
};

TEST_F(LabCommand, GradesAClassOfThirtyFromFiles) {
  std::filesystem::create_directories(folder / "class");
  const auto& triad = labs::lab(2);
  const claims::RunFacts facts(&run_of(triad));
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
  const auto json = nlohmann::json::parse(testing::contents(folder / "results.json"));
  double sum = 0;
  for (const auto& test : json.at("tests")) {
    sum += test.at("score").get<double>();
    EXPECT_LE(test.at("score").get<double>(), test.at("max_score").get<double>());
    for (const auto* key : {"name", "number", "output", "status", "visibility"}) EXPECT_TRUE(test.at(key).is_string());
  }
  EXPECT_DOUBLE_EQ(json.at("score").get<double>(), sum);
  EXPECT_GE(sum, 2);
}

TEST(Labs, ACommentIsNoPartOfAnAnswer) {
  const auto answers = parse_answers(
      "# \"quoted\" = 1\nai = 2/32 # with \"write-allocate\"\nbound = \"mem#ory\" # it's \"so\"\nplain = 3\n",
      "a.toml");
  EXPECT_EQ(answers, (Answers{{"ai", "2/32"}, {"bound", "mem#ory"}, {"plain", "3"}}));
  EXPECT_THROW(parse_answers("a = \"3 # 4\n", "a.toml"), FileError);
}

TEST(Labs, AFactorHasNoUnitToLeaveOut) {
  const claims::RunFacts run(&run_of(lab(6)));
  const auto graded = grade(lab(6), {{"flops", "twice"}}, run, "");
  EXPECT_EQ(graded.marks.front().feedback, "'twice' is not a number; the factor is a number alone");
}

TEST_F(LabCommand, RefusesFlagsThatWouldDoNothing) {
  for (const auto* arguments :
       {"2 --csv grades.csv", "2 --results results.json", "--grade", "--student=ada", "2 --measure --grade",
        "2 --class . --results results.json", "2 --grade --html", "2 --predict a.toml --replay run.json"}) {
    const auto refused = lab(arguments);
    EXPECT_EQ(refused.code, 2) << arguments;
    EXPECT_EQ(std::count(refused.err.begin(), refused.err.end(), '\n'), 1) << refused.err;
  }
  for (const auto* flag : {"--strict", "--id=PP-1", "--json", "--core", "--details"})
    EXPECT_EQ(testing::shell(std::string("'" ROOFLINE_CLI "' claims run.json --pages=p ") + flag, folder).code, 2)
        << flag;
  const auto solutions = lab("7" + run + "--solutions --out solutions.md");
  EXPECT_EQ(solutions.code, 0) << solutions.err;
  EXPECT_EQ(solutions.out, "");
  EXPECT_NE(testing::contents(folder / "solutions.md").find("solutions"), std::string::npos);
}

TEST_F(LabCommand, ExplainsRowsByTheCountsThatLabElevenAsksFor) {
  const auto explained = testing::shell(
      "'" ROOFLINE_CLI "' explain gsrb/fp/op:fv4/level:6 '" ROOFLINE_TEST_DATA "/claims-v100.json'", folder);
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

TEST(Labs, KeepToAMinute) {
  for (const auto& lab : all_labs())
    EXPECT_TRUE(lab.flags.find("--quick") != std::string::npos ||
                lab.flags.find("--time-limit=40") != std::string::npos)
        << lab.name << ": " << lab.flags;
}

TEST_F(LabCommand, ComplainsInOneLine) {
  EXPECT_EQ(lab("99").code, 2);
  EXPECT_EQ(lab("2 --predict missing.toml").code, 4);
  EXPECT_EQ(lab("2 --grade --predict missing.toml").code, 4);
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
}  // namespace roofline::labs
