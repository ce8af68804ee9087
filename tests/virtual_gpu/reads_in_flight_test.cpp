#include "bench/virtual_gpu/memory/reads_in_flight.hpp"

#include <gtest/gtest.h>

#include "bench/virtual_gpu/memory/gpu_model.hpp"
#include "bench/virtual_gpu/memory/running_launch.hpp"

namespace roofline::reads_in_flight_test {
namespace {

LineAccess read(std::uint32_t line, std::uint8_t sectors, std::uint8_t gpc = 0) {
  return {.line = line, .sectors = sectors, .bytes = {}, .gpc = gpc};
}

TEST(ReadsInFlight, FourOfOneGpcShareARequest) {
  ReadsInFlight reads(4);
  for (int request = 0; request < 3; ++request) {
    EXPECT_EQ(reads.merged(read(7, 0b0011), 10, 20), 0u) << request;
    for (int other = 1; other < 4; ++other) EXPECT_EQ(reads.merged(read(7, 0b0011), 10, 20), 2u) << request;
  }
  EXPECT_EQ(reads.merged(read(7, 0b0011, 1), 10, 20), 0u) << "another GPC";
  EXPECT_EQ(reads.merged(read(8, 0b0011), 10, 20), 0u) << "another line";
  EXPECT_EQ(reads.merged(read(8, 0b0110), 10, 20), 1u) << "one sector of two";
  EXPECT_EQ(reads.merged(read(8, 0b0100), 10, 20), 1u);
}

TEST(ReadsInFlight, ARequestThatIsBackSharesNothing) {
  ReadsInFlight reads(4);
  EXPECT_EQ(reads.merged(read(7, 1), 10, 20), 0u);
  EXPECT_EQ(reads.merged(read(7, 1), 20, 30), 1u);
  EXPECT_EQ(reads.merged(read(7, 1), 21, 31), 0u) << "those that share it do not make it longer";
}

TEST(ReadsInFlight, ManyLinesAreNotTakenForOneAnother) {
  ReadsInFlight reads(4);
  unsigned merged = 0;
  for (std::uint32_t line = 0; line < 1u << 18; ++line) merged += reads.merged(read(line, 0b1111), 1, 1);
  EXPECT_EQ(merged, 0u) << "some share a place";
}

/// Blocks of one warp that read parts of some data, line by line, in several rounds: as results/h100-sxm/caches.txt.
struct Reading {
  static constexpr std::uint32_t sms = 132, lines = 64, all = sms * lines;
  std::uint32_t rounds, part, moves;  ///< lines of a part; how many parts further the next round reads

  std::uint32_t line(std::uint32_t block, std::uint32_t n) const {
    return part == all ? n % all : (block + n / part * moves) % sms * part + n % part;
  }
};

class ReadingFeed final : public BlockFeed {
 public:
  explicit ReadingFeed(Reading reading) : reading_(reading) {}
  void begin(std::size_t place, Index block) override {
    if (places_.size() <= place) places_.resize(place + 1);
    places_[place] = {static_cast<std::uint32_t>(block), 0, {}};
  }
  WarpStep step(std::size_t place, unsigned) override {
    auto& [block, done, line] = places_[place];
    line = {{.line = reading_.line(block, done), .sectors = 0b1111, .bytes = {}}};
    return {.ended = ++done == reading_.rounds * reading_.part, .lines = line};
  }

 private:
  struct Place {
    std::uint32_t block, done;
    std::vector<LineAccess> line;
  };
  Reading reading_;
  std::vector<Place> places_;
};

GpuKernel kernel_of(Reading reading) {
  GpuKernel kernel;
  kernel.name = "reading", kernel.blocks = Reading::sms;
  kernel.feed = [reading] { return std::make_unique<ReadingFeed>(reading); };
  kernel.count = [reading](Index, Index blocks) {
    WarpCounts counts;
    auto& loads = counts.of(Access::global_load);
    loads.requests = static_cast<std::uint64_t>(blocks) * reading.rounds * reading.part;
    loads.sectors = 4 * loads.requests;
    return counts;
  };
  return kernel;
}

Device h100() {
  auto device = find_device("h100");
  device.l1.size = 4 * 128, device.l1.ways = 4, device.shared_options = {0};  // keeps nothing of these
  return device;
}

/// Requests that L2 gets for each sector of the data.
double at_l2(Reading reading, Schedule schedule) {
  const auto traffic = simulate(h100(), kernel_of(reading), schedule).all.traffic;
  return static_cast<double>(traffic.l2_read - traffic.l2_merged) / (4 * Reading::all);
}

TEST(ReadsInFlight, AnH100sL2IsAskedAsItsCountersSay) {
  for (const auto schedule : {Schedule::round_robin, Schedule::greedy}) {
    const auto all = at_l2({3, Reading::all, 0}, schedule);
    EXPECT_GE(all, 102) << name(schedule) << ": 396 of 132 SMs in 6 GPCs of 16 and 2 of 18; counted 103 to 105";
    EXPECT_LE(all, 106) << name(schedule);
    EXPECT_EQ(at_l2({4, Reading::lines, 0}, schedule), 4) << "a part of its own: counted 4.4";
    EXPECT_EQ(at_l2({4, Reading::lines, 67}, schedule), 4) << "another part in each round: counted 4.4";
  }
}

TEST(ReadsInFlight, MergedAndApartAreTheEndsOfL2sIntervalAndNothingElse) {
  const auto kernel = kernel_of({3, Reading::all, 0});
  auto device = h100();
  const auto merging = GpuModel(device).count(kernel).counts();
  device.merged_reads = 1;
  const auto without = GpuModel(device).count(kernel).counts();
  const auto range = [](const Counts& counts, MemoryLevel level) {
    return *counts.range[static_cast<std::size_t>(level)];
  };
  constexpr double bytes = 1.0 * Reading::all * 128;
  EXPECT_EQ(range(merging, MemoryLevel::L2).low, 102 * bytes);
  EXPECT_EQ(range(merging, MemoryLevel::L2).high, 396 * bytes);
  const double factor = std::sqrt(396.0 / 102);
  EXPECT_NEAR(merging.at(MemoryLevel::L2)->total(), 102 * factor * bytes, 1e-9 * bytes) << "as far from both ends";
  EXPECT_EQ(range(without, MemoryLevel::L2).low, 396 * bytes);
  EXPECT_EQ(range(without, MemoryLevel::L2).high, 396 * bytes);
  EXPECT_EQ(range(merging, MemoryLevel::DRAM).low, range(without, MemoryLevel::DRAM).low);
  EXPECT_EQ(range(merging, MemoryLevel::DRAM).high, range(without, MemoryLevel::DRAM).high);
  EXPECT_EQ(merging.details.at("hit_rate_L1"), without.details.at("hit_rate_L1"));
  // L2 misses as often, of fewer reads.
  EXPECT_NEAR((1 - merging.details.at("hit_rate_L2")) * 102 * factor, (1 - without.details.at("hit_rate_L2")) * 396,
              1e-9);
  EXPECT_NE(merging.traffic_note.find("merged..apart"), std::string::npos) << merging.traffic_note;
  EXPECT_EQ(without.traffic_note.find("merged"), std::string::npos) << without.traffic_note;
}

}  // namespace
}  // namespace roofline::reads_in_flight_test
