// Fragments of matrix instructions against the tables of the PTX documentation, with inputs that differ in every
// element, along K too.
#include <cmath>
#include <cstring>
#include <functional>

#include "bench/virtual_gpu/ops/half.hpp"
#include "tests/virtual_gpu/ptx/one_instruction.hpp"

namespace roofline::ptx::matrix_test {
namespace {

struct Position {
  int row, column;
};
/// Where element `i` of a lane's fragment lies; g is lane >> 2, t is lane % 4.
using Layout = std::function<Position(int g, int t, int i)>;

enum class Type { f64, f32, f16, bf16, tf32, s8, u8, s32, e4m3 };

int bits(Type t) {
  return t == Type::f64                                      ? 64
         : t == Type::f16 || t == Type::bf16                 ? 16
         : t == Type::s8 || t == Type::u8 || t == Type::e4m3 ? 8
                                                             : 32;
}
uint64_t encode(Type t, double x) {
  switch (t) {
    case Type::f64:
      return std::bit_cast<uint64_t>(x);
    case Type::f16:
      return float_to_half(static_cast<float>(x));
    case Type::bf16:
      return float_to_bfloat(static_cast<float>(x));
    case Type::e4m3:
      return float_to_e4m3(static_cast<float>(x));
    case Type::s8:
    case Type::u8:
      return static_cast<uint8_t>(static_cast<int>(x));
    case Type::s32:
      return static_cast<uint32_t>(static_cast<int>(x));
    default:
      return std::bit_cast<uint32_t>(static_cast<float>(x));
  }
}
double decode(Type t, uint64_t b) {
  return t == Type::f64   ? std::bit_cast<double>(b)
         : t == Type::f16 ? half_to_float(static_cast<uint32_t>(b) & 0xffff)
         : t == Type::s32 ? static_cast<int32_t>(b)
                          : std::bit_cast<float>(static_cast<uint32_t>(b));
}

struct Case {
  const char* instruction;
  int m, n, k;
  Type in, sum;
  Layout a, b, c;
};

// Small integers: exact in every type here; different along rows and columns.
double a_value(int row, int k) { return (row * 3 + k * 5) % 7 - 3; }
double b_value(int k, int column) { return (k * 2 + column * 3) % 5 - 2; }
double c_value(int row, int column) { return (row + 2 * column) % 9 - 4; }

// Packs elements into the registers of each lane: [register][lane] of 64-bit words.
std::vector<uint64_t> pack(Type t, int elements, const Layout& layout, const std::function<double(int, int)>& value) {
  const int in_register = bits(t) == 64 ? 1 : 32 / bits(t), registers = elements / in_register;
  std::vector<uint64_t> words(static_cast<std::size_t>(registers) * 32, 0);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < elements; ++i) {
      const Position p = layout(lane / 4, lane % 4, i);
      words[static_cast<std::size_t>(i / in_register * 32 + lane)] |= encode(t, value(p.row, p.column))
                                                                      << i % in_register * bits(t);
    }
  return words;
}

std::string operand(const char* name, int first, int count) {
  std::string s = "{";
  for (int n = 0; n < count; ++n) s += (n ? ", " : "") + std::string(name) + std::to_string(first + n);
  return s + "}";
}

void check(const Case& c) {
  const auto words_a = pack(c.in, c.m * c.k / 32, c.a, a_value), words_b = pack(c.in, c.k * c.n / 32, c.b, b_value),
             words_c = pack(c.sum, c.m * c.n / 32, c.c, c_value);
  const int na = static_cast<int>(words_a.size() / 32), nb = static_cast<int>(words_b.size() / 32),
            nc = static_cast<int>(words_c.size() / 32);
  std::vector<uint64_t> words = words_a;
  words.insert(words.end(), words_b.begin(), words_b.end());
  words.insert(words.end(), words_c.begin(), words_c.end());
  const bool wide_in = bits(c.in) == 64, wide_sum = bits(c.sum) == 64;
  std::string text = ptx_header() +
                     ".visible .entry k(.param .u64 p) {\n.reg .b64 %q, %w<80>;\n.reg .b32 %r<80>;\n.reg .b32 "
                     "%t;\nmov.u32 %t, %tid.x;\nld.param.u64 %q, [p];\nmad.wide.u32 %q, %t, 8, %q;\n";
  const auto move = [&](const char* op, int n, bool wide) {
    const std::string reg = (wide ? "%w" : "%r") + std::to_string(n), at = "[%q+" + std::to_string(n * 256) + "]";
    text += op[0] == 'l' ? "ld.global." + std::string(wide ? "b64 " : "b32 ") + reg + ", " + at + ";\n"
                         : "st.global." + std::string(wide ? "b64 " : "b32 ") + at + ", " + reg + ";\n";
  };
  for (int n = 0; n < na + nb; ++n) move("ld", n, wide_in);
  for (int n = na + nb; n < na + nb + nc; ++n) move("ld", n, wide_sum);
  const char *in = wide_in ? "%w" : "%r", *sum = wide_sum ? "%w" : "%r";
  text += std::string(c.instruction) + " " + operand(sum, na + nb, nc) + ", " + operand(in, 0, na) + ", " +
          operand(in, na, nb) + ", " + operand(sum, na + nb, nc) + ";\n";
  for (int n = na + nb; n < na + nb + nc; ++n) move("st", n, wide_sum);
  GlobalMemory memory;
  const DeviceArray<uint64_t> data(memory, words);
  const Execution e =
      run_module(text + "ret;\n}\n", memory, {reinterpret_cast<uint64_t>(data.data())}, {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(e.outcome, Outcome::ok) << c.instruction << ": " << e.message;
  const uint64_t operations = 2ull * static_cast<uint64_t>(c.m * c.n * c.k);
  EXPECT_EQ(e.counts.tensor_flops + e.counts.tensor_operations, operations);
  const int in_register = wide_sum ? 1 : 32 / bits(c.sum);
  for (int lane = 0; lane < 32; ++lane)
    for (int i = 0; i < c.m * c.n / 32; ++i) {
      const Position p = c.c(lane / 4, lane % 4, i);
      double expected = c_value(p.row, p.column);
      for (int k = 0; k < c.k; ++k) expected += a_value(p.row, k) * b_value(k, p.column);
      const uint64_t word = data[static_cast<std::size_t>((na + nb + i / in_register) * 32 + lane)];
      ASSERT_EQ(decode(c.sum, word >> i % in_register * bits(c.sum)), expected)
          << c.instruction << " lane " << lane << " element " << i;
    }
}

// "Matrix Fragments for mma" of the PTX documentation, as written there.
const Layout c16 = [](int g, int t, int i) { return Position{i < 2 ? g : g + 8, 2 * t + (i & 1)}; };
const Layout c8 = [](int g, int t, int i) { return Position{g, 2 * t + (i & 1)}; };

TEST(PtxMatrix, HalfPrecisionFragmentsLieAsDocumented) {
  const Layout a16 = [](int g, int t, int i) {
    return Position{i < 2 || (i >= 4 && i < 6) ? g : g + 8, i < 4 ? 2 * t + (i & 1) : 2 * t + (i & 1) + 8};
  };
  const Layout b16 = [](int g, int t, int i) { return Position{i < 2 ? 2 * t + (i & 1) : 2 * t + (i & 1) + 8, g}; };
  const Layout a8 = [](int g, int t, int i) { return Position{i < 2 ? g : g + 8, 2 * t + (i & 1)}; };
  const Layout b8 = [](int g, int t, int i) { return Position{2 * t + i, g}; };
  check({"mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32", 16, 8, 16, Type::f16, Type::f32, a16, b16, c16});
  check({"mma.sync.aligned.m16n8k16.row.col.f16.f16.f16.f16", 16, 8, 16, Type::f16, Type::f16, a16, b16, c16});
  check({"mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32", 16, 8, 16, Type::bf16, Type::f32, a16, b16, c16});
  check({"mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32", 16, 8, 8, Type::f16, Type::f32, a8, b8, c16});
}

TEST(PtxMatrix, Tf32AndDoubleFragmentsLieAsDocumented) {
  const Layout tf8 = [](int g, int t, int i) { return Position{i == 0 || i == 2 ? g : g + 8, i < 2 ? t : t + 4}; };
  const Layout btf8 = [](int g, int t, int i) { return Position{i == 0 ? t : t + 4, g}; };
  const Layout tf4 = [](int g, int t, int i) { return Position{i == 0 ? g : g + 8, t}; };
  const Layout one = [](int g, int t, int) { return Position{t, g}; };
  check({"mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32", 16, 8, 8, Type::tf32, Type::f32, tf8, btf8, c16});
  check({"mma.sync.aligned.m16n8k4.row.col.f32.tf32.tf32.f32", 16, 8, 4, Type::tf32, Type::f32, tf4, one, c16});
  check({"mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64", 8, 8, 4, Type::f64, Type::f64,
         [](int g, int t, int) {
           return Position{g, t};
         },
         one, c8});
  check({"mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64", 16, 8, 4, Type::f64, Type::f64, tf4, one, c16});
  check({"mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64", 16, 8, 8, Type::f64, Type::f64, tf8, btf8, c16});
  const Layout d16 = [](int g, int t, int i) {
    return Position{i % 2 == 0 ? g : g + 8, i % 2 == 0 ? i * 2 + t : i * 2 - 2 + t};
  };
  check({"mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64", 16, 8, 16, Type::f64, Type::f64, d16,
         [](int g, int t, int i) {
           return Position{t + i * 4, g};
         },
         c16});
}

TEST(PtxMatrix, ByteFragmentsLieAsDocumented) {
  const Layout a32 = [](int g, int t, int i) {
    return Position{(i >= 0 && i < 4) || (i >= 8 && i < 12) ? g : g + 8,
                    i < 8 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16};
  };
  const Layout b32 = [](int g, int t, int i) { return Position{i < 4 ? t * 4 + (i & 3) : t * 4 + (i & 3) + 16, g}; };
  const Layout a16 = [](int g, int t, int i) { return Position{i < 4 ? g : g + 8, t * 4 + (i & 3)}; };
  const Layout b16 = [](int g, int t, int i) { return Position{t * 4 + i, g}; };
  check({"mma.sync.aligned.m16n8k32.row.col.s32.s8.s8.s32", 16, 8, 32, Type::s8, Type::s32, a32, b32, c16});
  check({"mma.sync.aligned.m16n8k16.row.col.satfinite.s32.s8.s8.s32", 16, 8, 16, Type::s8, Type::s32, a16, b16, c16});
  check({"mma.sync.aligned.m8n8k16.row.col.s32.s8.s8.s32", 8, 8, 16, Type::s8, Type::s32,
         [](int g, int t, int i) {
           return Position{g, t * 4 + i};
         },
         b16, c8});
  check({"mma.sync.aligned.m16n8k32.row.col.f32.e4m3.e4m3.f32", 16, 8, 32, Type::e4m3, Type::f32, a32, b32, c16});
}

// Multiplies 64 x 16 by 16 x 16 with descriptors made from the documented layout, and compares all of D.
void check_wgmma(uint32_t swizzle_bytes) {
  const uint32_t mode = swizzle_bytes == 128 ? 1 : swizzle_bytes == 64 ? 2 : swizzle_bytes == 32 ? 3 : 0;
  constexpr int m = 64, n = 16, k = 16;
  // Rows of `width` bytes, eight to a group; without a swizzle 8 x 16 bytes are a core matrix.
  const uint32_t width = mode ? swizzle_bytes : 16, group = 8 * width;
  const uint32_t leading = mode ? 16 : (m / 8) * 128, leading_b = mode ? 16 : (n / 8) * 128;
  const auto place = [&](uint32_t row, uint32_t column, uint32_t lead) {
    const uint32_t byte = 2 * column;
    if (!mode) return row / 8 * group + byte / 16 * lead + row % 8 * 16 + byte % 16;
    const uint32_t linear = row / 8 * group + row % 8 * width + byte;
    const uint32_t units = swizzle_bytes / 16;  // 16-byte units of a row change places with the row's number
    return linear ^ ((linear / 128 % units) * 16);
  };
  std::vector<uint16_t> shared(16384 / 2, 0);
  constexpr uint32_t b_at = 8192;
  for (int r = 0; r < m; ++r)
    for (int c = 0; c < k; ++c)
      shared[place(static_cast<uint32_t>(r), static_cast<uint32_t>(c), leading) / 2] =
          static_cast<uint16_t>(encode(Type::f16, a_value(r, c)));
  for (int r = 0; r < n; ++r)
    for (int c = 0; c < k; ++c)
      shared[(b_at + place(static_cast<uint32_t>(r), static_cast<uint32_t>(c), leading_b)) / 2] =
          static_cast<uint16_t>(encode(Type::f16, b_value(c, r)));
  const auto descriptor = [&](uint32_t at, uint32_t lead) {
    return uint64_t{at >> 4} | uint64_t{lead >> 4} << 16 | uint64_t{group >> 4} << 32 | uint64_t{mode} << 62;
  };
  std::string text =
      ptx_header() +
      ".visible .entry k(.param .u64 in, .param .u64 out, .param .u64 da, .param .u64 db) {\n.shared .align 1024 .b8 "
      "s[16384];\n"
      ".reg .b64 %q, %a, %b;\n.reg .b32 %t, %i, %x, %f<8>;\n.reg .pred %p;\nmov.u32 %t, %tid.x;\nshl.b32 %i, %t, 2;\n"
      "L: ld.param.u64 %q, [in];\ncvt.u64.u32 %a, %i;\nadd.u64 %q, %q, %a;\nld.global.b32 %x, [%q];\nst.shared.b32 "
      "[%i], %x;\nadd.u32 %i, %i, 512;\n"
      "setp.lt.u32 %p, %i, 16384;\n@%p bra L;\nbar.sync 0;\nld.param.u64 %a, [da];\nld.param.u64 %b, [db];\n";
  for (int f = 0; f < 8; ++f) text += "mov.b32 %f" + std::to_string(f) + ", 0f3f800000;\n";
  text += "wgmma.fence.sync.aligned;\nwgmma.mma_async.sync.aligned.m64n16k16.f32.f16.f16 " + operand("%f", 0, 8) +
          ", %a, %b, 1, 1, 1, 0, 0;\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\nld.param.u64 "
          "%q, [out];\nmad.wide.u32 %q, %t, 32, %q;\n";
  for (int f = 0; f < 8; ++f)
    text += "st.global.b32 [%q+" + std::to_string(4 * f) + "], %f" + std::to_string(f) + ";\n";
  GlobalMemory memory;
  const DeviceArray<uint16_t> in(memory, shared);
  const DeviceArray<float> out(memory, 128 * 8);
  const Execution e = run_module(text + "ret;\n}\n", memory,
                                 {reinterpret_cast<uint64_t>(in.data()), reinterpret_cast<uint64_t>(out.data()),
                                  descriptor(0, leading), descriptor(b_at, leading_b)},
                                 {1, 1, 1}, {128, 1, 1});
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  EXPECT_EQ(e.counts.tensor_flops, 2ull * m * n * k);
  for (int thread = 0; thread < 128; ++thread)
    for (int i = 0; i < 8; ++i) {
      const int lane = thread % 32, row = 16 * (thread / 32) + lane / 4 + 8 * (i / 2 % 2),
                column = 8 * (i / 4) + 2 * (lane % 4) + i % 2;
      double expected = 1;
      for (int x = 0; x < k; ++x) expected += a_value(row, x) * b_value(x, column);
      ASSERT_EQ(out[static_cast<std::size_t>(thread * 8 + i)], expected)
          << "swizzle " << swizzle_bytes << " thread " << thread << " register " << i;
    }
}

TEST(PtxMatrix, WarpGroupsReadSharedMemoryInEverySwizzle) {
  for (const uint32_t bytes : {0u, 32u, 64u, 128u}) check_wgmma(bytes);
}

TEST(PtxMatrix, WmmaFragmentsAreConsistent) {
  std::vector<uint16_t> a(256), b(256);
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c)
      a[static_cast<std::size_t>(r * 16 + c)] = static_cast<uint16_t>(encode(Type::f16, a_value(r, c))),
                                          b[static_cast<std::size_t>(c * 16 + r)] =
                                              static_cast<uint16_t>(encode(Type::f16, b_value(r, c)));
  GlobalMemory memory;
  const DeviceArray<uint16_t> da(memory, a), db(memory, b);
  const DeviceArray<float> out(memory, 256);
  const std::string text =
      ptx_header() +
      ".visible .entry k(.param .u64 a, .param .u64 b, .param .u64 d) {\n.reg .b64 %a, %b, %d;\n.reg .b32 %x<8>, "
      "%y<8>, %s, %f<8>;\n"
      "ld.param.u64 %a, [a];\nld.param.u64 %b, [b];\nld.param.u64 %d, [d];\nmov.u32 %s, 16;\n"
      "wmma.load.a.sync.aligned.row.m16n16k16.global.f16 " +
      operand("%x", 0, 8) + ", [%a], %s;\n" + "wmma.load.b.sync.aligned.col.m16n16k16.global.f16 " +
      operand("%y", 0, 8) + ", [%b], %s;\n" +
      [] {
        std::string z;
        for (int n = 0; n < 8; ++n) z += "mov.b32 %f" + std::to_string(n) + ", 0;\n";
        return z;
      }() +
      "wmma.mma.sync.aligned.row.col.m16n16k16.f32.f32 " + operand("%f", 0, 8) + ", " + operand("%x", 0, 8) + ", " +
      operand("%y", 0, 8) + ", " + operand("%f", 0, 8) + ";\n" +
      "wmma.store.d.sync.aligned.row.m16n16k16.global.f32 [%d], " + operand("%f", 0, 8) + ", %s;\nret;\n}\n";
  const auto at = [](auto& array) { return reinterpret_cast<uint64_t>(array.data()); };
  const Execution e = run_module(text, memory, {at(da), at(db), at(out)}, {1, 1, 1}, {32, 1, 1});
  ASSERT_EQ(e.outcome, Outcome::ok) << e.message;
  for (int r = 0; r < 16; ++r)
    for (int c = 0; c < 16; ++c) {
      double expected = 0;
      for (int k = 0; k < 16; ++k) expected += a_value(r, k) * b_value(k, c);
      ASSERT_EQ(out[static_cast<std::size_t>(r * 16 + c)], expected) << r << " " << c;
    }
}

}  // namespace
}  // namespace roofline::ptx::matrix_test
