#include "bench/virtual_gpu/runtime/fatbin.hpp"

#include <gtest/gtest.h>
#include <lz4.h>
#include <zstd.h>

#include <cstring>

namespace roofline::runtime::fatbin_test {
namespace {

/// Writes fat binaries as nvcc does, entry by entry.
class Writer {
 public:
  enum Kind : std::uint16_t { ptx = 1, elf = 2 };
  static constexpr std::uint64_t lz4 = 0x2000, zstd = 0x8000, exact = 0x100000, family = 0x200000;

  Writer& add(Kind kind, unsigned architecture, std::string program, std::uint64_t flags = 0) {
    const auto plain = program.size();
    if (flags & zstd) {
      std::string packed(ZSTD_compressBound(plain), '\0');
      packed.resize(ZSTD_compress(packed.data(), packed.size(), program.data(), plain, 3));
      program = packed;
    } else if (flags & lz4) {
      std::string packed(static_cast<std::size_t>(LZ4_compressBound(static_cast<int>(plain))), '\0');
      packed.resize(static_cast<std::size_t>(LZ4_compress_default(
          program.data(), packed.data(), static_cast<int>(plain), static_cast<int>(packed.size()))));
      program = packed;
    }
    const bool compressed = flags & (lz4 | zstd);
    const auto packed = static_cast<std::uint32_t>(compressed ? program.size() : 0);
    program.resize((program.size() + 7) / 8 * 8);
    put<std::uint16_t>(kind), put<std::uint16_t>(0x101), put<std::uint32_t>(64);
    put<std::uint64_t>(program.size()), put<std::uint32_t>(packed), put<std::uint32_t>(0);
    put<std::uint32_t>(0x90000), put<std::uint32_t>(architecture), put<std::uint64_t>(0);
    put<std::uint64_t>(flags | 0x11), put<std::uint64_t>(0), put<std::uint64_t>(compressed ? plain : 0);
    for (const char c : program) put(c);
    return *this;
  }

  std::vector<std::byte> bytes() const {
    std::vector<std::byte> result(16);
    const std::uint32_t magic = 0xba55ed50;
    const std::uint16_t version = 1, header = 16;
    const std::uint64_t size = entries_.size();
    std::memcpy(result.data(), &magic, 4), std::memcpy(result.data() + 4, &version, 2);
    std::memcpy(result.data() + 6, &header, 2), std::memcpy(result.data() + 8, &size, 8);
    result.insert(result.end(), entries_.begin(), entries_.end());
    return result;
  }

 private:
  template <class T>
  void put(T value) {
    const auto* const bytes = reinterpret_cast<const std::byte*>(&value);
    entries_.insert(entries_.end(), bytes, bytes + sizeof value);
  }
  std::vector<std::byte> entries_;
};

const std::string program = "\n.version 9.0\n.target sm_75\n" + std::string(3000, ' ') + "// the end\n";

TEST(Fatbin, ProgramsComeOutAsTheyWentInHoweverTheyWereCompressed) {
  for (const std::uint64_t flags : {std::uint64_t{0}, Writer::lz4, Writer::zstd}) {
    const auto bytes = Writer().add(Writer::ptx, 75, program, flags).bytes();
    const auto entries = read_fatbin(bytes);
    ASSERT_EQ(entries.size(), 1u);
    EXPECT_EQ(entries[0].contents(), program) << flags;
    EXPECT_EQ(entries[0].architecture, 75u);
  }
}

TEST(Fatbin, TheZerosBehindPtxAreNotPartOfIt) {
  const auto bytes = Writer().add(Writer::ptx, 80, std::string("ab\0\0\0", 5)).bytes();
  EXPECT_EQ(read_fatbin(bytes)[0].contents(), "ab");
}

TEST(Fatbin, ADeviceRunsTheHighestPtxThatIsNotAboveIt) {
  const auto bytes = Writer()
                         .add(Writer::ptx, 90, "i")
                         .add(Writer::ptx, 75, "a")
                         .add(Writer::elf, 80, "")
                         .add(Writer::ptx, 80, "e")
                         .bytes();
  const auto entries = read_fatbin(bytes);
  EXPECT_EQ(choose_ptx(entries, 75)->architecture, 75u);
  EXPECT_EQ(choose_ptx(entries, 89)->architecture, 80u);
  EXPECT_EQ(choose_ptx(entries, 120)->architecture, 90u);
  EXPECT_EQ(choose_ptx(entries, 70), nullptr);
  EXPECT_EQ(lowest_ptx(entries)->architecture, 75u);
}

TEST(Fatbin, CodeForExactlyOneArchitectureRunsThereAndNowhereElse) {
  const auto bytes =
      Writer().add(Writer::ptx, 75, "a").add(Writer::ptx, 90, "b").add(Writer::ptx, 90, "c", Writer::exact).bytes();
  const auto entries = read_fatbin(bytes);
  EXPECT_EQ(choose_ptx(entries, 90)->name(), "compute_90a");
  EXPECT_EQ(choose_ptx(entries, 100)->name(), "compute_90");
}

TEST(Fatbin, CodeForAFamilyStaysInIt) {
  const auto bytes = Writer().add(Writer::ptx, 75, "a").add(Writer::ptx, 100, "c", Writer::family).bytes();
  const auto entries = read_fatbin(bytes);
  EXPECT_EQ(choose_ptx(entries, 103)->name(), "compute_100f");
  EXPECT_EQ(choose_ptx(entries, 120)->name(), "compute_75");
}

TEST(Fatbin, MachineCodeRunsOnLaterMinorVersionsOnly) {
  const auto bytes = Writer().add(Writer::elf, 75, "").add(Writer::elf, 80, "").add(Writer::elf, 86, "").bytes();
  const auto entries = read_fatbin(bytes);
  EXPECT_EQ(choose_cubin(entries, 86)->name(), "sm_86");
  EXPECT_EQ(choose_cubin(entries, 83)->name(), "sm_80");
  EXPECT_EQ(choose_cubin(entries, 90), nullptr);
}

TEST(Fatbin, DamageIsAnErrorAndNotARead) {
  auto bytes = Writer().add(Writer::ptx, 75, program, Writer::zstd).bytes();
  EXPECT_THROW(read_fatbin(std::span(bytes).first(8)), FatbinError);
  EXPECT_THROW(read_fatbin(std::span(bytes).first(bytes.size() - 1)), FatbinError);
  auto wrong_magic = bytes;
  wrong_magic[0] = std::byte{0};
  EXPECT_THROW(read_fatbin(wrong_magic), FatbinError);
  auto too_long = bytes;
  too_long[16 + 8 + 5] = std::byte{0xff};
  EXPECT_THROW(read_fatbin(too_long), FatbinError);
  auto torn = bytes;
  torn[16 + 64] ^= std::byte{0x55};  // of the frame's magic: there is no checksum of what is inside
  const auto entries = read_fatbin(torn);
  EXPECT_THROW(entries[0].contents(), FatbinError);
}

TEST(Fatbin, AWrapperLeadsToItsBytes) {
  const auto bytes = Writer().add(Writer::ptx, 75, program).bytes();
  struct {
    std::uint32_t magic = 0x466243b1, version = 1;
    const void* data = nullptr;
    void* file = nullptr;
  } wrapper;
  wrapper.data = bytes.data();
  EXPECT_EQ(fatbin_of_wrapper(&wrapper).size(), bytes.size());
  wrapper.magic = 1;
  EXPECT_THROW(fatbin_of_wrapper(&wrapper), FatbinError);
}

}  // namespace
}  // namespace roofline::runtime::fatbin_test
