// The body of a function: declarations, labels, instructions.
#include <charconv>

#include "bench/virtual_gpu/parse/parser.hpp"

namespace roofline::ptx {
namespace {

Bank bank_of(int bytes) { return bytes == 0 ? Bank::predicate : bytes <= 4 ? Bank::narrow : Bank::wide; }

std::vector<std::string_view> split(std::string_view op) {
  std::vector<std::string_view> parts;
  for (std::size_t at = 0;;) {
    const std::size_t dot = op.find('.', at);
    parts.push_back(op.substr(at, dot - at));
    if (dot == op.npos) return parts;
    at = dot + 1;
  }
}

}  // namespace

int BodyParser::find(std::map<std::string_view, int> Scope::*names, std::string_view name) const {
  for (auto scope = scopes_.rbegin(); scope != scopes_.rend(); ++scope)
    if (const auto found = ((*scope).*names).find(name); found != ((*scope).*names).end()) return found->second;
  return -1;
}

int BodyParser::parameter() {
  if (!lexer_.accept(".param")) {  // functions may have register parameters
    lexer_.expect(".reg");
  }
  const Declaration d = parse_declaration(lexer_);
  const int index = static_cast<int>(function_.symbols.size());
  function_.symbols.push_back({d.name, Space::param, d.bytes, d.align, false});
  scopes_.back().symbols[d.name] = index;
  return index;
}

void BodyParser::declare_registers() {
  const int bytes = bytes_of_type(lexer_.take().substr(1));
  if (bytes < 0) lexer_.fail("unknown register type");
  if (bytes > 8) lexer_.fail("128-bit registers are not supported");
  const auto add = [&](std::string_view name) {
    scopes_.back().registers[name] = static_cast<int>(function_.registers.size());
    function_.registers.push_back(bank_of(bytes));
  };
  do {
    const std::string_view name = lexer_.take();
    if (!lexer_.accept("<")) {
      add(name);
      continue;
    }
    const uint64_t count = parse_number(lexer_, lexer_.take()).bits;
    lexer_.expect(">");
    for (uint64_t i = 0; i < count; ++i) add(function_.intern(std::string(name) + std::to_string(i)));
  } while (lexer_.accept(","));
  lexer_.expect(";");
}

void BodyParser::declare_symbols(Space space) {
  do {
    const Declaration d = parse_declaration(lexer_);
    scopes_.back().symbols[d.name] = static_cast<int>(function_.symbols.size());
    function_.symbols.push_back({d.name, space, d.bytes, d.align, d.unsized_array});
  } while (lexer_.accept(","));
  lexer_.expect(";");
}

void BodyParser::location() {
  const std::string_view rest = lexer_.rest_of_line();  // .loc 1 23 5, function_name ...
  const char* at = rest.data() + 4;
  const char* const end = rest.data() + rest.size();
  const auto number = [&] {
    while (at < end && (*at == ' ' || *at == '\t')) ++at;
    uint32_t value = 0;
    at = std::from_chars(at, end, value).ptr;
    return value;
  };
  source_file_ = number();
  source_line_ = number();
}

bool BodyParser::directive() {
  const std::string_view word = lexer_.word();
  if (word == ".loc") {
    location();
  } else if (word == ".reg") {
    lexer_.take();
    declare_registers();
  } else if (word == ".local" || word == ".shared" || word == ".param") {
    lexer_.take();
    declare_symbols(word == ".local" ? Space::local : word == ".shared" ? Space::shared : Space::param);
  } else if (word == ".extern" || word == ".weak" || word == ".visible") {
    lexer_.take();
  } else if (word == ".pragma") {
    while (!lexer_.accept(";")) lexer_.take();
  } else {
    return false;
  }
  return true;
}

void BodyParser::labelled(std::string_view label) {
  const std::pair<int, std::string_view> key{scopes_.back().id, label};
  if (lexer_.accept(".branchtargets")) {
    auto& targets = function_.branch_targets[key];
    do targets.push_back(lexer_.take());
    while (lexer_.accept(","));
    lexer_.expect(";");
  } else if (lexer_.is(".callprototype") || lexer_.is(".calltargets")) {
    while (!lexer_.accept(";")) lexer_.take();
  } else {
    function_.labels[key] = static_cast<uint32_t>(function_.code.size());
  }
}

void BodyParser::body() {
  lexer_.expect("{");
  for (;;) {
    if (lexer_.accept("{")) {
      const int id = static_cast<int>(function_.scope_parents.size());
      function_.scope_parents.push_back(scopes_.back().id);
      scopes_.push_back({id, {}, {}});
    } else if (lexer_.accept("}")) {
      if (scopes_.size() == 1) return;
      scopes_.pop_back();
    } else if (!lexer_.accept(";") && !directive()) {
      statement();
    }
  }
}

void BodyParser::statement() {
  Statement s;
  s.line = lexer_.line();
  s.source_file = source_file_;
  s.source_line = source_line_;
  s.scope = scopes_.back().id;
  const char* const begin = lexer_.word().data();
  if (lexer_.accept("@")) {
    s.guard_negated = lexer_.accept("!");
    s.guard = find_register(lexer_.word());
    if (s.guard < 0 || function_.registers[s.guard] != Bank::predicate) lexer_.fail("not a predicate");
    lexer_.take();
  }
  const std::string_view op = lexer_.take();
  if (lexer_.accept(":")) return labelled(op);
  if (!std::isalpha(static_cast<unsigned char>(op[0])))
    throw ParseError(s.line, "not an instruction: '" + std::string(op) + "'");
  s.parts = split(op);
  while (!lexer_.is(";")) {
    s.operands.push_back(operand());
    if (!lexer_.accept(",") && !lexer_.is(";")) lexer_.fail("expected ',' or ';' in '" + std::string(op) + "'");
  }
  s.text = {begin, static_cast<std::size_t>(lexer_.word().data() - begin)};
  lexer_.take();
  function_.code.push_back(std::move(s));
}

int64_t BodyParser::offsets() {
  int64_t sum = 0;
  while (lexer_.is("+") || lexer_.is("-")) {
    bool minus = false;
    while (lexer_.is("+") || lexer_.is("-")) minus ^= lexer_.take() == "-";
    const auto value = static_cast<int64_t>(parse_number(lexer_, lexer_.take()).bits);
    sum += minus ? -value : value;
  }
  return sum;
}

Operand BodyParser::address() {
  Operand o;
  o.kind = OperandKind::address;
  const std::string_view word = lexer_.take();
  if (is_number(word)) {
    o.offset = static_cast<int64_t>(parse_number(lexer_, word).bits);
  } else if (o.reg = find_register(word); o.reg < 0) {
    o.symbol = find_symbol(word);
    o.name = word;
    o.local_argument = o.symbol >= static_cast<int>(function_.formals.size() + function_.returns.size());
    if (word[0] == '%') lexer_.fail("unknown register '" + std::string(word) + "'");
  } else {
    o.bank = function_.registers[static_cast<std::size_t>(o.reg)];
  }
  o.offset += offsets();
  if (lexer_.accept(",")) {  // textures, tensors: [name, {coordinates}]
    o.list.push_back(operand());
  }
  lexer_.expect("]");
  return o;
}

Operand BodyParser::list(std::string_view close, OperandKind kind) {
  Operand o;
  o.kind = kind;
  while (!lexer_.accept(close)) {
    o.list.push_back(operand());
    if (!lexer_.accept(",") && !lexer_.is(close)) lexer_.fail("expected ','");
  }
  return o;
}

Operand BodyParser::named(std::string_view word) {
  Operand o;
  o.name = word;
  if (o.reg = find_register(word); o.reg >= 0) {
    o.kind = OperandKind::reg;
    o.bank = function_.registers[static_cast<std::size_t>(o.reg)];
    if (!lexer_.accept("|")) return o;
    const std::string_view second = lexer_.take();
    o.second = find_register(second);
    if (o.second < 0 && second != "_") lexer_.fail("unknown register '" + std::string(second) + "'");
    return o;
  }
  if (word == "_") {
    o.kind = OperandKind::sink;
    if (lexer_.accept("|")) o.second = find_register(lexer_.take());
  } else if (word == "WARP_SZ") {
    o.kind = OperandKind::immediate;
    o.value = 32;
  } else if (word[0] == '%') {
    o.kind = OperandKind::special;
  } else if (o.symbol = find_symbol(word); o.symbol >= 0) {
    o.kind = OperandKind::symbol;
    o.offset = offsets();
  } else {
    o.kind = OperandKind::name;
    o.offset = offsets();
  }
  return o;
}

Operand BodyParser::operand() {
  if (lexer_.accept("{")) return list("}", OperandKind::vector);
  if (lexer_.accept("(")) return list(")", OperandKind::arguments);
  if (lexer_.accept("[")) return address();
  Operand o;
  if (lexer_.accept("!")) {
    o = named(lexer_.take());
    o.negated = true;
    return o;
  }
  bool minus = false;
  while (lexer_.is("-") || lexer_.is("+")) minus ^= lexer_.take() == "-";
  const std::string_view word = lexer_.take();
  if (!is_number(word)) return named(word);
  const Literal literal = parse_number(lexer_, word);
  o.kind = literal.real ? OperandKind::real : OperandKind::immediate;
  o.value = !minus ? literal.bits : literal.real ? literal.bits ^ (uint64_t{1} << 63) : -literal.bits;
  return o;
}

}  // namespace roofline::ptx
