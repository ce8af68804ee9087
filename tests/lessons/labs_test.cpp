// Every lab from the student's side: right, typically wrong and nonsensical answers.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>

#include "bench/storage/stored_run.hpp"
#include "bench/text/output.hpp"
#include "bench/text/words.hpp"
#include "reporters/claims/expression.hpp"
#include "tests/lessons/answers.hpp"
#include "tools/labs/lab.hpp"

namespace roofline::labs::labs_test {
namespace {

TEST(Labs, AreFourteenInOrderWithTheirQuestions) {
  ASSERT_EQ(all_labs().size(), 14u);
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
    EXPECT_TRUE(lab.flags.find("--quick") != std::string::npos ||
                lab.flags.find("--time-limit=40") != std::string::npos)
        << lab.name << " takes more than a minute: " << lab.flags;
    for (const auto* part : {"## Goal", "## Theory", "## Read"})
      EXPECT_NE(lab.text.find(part), std::string::npos) << lab.name << part;
  }
}

TEST(Labs, RightAnswersHaveFullMarks) {
  for (const auto& lab : all_labs())
    for (const auto* student : {"", "ada", "grace"}) {
      const claims::RunFacts run(run_of(lab));
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
    const claims::RunFacts run(run_of(lab));
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
        const auto mark = std::ranges::find(graded.marks, &question, &Mark::question);
        EXPECT_DOUBLE_EQ(mark->score, 0) << lab.name << " " << question.id << " " << given;
        const auto& feedback = mark->feedback;
        EXPECT_NE(feedback, "different from the run") << lab.name << " " << question.id;
        named += feedback == says;
      }
  }
  EXPECT_GE(named, 50);
}

TEST(Labs, WhatIsAFewPercentOffIsNoPowerOfTen) {
  int asked = 0;
  for (const auto& lab : all_labs()) {
    const claims::RunFacts run(run_of(lab));
    for (const auto& question : lab.questions) {
      const auto solution = solve(question, run, numbers_of(lab, "ada"));
      if (!solution.number || question.tolerance > 0.01) continue;
      for (const auto& mark : grade(lab, {{question.id, spelled(1.04 * solution.number->high)}}, run, "ada").marks)
        if (mark.question == &question) {
          ++asked;
          EXPECT_EQ(mark.feedback.find("power of ten"), std::string::npos) << lab.name << " " << question.id;
        }
    }
  }
  EXPECT_GT(asked, 5);
}

TEST(Labs, NonsenseScoresNothingAndSaysWhatWasExpected) {
  for (const auto& lab : all_labs()) {
    const claims::RunFacts run(run_of(lab));
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
    EXPECT_TRUE(matches("[{][a-z_]+[}]", text).empty()) << lab.name << ": a number was not filled in";
  }
}

TEST(Labs, WhatAnImpossibleRowSaysIsNotCounted) {
  auto run = run_of(lab(8));
  const auto answers = right_answers(lab(8), claims::RunFacts(run), "ada");
  const auto counted = [&] {
    const claims::RunFacts facts(run);
    int n = 0;
    for (const auto& mark : grade(lab(8), answers, facts, "ada").marks) n += mark.counted;
    return n;
  };
  const int before = counted();
  for (auto& point : run.points) point.assessment.roof.emplace().efficiency = 1.5;
  EXPECT_LT(counted(), before);
}

TEST(Labs, AHandoutSaysWhatItsKindOfRunNeeds) {
  EXPECT_EQ(handout(lab(11), "").find("disturbed"), std::string::npos);
  EXPECT_NE(handout(lab(8), "").find("`lab-8/run-1.json`"), std::string::npos);
  EXPECT_NE(handout(lab(13), "ada").find("--grade --replay=roofline-out/run.json --student=ada\n"), std::string::npos);
}

TEST(Labs, ACommentIsNoPartOfAnAnswer) {
  const auto answers = parse_answers(
      "# \"quoted\" = 1\nai = 2/32 # with \"write-allocate\"\nbound = \"mem#ory\" # it's \"so\"\nplain = 3\n",
      "a.toml");
  EXPECT_EQ(answers, (Answers{{"ai", "2/32"}, {"bound", "mem#ory"}, {"plain", "3"}}));
  EXPECT_THROW(parse_answers("a = \"3 # 4\n", "a.toml"), FileError);
}

/// A lab of one question whose right answer is 8.
Lab of_one(double points) {
  Question question;
  question.points = points;
  question.id = "q", question.answer = "8", question.because = "so";
  Lab lab;
  lab.questions = {std::move(question)};
  return lab;
}

TEST(Labs, HalfOfThePointsAreForThreeTolerancesAndNoMore) {
  auto lab = of_one(2);
  lab.questions[0].tolerance = 0.1;
  const claims::RunFacts run(run_of(labs::lab(1)));
  const auto score = [&](const char* given) { return grade(lab, {{"q", given}}, run, "").score(); };
  for (const auto& [given, points] :
       {std::pair("8.79", 2), std::pair("7.21", 2), std::pair("8.81", 1), std::pair("10.3", 1), std::pair("5.7", 1),
        std::pair("10.5", 0), std::pair("5.5", 0), std::pair("16/2", 2)})
    EXPECT_DOUBLE_EQ(score(given), points) << given;
}

TEST(Labs, AProgramThatIsBetterThanAskedForHasFullPointsOnce) {
  const auto points = [](const char* answer) {
    auto lab = of_one(3);
    lab.questions[0].program = true, lab.questions[0].answer = answer;
    return grade(lab, {}, claims::RunFacts(run_of(labs::lab(1))), "").score();
  };
  EXPECT_DOUBLE_EQ(points("40"), 1.5);
  EXPECT_DOUBLE_EQ(points("80"), 3);
  EXPECT_DOUBLE_EQ(points("120"), 3);
}

TEST(Labs, AProgramIsNotBlamedForWhatOtherProgramsTook) {
  auto run = run_of(labs::lab(1));
  const auto graded = [&](double others, const char* answer) {
    run.noise = HostNoise{0, 0, others, 0};
    auto lab = of_one(6);
    lab.questions[0].program = true, lab.questions[0].answer = answer;
    return grade(lab, {}, claims::RunFacts(run), "").marks.front();
  };
  EXPECT_TRUE(graded(0.05, "70").counted);
  EXPECT_TRUE(graded(0.5, "85").counted);
  EXPECT_TRUE(graded(0.5, "14").counted) << "compiled without optimisation";
  const auto blamed = graded(0.5, "70");
  EXPECT_FALSE(blamed.counted);
  EXPECT_NE(blamed.feedback.find("other programs used 50 % of the CPUs"), std::string::npos) << blamed.feedback;
}

TEST(Labs, AProgramThatNobodyMeasuredHasNoPoints) {
  auto lab = of_one(6);
  lab.questions[0].program = true, lab.questions[0].answer = "100 * e[nowhere*]";
  const auto graded = grade(lab, {}, claims::RunFacts(run_of(labs::lab(1))), "");
  EXPECT_DOUBLE_EQ(graded.possible(), 6);
  EXPECT_DOUBLE_EQ(graded.score(), 0);
  EXPECT_NE(graded.marks.front().feedback.find("measure your program"), std::string::npos);
}

TEST(Labs, AProgramFarBelowTheRoofIsGradedHoweverWideItsRangeIs) {
  auto run = run_of(labs::lab(1));
  const auto counted = [&](double low, double middle, double high) {
    auto& roof = run.points.front().assessment.roof.emplace();
    roof.efficiency = middle;
    roof.range = Interval{middle, low, high};
    roof.rounds = 12;
    auto lab = of_one(6);
    lab.questions[0].program = true, lab.questions[0].tolerance = 0.1;
    lab.questions[0].answer = "100 * e[" + run.points.front().name + "]";
    return grade(lab, {}, claims::RunFacts(run), "").marks.front().counted;
  };
  EXPECT_TRUE(counted(0.036, 0.054, 0.071));
  EXPECT_TRUE(counted(0.81, 0.9, 1.4)) << "full points at its low end";
  EXPECT_FALSE(counted(0.3, 0.6, 0.9));
}

TEST(Labs, WhatARunCannotDecideIsInNoSum) {
  auto lab = of_one(2);
  lab.questions.push_back(lab.questions.front());
  lab.questions[1].id = "r", lab.questions[1].answer = "e[nowhere/at:all]";
  const auto graded = grade(lab, {{"q", "8"}, {"r", "8"}}, claims::RunFacts(run_of(labs::lab(1))), "");
  EXPECT_FALSE(graded.marks[1].counted);
  EXPECT_DOUBLE_EQ(graded.possible(), 2);
  EXPECT_DOUBLE_EQ(graded.score(), 2);
  EXPECT_NE(grade_text(lab, graded).find("score: 2 of 2; 1 of 2 questions undecided\n"), std::string::npos);
}

TEST(Labs, ADivisionByZeroIsNotANumber) {
  const auto lab = of_one(1);
  EXPECT_NE(unreadable(lab.questions[0], "1/0"), "");
  EXPECT_EQ(unreadable(lab.questions[0], " 1 / 2 "), "");
  EXPECT_NE(unreadable(lab.questions[0], "1/2/3"), "");
}

TEST(Labs, AFactorHasNoUnitToLeaveOut) {
  const claims::RunFacts run(run_of(lab(6)));
  const auto graded = grade(lab(6), {{"flops", "twice"}}, run, "");
  EXPECT_EQ(graded.marks.front().feedback, "'twice' is not a number; the factor is a number alone");
}

}  // namespace
}  // namespace roofline::labs::labs_test
