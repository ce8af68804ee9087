// Machine code of kernels as lines that can be compared: code_table FILE... of cubins, one for each target. Kernels
// that several targets have alike are one line. Compiled and run by targets.sh.
#include <cstdio>
#include <regex>

#include "tests/cuda/cubin.hpp"

namespace {

using namespace roofline::testing;
namespace op = roofline::testing::sass;

/// "run_chains<CudaForm 0, Operands 2, Fp64, 4, 64>".
std::string short_name(const std::string& mangled) {
  std::string name = demangled(mangled);
  name = std::regex_replace(name, std::regex(R"(\(anonymous namespace\)::|roofline::|^void )"), "");
  name = std::regex_replace(name, std::regex(R"(\((\w+)\)(\d+))"), "$1 $2");
  return name.substr(0, name.rfind('('));
}

/// Whether the kernel is empty because the target lacks its instruction.
bool is_empty(const SassKernel& kernel) { return static_cast<int>(kernel.code.size()) - kernel.count({op::nop}) < 8; }

std::string facts(const SassKernel& kernel) {
  auto loop = kernel.longest_loop();
  const int in_loop = static_cast<int>(loop.size());
  if (loop.empty()) loop = kernel.code;
  int wide = 0, loaded = 0;
  for (const auto& i : loop) {
    const bool global = i.family() == op::load_global || i.family() == op::store_global;
    const bool shared = i.family() == op::load_shared || i.family() == op::store_shared;
    wide += (global || shared) && i.global_access_bytes() == 16;
    if (i.family() == op::load_global) loaded += i.global_access_bytes();
  }
  constexpr int registers_of_sm = 65536, threads_of_sm = 2048, block = 256, unit = 8;
  const int each = (kernel.registers + unit - 1) / unit * unit;
  const int blocks = std::min(threads_of_sm, registers_of_sm / std::max(1, each)) / block;
  const int arithmetic =
      SassKernel::count(loop, {op::dadd,  op::dmul,  op::dfma,  op::fadd,  op::fmul,  op::ffma,      op::ffma2,
                               op::fadd2, op::fmul2, op::hadd2, op::hfma2, op::hmul2, op::hfma2_mma, op::hmma,
                               op::dmma,  op::imma,  op::qmma,  op::hgmma, op::qgmma, op::igmma});
  char text[200];
  std::snprintf(text, sizeof text, "%9d %6d %6d %5d %10d %5d %5d %6d %9d", kernel.registers,
                SassKernel::count(loop, {op::load_local, op::store_local}),
                kernel.count({op::load_local, op::store_local}), in_loop, arithmetic,
                SassKernel::count(loop, {op::nop}), wide, blocks, loaded * blocks * block / 1024);
  return text;
}

}  // namespace

int main(int n, char** files) {
  std::map<std::string, std::map<std::string, std::string>> lines;  // kernel -> facts -> targets
  for (int i = 1; i < n; ++i)
    for (const auto& kernel : kernels_in(files[i])) {
      if (is_empty(kernel)) continue;
      auto& targets = lines[short_name(kernel.name)][facts(kernel)];
      targets += (targets.empty() ? "" : ",") + std::to_string(kernel.capability);
    }
  std::puts("registers spills    all  loop arithmetic  NOPs  16 B blocks in flight kernel, targets");
  for (const auto& [kernel, variants] : lines)
    for (const auto& [text, targets] : variants)
      std::printf("%s %s %s\n", text.c_str(), kernel.c_str(), targets.c_str());
}
