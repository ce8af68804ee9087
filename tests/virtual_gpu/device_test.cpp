#include "bench/virtual_gpu/devices/device.hpp"

#include <gtest/gtest.h>

#include <nlohmann/json.hpp>

#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"
#include "bench/virtual_gpu/devices/described.hpp"
#include "reporters/claims/claim.hpp"
#include "tests/error_of.hpp"

namespace roofline::device_test {
namespace {

const std::string devices = std::string(ROOFLINE_TEST_DATA) + "/../../bench/virtual_gpu/devices/";

std::string text_of(const std::string& name) { return read_file(devices + name + ".json"); }

/// The reader's message about the V100 file after a change.
template <class Change>
std::string message(Change change) {
  auto json = parse_json(text_of("v100"), "");
  change(json);
  return testing::error_of<FileError>([&] { parse_device(json.dump(), "x.json"); });
}

TEST(Device, ReadsTheShippedFiles) {
  for (const auto* name : {"v100", "a100", "h100", "h200"}) {
    const auto device = read_device(devices + name + ".json");
    EXPECT_EQ(device.name, name);
    EXPECT_GE(device.bandwidth(MemoryLevel::L1), device.bandwidth(MemoryLevel::L2));
    EXPECT_GE(device.bandwidth(MemoryLevel::L2), device.bandwidth(MemoryLevel::DRAM));
    EXPECT_EQ(device.model_hash(), parse_device(text_of(name), "again").model_hash());
    for (const auto& [key, source] : device.sources) EXPECT_FALSE(source.empty()) << key;
  }
}

TEST(Device, V100HasThePublishedCeilings) {
  const auto device = read_device(devices + "v100.json");
  const auto published = parse_json(claims::published_file(), "");
  const auto rate = [&](const std::string& name) {
    for (const auto& ceiling : published["ceilings"])
      if (ceiling["machine"] == "V100" && ceiling["name"] == name) return ceiling["value"].get<double>() * 1e9;
    return 0.0;
  };
  EXPECT_DOUBLE_EQ(device.bandwidth(MemoryLevel::DRAM), rate("HBM"));
  EXPECT_DOUBLE_EQ(device.bandwidth(MemoryLevel::L2), rate("L2"));
  EXPECT_DOUBLE_EQ(device.bandwidth(MemoryLevel::L1), rate("L1"));
  for (const auto& ceiling : device.ceilings)
    if (ceiling.kind == Ceiling::Kind::compute) {
      EXPECT_DOUBLE_EQ(ceiling.rate, rate(ceiling.operation == Operation::fma ? "FP64 FMA" : "FP64 no-FMA"));
    }
}

TEST(Device, HashFollowsGeometryAndPolicyOnly) {
  auto json = parse_json(text_of("v100"), "");
  const auto hash = parse_device(json.dump(), "x").model_hash();
  json["description"] = "another text";
  json["sm"]["count"]["source"] = "somebody else";
  EXPECT_EQ(parse_device(json.dump(), "x").model_hash(), hash);
  json["l1"]["replacement"]["value"] = "random";
  EXPECT_NE(parse_device(json.dump(), "x").model_hash(), hash);
}

TEST(Device, RefusesWhatIsMissingOrMakesNoSense) {
  EXPECT_EQ(message([](auto& json) { json["l1"].erase("size"); }), "x.json: /l1/size: is missing");
  EXPECT_EQ(message([](auto& json) { json["l2"]["size"]["value"] = -6291456; }),
            "x.json: /l2/size: must be positive, is -6291456");
  EXPECT_EQ(message([](auto& json) { json["l1"]["line"]["value"] = 100; }),
            "x.json: /l1/line: must be a power of two, is 100");
  EXPECT_EQ(message([](auto& json) { json["l2"]["replacement"]["value"] = "fifo"; }),
            "x.json: /l2/replacement: unknown policy \"fifo\"; known: lru, random");
  EXPECT_EQ(message([](auto& json) { json["dram"]["fetch"].erase("source"); }),
            "x.json: /dram/fetch/source: is missing");
  EXPECT_EQ(message([](auto& json) {
              json["sm"]["shared_options"]["value"] = {98304, 0};
            }),
            "x.json: /sm/shared_options: must ascend");
  EXPECT_EQ(message([](auto& json) { json["colour"] = 1; }), "x.json: /colour: is not a key of device files");
  EXPECT_EQ(message([](auto& json) { json["ceilings"].erase(4); }), "x.json: /ceilings: DRAM is missing");
  EXPECT_EQ(message([](auto& json) {
              json["sm"]["reciprocal"]["value"] = {{"sqrt", 1}};
            }),
            "x.json: /sm/reciprocal: unknown instruction sqrt; known: add, mul, fma");
}

TEST(Device, ReadsOfL2AreMergedOnTheChipsThatHaveACoalescer) {
  for (const auto* name : {"h100", "h200", "gh200", "h100-pcie", "b200"}) {
    EXPECT_EQ(find_device(name).merged_reads, 4u) << name;
    EXPECT_EQ(find_device(name).gpcs, 8u) << name;
  }
  for (const auto* name : {"v100", "a100", "a10", "l4", "rtx4090"})
    EXPECT_FALSE(find_device(name).merges_reads()) << name;
  const Gpu rtx5090{.name = "a card", .major = 12, .minor = 0, .sms = 170, .l2_bytes = 96 << 20};
  EXPECT_FALSE(parse_device(described(rtx5090), "x").merges_reads()) << "else as an H100";
  auto json = parse_json(text_of("h100"), "");
  const auto hash = parse_device(json.dump(), "x").model_hash();
  json["coalescer"]["gpcs"]["value"] = 256;
  EXPECT_EQ(testing::error_of<FileError>([&] { parse_device(json.dump(), "x.json"); }),
            "x.json: /coalescer/gpcs: must be 255 at most, is 256");
  json.erase("coalescer");
  EXPECT_NE(parse_device(json.dump(), "x").model_hash(), hash);
}

TEST(Device, EveryKeyIsNeeded) {
  const auto whole = parse_json(text_of("v100"), "");
  for (const auto* group : {"sm", "l1", "l2", "dram"})
    for (const auto& [key, value] : whole[group].items()) {
      const auto said = message([&, key = key](auto& json) { json[group].erase(key); });
      EXPECT_EQ(said, std::string("x.json: /") + group + "/" + key + ": is missing");
    }
}

}  // namespace
}  // namespace roofline::device_test
