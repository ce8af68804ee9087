// PTX text as it was parsed, names resolved, before it is decoded for the interpreter.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/virtual_gpu/parse/parse_error.hpp"
#include "bench/virtual_gpu/program/counts.hpp"

namespace roofline::ptx {

/// Where a register lives: 16-bit and smaller ones in 32 bits.
enum class Bank : uint8_t { predicate, narrow, wide };

enum class OperandKind : uint8_t { reg, immediate, real, special, symbol, name, address, vector, arguments, sink };

struct Operand {
  OperandKind kind{};
  bool negated = false;         // !predicate
  bool local_argument = false;  // address: the symbol is an argument of a call, not a parameter of the kernel
  int reg = -1;                 // reg; base of an address, or -1
  Bank bank{};                  // of reg
  int second = -1;              // the predicate in d|p
  int symbol = -1;              // symbol, base of an address: index in FunctionText::symbols
  uint64_t value = 0;           // immediate; real: bits of a double
  int64_t offset = 0;           // address
  std::string_view name;        // special register; name of a variable, function or label
  std::vector<Operand> list;    // vector, arguments
};

struct Statement {
  std::vector<std::string_view> parts;  // opcode and modifiers: "ld", "global", "v2", "f64"
  std::vector<Operand> operands;
  int guard = -1;
  bool guard_negated = false;
  uint32_t line = 0;
  uint32_t source_file = 0, source_line = 0;  // of .loc, 0: unknown
  int scope = 0;                              // in which labels are looked up
  std::string_view text;

  std::string_view op() const { return parts[0]; }
  std::string_view type() const { return parts.back(); }
  bool has(std::string_view modifier) const;
};

/// A .param, .local or .shared variable of a function.
struct LocalSymbol {
  std::string_view name;
  Space space{};
  std::size_t bytes = 0, align = 1;
  bool dynamic = false;  // extern .shared without a size
};

struct FunctionText {
  std::string_view name;
  bool entry = false;
  bool defined = false;
  std::vector<Bank> registers;
  std::vector<LocalSymbol> symbols;
  std::vector<int> formals, returns;  // indices of symbols
  std::vector<Statement> code;
  std::vector<int> scope_parents{-1};
  std::map<std::pair<int, std::string_view>, uint32_t> labels;  // (scope, name) -> index in code
  std::map<std::pair<int, std::string_view>, std::vector<std::string_view>> branch_targets;
  uint32_t max_threads = 0;
  std::vector<std::unique_ptr<std::string>> names;  // that the text does not spell out: registers of %r<n>

  std::string_view intern(std::string name);
  /// Index in code, or -1.
  int64_t label(int scope, std::string_view name) const;
  const std::vector<std::string_view>* targets(int scope, std::string_view name) const;
};

/// A name in an initial value, for example the address of a function.
struct Relocation {
  std::size_t offset = 0, bytes = 8;
  std::string_view name;
  int64_t addend = 0;
};

struct VariableText {
  std::string_view name;
  Space space{};  // global, constant, shared
  std::size_t bytes = 0, align = 1;
  bool external = false, managed = false;
  std::vector<std::byte> initial;
  std::vector<Relocation> relocations;
};

struct ModuleText {
  std::string_view version, target;
  std::vector<VariableText> variables;
  std::vector<FunctionText> functions;
  std::map<uint32_t, std::string> files;  // of .file

  const VariableText* variable(std::string_view name) const;
  const FunctionText* function(std::string_view name) const;
};

/// Throws ParseError. The text outlives the result.
ModuleText parse_text(std::string_view text);

/// Bytes of a fundamental type: "b64" 8, "f16x2" 4, "pred" 0; -1 for other names.
int bytes_of_type(std::string_view type);

}  // namespace roofline::ptx
