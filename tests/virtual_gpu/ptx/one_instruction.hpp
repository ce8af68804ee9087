// Runs one PTX instruction, or a few, on many operands: a thread for each.
#pragma once

#include <gtest/gtest.h>

#include <cstdint>
#include <cstring>
#include <functional>
#include <string>
#include <vector>

#include "bench/virtual_gpu/decode/module.hpp"
#include "bench/virtual_gpu/execute/launch.hpp"

namespace roofline::ptx {

inline std::string ptx_header() { return ".version 9.0\n.target sm_90\n.address_size 64\n"; }

/// A buffer of the virtual GPU's memory that is freed with its scope.
template <class T>
class DeviceArray {
 public:
  DeviceArray(GlobalMemory& memory, const std::vector<T>& values) : memory_(memory), count_(values.size()) {
    data_ = static_cast<T*>(memory.allocate(std::max<std::size_t>(count_ * sizeof(T), 1)));
    if (count_ > 0) std::memcpy(static_cast<void*>(data_), values.data(), count_ * sizeof(T));
    memory.mark_written(data_, count_ * sizeof(T));
  }
  DeviceArray(GlobalMemory& memory, std::size_t count) : memory_(memory), count_(count) {
    data_ = static_cast<T*>(memory.allocate(std::max<std::size_t>(count_ * sizeof(T), 1)));
    std::memset(static_cast<void*>(data_), 0, count_ * sizeof(T));
  }
  ~DeviceArray() { memory_.free(data_); }
  DeviceArray(const DeviceArray&) = delete;
  T* data() const { return data_; }
  T& operator[](std::size_t n) const { return data_[n]; }
  std::vector<T> values() const { return {data_, data_ + count_}; }

 private:
  GlobalMemory& memory_;
  std::size_t count_;
  T* data_ = nullptr;
};

inline ExecutionOptions all_checks() {
  ExecutionOptions options;
  options.checks = Checks::all();
  return options;
}
inline ExecutionOptions limited(uint64_t instructions) {
  ExecutionOptions options;
  options.instruction_limit = instructions;
  return options;
}
inline ExecutionOptions counted() {
  ExecutionOptions options;
  options.host_threads = 1, options.per_instruction = true;
  return options;
}

/// Launches the only kernel of a module.
inline Execution run_module(const std::string& text, GlobalMemory& memory, std::vector<uint64_t> parameters,
                            std::array<uint32_t, 3> grid, std::array<uint32_t, 3> block,
                            const ExecutionOptions& options = {}, std::size_t dynamic_shared = 0,
                            bool cooperative = false) {
  const Module module = parse(text);
  module.add_to(memory);
  const Kernel& kernel = module.kernels().at(0);
  parameters.resize(std::max(parameters.size(), kernel.parameter_bytes / 8 + 1));
  Launch launch;
  launch.kernel = &kernel, launch.grid = grid, launch.block = block, launch.parameters = parameters.data();
  launch.dynamic_shared = dynamic_shared, launch.cooperative = cooperative;
  Execution e = execute(launch, memory, options);
  module.remove_from(memory);
  return e;
}

/// The statements' %d for each of the operands %a, %b, %c (registers of the types' sizes). %p is a predicate.
template <class D, class A, class B = A, class C = A>
std::vector<D> each(const std::string& statements, const std::vector<A>& a, const std::vector<B>& b = {},
                    const std::vector<C>& c = {}) {
  const auto bits = [](std::size_t bytes) { return std::to_string(8 * bytes); };
  const auto load = [&](char name, std::size_t bytes, bool given) {
    if (!given) return std::string();
    const std::string n(1, name);
    return "ld.param.u64 %q, [p" + n + "];\nmad.wide.u32 %q, %i, " + std::to_string(bytes) + ", %q;\nld.global.b" +
           bits(bytes) + " %" + n + ", [%q];\n";
  };
  const std::string text =
      ptx_header() +
      ".visible .entry k(.param .u64 pd, .param .u64 pa, .param .u64 pb, .param .u64 pc, .param .u32 n) {\n" +
      ".reg .b" + bits(sizeof(D)) + " %d;\n.reg .b" + bits(sizeof(A)) + " %a;\n.reg .b" + bits(sizeof(B)) +
      " %b;\n.reg .b" + bits(sizeof(C)) +
      " %c;\n.reg .b64 %q, %t64<4>;\n.reg .b32 %i, %n, %bs, %ts, %t<8>;\n.reg .b16 %h<8>;\n.reg .pred %p, %p2, "
      "%out;\n" +
      "mov.u32 %bs, %ctaid.x;\nmov.u32 %ts, %tid.x;\nmad.lo.u32 %i, %bs, 64, %ts;\nld.param.u32 %n, [n];\n" +
      "setp.ge.u32 %out, %i, %n;\n@%out bra DONE;\n" + load('a', sizeof(A), true) + load('b', sizeof(B), !b.empty()) +
      load('c', sizeof(C), !c.empty()) + statements + "\nld.param.u64 %q, [pd];\nmad.wide.u32 %q, %i, " +
      std::to_string(sizeof(D)) + ", %q;\nst.global.b" + bits(sizeof(D)) + " [%q], %d;\nDONE:\nret;\n}\n";
  GlobalMemory memory;
  const DeviceArray<D> d(memory, a.size());
  const DeviceArray<A> da(memory, a);
  const DeviceArray<B> db(memory, b);
  const DeviceArray<C> dc(memory, c);
  const auto address = [](auto* p) { return reinterpret_cast<uint64_t>(p); };
  ExecutionOptions options;
  options.host_threads = 1;
  const Execution e = run_module(
      text, memory, {address(d.data()), address(da.data()), address(db.data()), address(dc.data()), a.size()},
      {static_cast<uint32_t>((a.size() + 63) / 64), 1, 1}, {64, 1, 1}, options);
  EXPECT_EQ(e.outcome, Outcome::ok) << e.message;
  return d.values();
}

/// Whether every %d is what `expected` makes of its operands: bit by bit, but for what is not a number.
template <class D, class A, class... Others>
void check(const std::string& statements, const std::type_identity_t<std::function<D(A, Others...)>>& expected,
           const std::vector<A>& a, const std::vector<Others>&... others) {
  const auto d = each<D, A, Others...>(statements, a, others...);
  for (std::size_t n = 0; n < a.size(); ++n) {
    const D want = expected(a[n], others[n]...);
    const bool same = (d[n] != d[n] && want != want) || std::memcmp(&d[n], &want, sizeof want) == 0;
    ASSERT_TRUE(same) << statements << " gives " << d[n] << ", not " << want << ", of " << a[n]
                      << ((" and " + std::to_string(others[n])) + ... + "");
  }
}

/// All pairs of two lists.
template <class A, class B>
std::pair<std::vector<A>, std::vector<B>> pairs(const std::vector<A>& a, const std::vector<B>& b) {
  std::pair<std::vector<A>, std::vector<B>> all;
  for (const A x : a)
    for (const B y : b) all.first.push_back(x), all.second.push_back(y);
  return all;
}

}  // namespace roofline::ptx
