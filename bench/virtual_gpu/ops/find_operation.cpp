// Finds the table that knows an opcode.
#include "bench/virtual_gpu/ops/operation.hpp"

namespace roofline::ptx {
namespace {

bool one_of(std::string_view op, std::initializer_list<std::string_view> names) {
  for (const auto name : names)
    if (op == name) return true;
  return false;
}

bool real(std::string_view type) { return type == "f64" || type == "f32" || type == "f32x2"; }
bool half(std::string_view type) { return type == "f16" || type == "f16x2" || type == "bf16" || type == "bf16x2"; }

Found find_arithmetic(const Statement& s) {
  if (real(s.type())) return find_float(s);
  if (half(s.type())) return find_half(s);
  if (s.has("cc")) return find_carry(s);
  return find_integer(s);
}

}  // namespace

Found find_operation(const Statement& s, bool in_function) {
  const auto op = s.op();
  if (s.type() == "pred" && one_of(op, {"and", "or", "xor", "not", "mov"})) return find_compare(s);
  if (one_of(op,
             {"add",   "sub", "mul", "mad", "fma", "div",  "rem",      "min", "max",   "neg",   "abs",  "rcp", "sqrt",
              "rsqrt", "sin", "cos", "ex2", "lg2", "tanh", "copysign", "sad", "mul24", "mad24", "dp4a", "dp2a"}))
    return find_arithmetic(s);
  if (one_of(op, {"addc", "subc", "madc"})) return find_carry(s);
  if (one_of(op, {"and", "or", "xor", "not", "cnot", "shl", "shr", "shf", "lop3", "prmt", "bfe", "bfi", "bfind", "brev",
                  "clz", "popc", "fns", "bmsk"}))
    return find_bits(s);
  if (one_of(op, {"setp", "set", "selp", "slct", "testp"})) return find_compare(s);
  if (op == "cvt") return find_convert(s);
  if (one_of(op, {"mov", "cvta", "activemask"})) return find_move(s);
  if (one_of(op, {"ld", "ldu", "st"})) return find_memory(s, in_function);
  if (one_of(op, {"atom", "red"})) return find_atomic(s);
  if (one_of(op, {"shfl", "vote", "match", "redux", "elect"})) return find_warp(s);
  if (op == "mma") return find_matrix(s);
  if (op == "wgmma") return find_wgmma(s);
  if (one_of(op, {"wmma", "ldmatrix", "stmatrix", "movmatrix"})) return find_fragment(s);
  if (one_of(op, {"cp", "mbarrier", "isspacep", "createpolicy", "mapa", "getctarank"})) return find_asynchronous(s);
  return find_control(s);
}

}  // namespace roofline::ptx
