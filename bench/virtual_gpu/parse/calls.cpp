// Calls: who is called, and the words of arguments and results.
#include "bench/virtual_gpu/ops/control.hpp"
#include "bench/virtual_gpu/parse/builder.hpp"

namespace roofline::ptx {

// Numbers of words in the frame; made slots when the frame has its place.
std::vector<uint32_t> ProgramBuilder::words_of(const Part& part, const Operand& list) {
  std::vector<uint32_t> words;
  for (const Operand& o : list.list) {
    if (o.kind != OperandKind::symbol) throw std::string("arguments of calls must be .param variables");
    const auto n = static_cast<std::size_t>(o.symbol);
    const std::size_t count = (part.text->symbols[n].bytes + 3) / 4;
    for (std::size_t w = 0; w < count; ++w) words.push_back(part.symbols[n].slot + static_cast<uint32_t>(w));
  }
  return words;
}

void ProgramBuilder::call(Part& part, Node& node) {
  const auto& operands = node.statement->operands;
  if (operands.empty()) throw std::string("a call without a function");
  const bool results = operands[0].kind == OperandKind::arguments;
  const Operand& target = operands.at(results ? 1 : 0);
  const std::size_t next = results ? 2 : 1;
  if (operands.size() > next && operands[next].kind == OperandKind::arguments)
    node.list = words_of(part, operands[next]);
  if (node.list.size() > argument_words) throw std::string("too many arguments");
  if (target.kind == OperandKind::reg) {
    node.operation.execute[0] = indirect_call();
    node.reads.push_back({part.first_value + static_cast<uint32_t>(target.reg), at_a});
    return;
  }
  if (const int number = function_number(target.name); number >= 0) {
    node.operation.execute[0] = direct_call();
    node.code.d = static_cast<uint32_t>(number);
    return;
  }
  constexpr std::pair<std::string_view, Builtin> builtins[] = {{"vprintf", Builtin::printf},
                                                               {"__assertfail", Builtin::assertion},
                                                               {"malloc", Builtin::malloc},
                                                               {"free", Builtin::free}};
  for (const auto& [name, builtin] : builtins)
    if (target.name == name) {
      node.operation.execute[0] = builtin_call();
      node.operation.size = static_cast<uint8_t>(builtin);
      return;
    }
  throw "call of '" + std::string(target.name) + "', which this module does not define";
}

}  // namespace roofline::ptx
