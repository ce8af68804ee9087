#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>

#include "bench/text/output.hpp"
#include "reporters/plots/plots.hpp"
#include "tests/error_of.hpp"
#include "tests/xml.hpp"

namespace roofline::message_plot_test {
namespace {

using Json = nlohmann::ordered_json;

Json halo(const char* scaling, double ranks, double bytes, double seconds) {
  return {{"problem", "box"}, {"scaling", scaling}, {"ranks", ranks},
          {"messages", 2},    {"bytes", bytes},     {"exchange", seconds}};
}

/// 2 us and 1 GB/s between two nodes; messages at half of their roofs.
Json made_up() {
  Json json{{"format", "roofline_mpi"}, {"machine", "CPU"}, {"mpi", "MPI"}, {"date", "2026"}, {"nodes", {"n1", "n2"}}};
  auto& found =
      json["messages"] = {{"a", 0}, {"b", 1}, {"latency", 2e-6}, {"bandwidth", 1e9}, {"points", Json::array()}};
  for (const double messages : {1, 4, 16})
    for (const double bytes : {1.0, 1024.0, 1048576.0})
      found["points"].push_back(
          {{"messages", messages}, {"bytes", bytes}, {"rate", std::min(messages * bytes / 2e-6, 1e9) / 2}});
  json["halos"] = {halo("strong", 1, 0, 0),
                   halo("strong", 2, 8000, 8e-6),
                   halo("weak", 4, 16000, 1e-4),
                   {{"problem", "box"}, {"error", "wrong"}}};
  return json;
}

std::vector<xml::Element> of_kind(const std::string& svg, const std::string& css) {
  auto elements = xml::parse(svg);
  std::erase_if(elements, [&](const auto& element) { return !element.has_class(css); });
  return elements;
}

TEST(MessagePlot, MessagesLieUnderTheRoofsOfTheirNumber) {
  const auto svg = message_plot(made_up().dump(), "mpi.json");
  EXPECT_NE(svg.find("Message roofline: rank 0 on n1 and rank 1 on n2"), std::string::npos);
  EXPECT_EQ(of_kind(svg, "roof").size(), 4u) << "three latencies and a bandwidth";
  for (const auto* const css : {"fL1", "fL2", "fL3"}) EXPECT_EQ(of_kind(svg, css).size(), 3u) << css;
  for (const auto* const tip :
       {"1 x 1 B: 0.000250 GB/s, 50.0 % of its roof", "16 x 1 KiB: 0.500 GB/s, 50.0 % of its roof"})
    EXPECT_NE(svg.find(tip), std::string::npos) << tip;
  for (const auto* const name : {"1 message / 2.00 us", "4 messages / 2.00 us", "16 messages / 2.00 us", "1.00 GB/s"})
    EXPECT_NE(svg.find(name), std::string::npos) << name;
}

TEST(MessagePlot, HalosAreAtTheirMeanMessageAndWhatTheyReach) {
  const auto svg = message_plot(made_up().dump(), "mpi.json");
  EXPECT_EQ(of_kind(svg, "ffamily0").size(), 2u) << "one rank sends nothing, a wrong result has no rate";
  EXPECT_NE(svg.find("box, strong, 2 ranks: 2 messages of 3.906 KiB: 1.00 GB/s, 100.0 % of their roof"),
            std::string::npos)
      << svg;
  const auto names = of_kind(svg, "tfamily0");
  ASSERT_EQ(names.size(), 1u) << "ones on most ranks";
  EXPECT_EQ(names[0].text, "box, weak, 4 ranks");
}

TEST(MessagePlot, WhatIsNoSuchFileIsRefusedInOneLine) {
  const auto refused = [](const Json& json) { return testing::error_of([&] { message_plot(json.dump(), "x.json"); }); };
  auto without = made_up();
  without.erase("messages");
  EXPECT_EQ(refused(without), "x.json: has no messages; roofline_mpi --phases=messages measures them");
  EXPECT_NE(refused({{"context", {}}}).find("x.json: --view=messages draws mpi.json"), std::string::npos);
  for (const Json& bad : {Json(0), Json(-1), Json(1e300), Json("x"), Json(nullptr)}) {
    auto mutated = made_up();
    mutated["messages"]["points"][4]["rate"] = bad;
    EXPECT_EQ(refused(mutated).rfind("x.json: /messages/points/4/rate", 0), 0u) << refused(mutated);
  }
  EXPECT_THROW(message_plot("", "x.json"), FileError);
}

}  // namespace
}  // namespace roofline::message_plot_test
