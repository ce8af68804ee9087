// From parsed functions to a program: operands, uniform values, block order, registers, instructions.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "bench/virtual_gpu/decode/flow.hpp"
#include "bench/virtual_gpu/ops/operation.hpp"
#include "bench/virtual_gpu/parse/syntax.hpp"
#include "bench/virtual_gpu/program/slice.hpp"

namespace roofline::ptx {

/// Something that instructions read or write: a register, a constant, a special register.
struct Value {
  enum Kind : uint8_t { reg, constant, special } kind = reg;
  Bank bank{};
  Special which{};
  uint64_t bits = 0;         // of a constant
  uint32_t definitions = 0;  // of a register
  bool uniform = false;      // the same in all lanes whenever it is read
  bool scalar = false;       // has a scalar slot
  bool lanes = false;        // has a slot with 32 lanes
  uint32_t scalar_slot = 0, lane_slot = 0;
};

/// Where an operand's slot goes: a field of the instruction, or an entry of its list.
constexpr uint8_t at_d = 0, at_a = 1, at_b = 2, at_c = 3, in_list = 16;
struct Reference {
  uint32_t value = 0;
  uint8_t place = 0;
};

/// One instruction on its way.
struct Node {
  const Statement* statement = nullptr;  // null: made by the builder
  Operation operation;
  Instruction code;
  std::vector<Reference> reads, writes;
  std::vector<uint32_t> list;  // entries that are not values: predicates, sinks (~0)
  bool uniform = false;
  bool counted = true;
  uint8_t scalars = 0;  // which of a, b, c are read as scalars
  int64_t target = -1;  // node
  std::vector<int64_t> targets;
  bool unsupported = false;
  bool dropped = false;    // of a slice: not needed to know which addresses are touched
  bool addressed = false;  // of a slice: memory whose address is traced; without its data if that is dropped
  uint8_t phase = 0;       // of a slice: how many loads of its block it has to wait for, one after another
};

/// The dependences of a node: values, then predicates, then the carry flags.
struct Dependencies {
  std::vector<uint32_t> address, others, results;
};

struct SymbolPlace {
  uint64_t offset = 0;  // in its space
  uint32_t slot = 0;    // first word of an argument, in the frame's narrow part until emission
};

/// From the first write of a register to its last use, in half steps of the program.
struct LiveRange {
  uint32_t first = 0, last = 0, value = 0;
};

/// One function of the program while it is built.
struct Part {
  const FunctionText* text = nullptr;
  int number = -1;  // in Program::functions; -1: the kernel itself
  bool recursive = false;
  uint32_t first_value = 0;          // values of its registers follow each other
  std::vector<uint32_t> predicates;  // by register
  std::vector<SymbolPlace> symbols;
  std::vector<Node> nodes;
  std::vector<int64_t> node_of;  // by statement
  std::vector<FlowBlock> blocks;
  std::vector<uint32_t> block_of;  // by node
  Placement placement;
  uint32_t first_block = 0;       // in the program
  uint32_t argument_words = 0;    // in the frame, before its registers
  uint32_t narrow = 0, wide = 0;  // slots of the frame: narrow ones, argument words included, and those of 8 bytes
  uint32_t frame = 0;             // offset in the register file
  uint32_t local_offset = 0, local_bytes = 0;
  uint32_t most_live = 0;  // 32-bit registers at once
};

/// Addresses of what the module declares.
struct ModuleNames {
  const ModuleText* text = nullptr;
  std::map<std::string_view, uint64_t> variables;  // global and constant: host addresses
  std::map<std::string_view, uint64_t> functions;  // addresses in the window of functions
  std::vector<std::string_view> taken;             // functions whose address is taken somewhere
};

class ProgramBuilder {
 public:
  /// With `slice` the program computes only addresses and control flow, and traces each access.
  explicit ProgramBuilder(const ModuleNames& names, bool slice = false) : names_(names), slices_(slice) {}
  /// Fills program, sizes and unsupported instructions of the kernel.
  void build(const FunctionText& entry, Kernel& kernel);

 private:
  // builder.cpp: which functions, where their variables lie
  void collect(const FunctionText& entry);
  std::vector<std::string_view> callees(const FunctionText& function) const;
  void find_recursion();
  void place_symbols(Part& part);
  void place_shared(const FunctionText& function);
  uint64_t shared_offset(std::string_view name, std::size_t bytes, std::size_t align);

  // operands.cpp: statements to nodes
  void make_nodes(Part& part);
  void make_node(Part& part, const Statement& s);
  void operands_of(Part& part, Node& node);
  void elementwise(Part& part, Node& node);
  void listed(Part& part, Node& node);
  void memory(Part& part, Node& node);
  void control(Part& part, Node& node);
  bool special_move(Part& part, Node& node);
  void read(Part& part, Node& node, const Operand& operand, Bank bank, uint8_t place);
  void write(Part& part, Node& node, const Operand& operand, uint8_t place);
  void base_of(Part& part, Node& node, const Operand& address);
  void append(Part& part, Node& node, const Operand& operand, Bank bank, bool written);

  // values.cpp
  uint32_t value_of(Part& part, const Operand& operand, Bank bank, std::string_view type);
  uint32_t predicate_of(const Part& part, const Operand& operand) const;
  uint64_t address_of(Part& part, const Operand& operand);
  uint32_t constant(Bank bank, uint64_t bits);
  uint32_t special(std::string_view name);
  void unsupported(Node& node, const std::string& why);
  void call(Part& part, Node& node);
  std::vector<uint32_t> words_of(const Part& part, const Operand& list);
  int function_number(std::string_view name) const;

  // slice.cpp
  void slice();
  void find_dependencies();
  Dependencies dependencies_of(const Part& part, const Node& node) const;
  std::vector<bool> needed() const;
  bool stores_only_reals() const;
  bool computes_addresses_from_stores(const std::vector<bool>& needed) const;
  void drop(const std::vector<bool>& needed);
  void find_phases(Part& part);
  void count_cost(const Node& node, BlockCost& cost) const;
  void emit_trace(Part& part, const Node& node, uint32_t block);

  // registers.cpp
  void find_uniform();
  void choose_variants(Part& part);
  void make_blocks(Part& part);
  void allocate(Part& part);
  void assign_slots(Part& part, std::vector<LiveRange> ranges);

  // emit.cpp
  void layout();
  void emit(Part& part);
  void emit_node(Part& part, const Node& node, uint32_t block);
  void emit_instruction(Instruction code, const Node& node, uint32_t block);
  /// The instruction that gives every lane what the scalar unit has computed.
  void emit_spread(const Value& value, uint32_t block);
  Detail detail_of(const Node& node, uint32_t block) const;
  uint32_t slot_of(const Part& part, const Reference& reference, bool scalar) const;
  uint32_t argument_slot(const Part& part, uint32_t word) const;
  void fill_constants();

  const ModuleNames& names_;
  bool slices_;
  std::vector<Dependencies> dependencies_;  // of the kernel's nodes, where it is sliced
  Slice program_;
  Kernel* kernel_ = nullptr;
  std::vector<Part> parts_;
  std::vector<Value> values_;
  std::map<std::pair<Bank, uint64_t>, uint32_t> constants_;
  std::map<std::string_view, uint32_t> specials_;
  std::map<std::string_view, uint64_t> shared_;
};

}  // namespace roofline::ptx
