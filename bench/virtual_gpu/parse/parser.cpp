// Module level: directives, variables, the heads of functions; numbers.
#include "bench/virtual_gpu/parse/parser.hpp"

#include <algorithm>
#include <bit>
#include <cstdlib>
#include <cstring>

namespace roofline::ptx {

int bytes_of_type(std::string_view type) {
  if (type == "pred") return 0;
  if (type == "f16x2" || type == "bf16x2" || type == "tf32") return 4;
  if (type == "bf16") return 2;
  if (type.size() < 2 || std::string_view("busf").find(type[0]) == std::string_view::npos) return -1;
  const std::string_view bits = type.substr(1);
  for (const int n : {8, 16, 32, 64, 128})
    if (bits == std::to_string(n)) return n / 8;
  return -1;
}

bool is_number(std::string_view word) { return !word.empty() && word[0] >= '0' && word[0] <= '9'; }

Literal parse_number(const Lexer& lexer, std::string_view word) {
  std::string text(word);
  const bool zero = text.size() > 2 && text[0] == '0';
  const char second = zero ? static_cast<char>(text[1] | 0x20) : ' ';
  const auto integer = [&](const char* begin, int base) {
    char* end = nullptr;
    const uint64_t value = std::strtoull(begin, &end, base);
    if (*end != '\0' && std::string_view(end) != "U" && std::string_view(end) != "u")
      lexer.fail("not a number: '" + text + "'");
    return Literal{value, false};
  };
  if (zero && ((second == 'f' && text.size() == 10) || (second == 'd' && text.size() == 18)))
    return integer(text.c_str() + 2, 16);
  if (second == 'b') return integer(text.c_str() + 2, 2);
  if (second != 'x' && text.find_first_of(".eE") != text.npos) {
    char* end = nullptr;
    const double value = std::strtod(text.c_str(), &end);
    if (*end != '\0') lexer.fail("not a number: '" + text + "'");
    return {std::bit_cast<uint64_t>(value), true};
  }
  if (!is_number(word)) lexer.fail("expected a number, got '" + text + "'");
  return integer(text.c_str(), 0);
}

Declaration parse_declaration(Lexer& lexer) {
  Declaration d;
  while (!lexer.at_end() && lexer.word()[0] == '.') {
    const std::string_view word = lexer.take();
    if (word == ".align") {
      d.align = parse_number(lexer, lexer.take()).bits;
    } else if (word == ".attribute") {
      lexer.expect("(");
      while (!lexer.accept(")")) d.managed |= lexer.take() == ".managed";
    } else if (const int bytes = bytes_of_type(word.substr(1)); bytes >= 0) {
      d.type = word.substr(1);
      d.element = static_cast<std::size_t>(bytes) * std::max<std::size_t>(d.element, 1);
    } else if (word == ".v2" || word == ".v4") {
      d.element = word == ".v2" ? 2 : 4;
    } else if (word == ".texref" || word == ".samplerref" || word == ".surfref") {
      d.type = word.substr(1);
      d.element = 8;
    } else if (word != ".ptr" && word != ".global" && word != ".shared" && word != ".const" && word != ".local") {
      lexer.fail("unknown '" + std::string(word) + "' in a declaration");
    }
  }
  d.name = lexer.take();
  d.bytes = d.element;
  d.align = std::max(d.align, std::max<std::size_t>(d.element, 1));
  if (lexer.accept("<")) lexer.fail("a row of variables is not supported");
  while (lexer.accept("[")) {
    if (lexer.accept("]")) {
      d.unsized_array = true;
      d.bytes = 0;
      continue;
    }
    d.bytes *= parse_number(lexer, lexer.take()).bits;
    lexer.expect("]");
  }
  return d;
}

bool Statement::has(std::string_view modifier) const {
  return std::find(parts.begin() + 1, parts.end(), modifier) != parts.end();
}

std::string_view FunctionText::intern(std::string name) {
  names.push_back(std::make_unique<std::string>(std::move(name)));
  return *names.back();
}

int64_t FunctionText::label(int scope, std::string_view name) const {
  for (; scope >= 0; scope = scope_parents[scope])
    if (const auto found = labels.find({scope, name}); found != labels.end()) return found->second;
  return -1;
}

const std::vector<std::string_view>* FunctionText::targets(int scope, std::string_view name) const {
  for (; scope >= 0; scope = scope_parents[scope])
    if (const auto found = branch_targets.find({scope, name}); found != branch_targets.end()) return &found->second;
  return nullptr;
}

const VariableText* ModuleText::variable(std::string_view name) const {
  const auto found = std::find_if(variables.begin(), variables.end(), [&](auto& v) { return v.name == name; });
  return found == variables.end() ? nullptr : &*found;
}

const FunctionText* ModuleText::function(std::string_view name) const {
  const FunctionText* declared = nullptr;
  for (const FunctionText& f : functions)
    if (f.name == name && (f.defined || !declared)) declared = &f;
  return declared;
}

namespace {

class ModuleParser {
 public:
  explicit ModuleParser(std::string_view text) : lexer_(text) {}

  ModuleText module() {
    while (!lexer_.at_end()) declaration();
    if (module_.version.empty()) throw ParseError(1, "no .version: this is not PTX");
    return std::move(module_);
  }

 private:
  void declaration() {
    const std::string_view word = lexer_.take();
    if (word == ".version") {
      module_.version = lexer_.take();
    } else if (word == ".target") {
      module_.target = lexer_.take();
      while (lexer_.accept(",")) lexer_.take();
    } else if (word == ".address_size") {
      if (lexer_.take() != "64") lexer_.fail("only 64-bit addresses are supported");
    } else if (word == ".file") {
      file();
    } else if (word == ".section") {
      lexer_.take();
      lexer_.skip_braces();
    } else if (word == ".loc") {
      lexer_.rest_of_line();
    } else if (word == ".extern") {
      external_ = true;
      return;
    } else if (word == ".entry" || word == ".func") {
      function(word == ".entry");
    } else if (word == ".global" || word == ".const" || word == ".shared") {
      variable(word == ".global" ? Space::global : word == ".const" ? Space::constant : Space::shared);
    } else if (word == ".pragma" || word == ".alias") {
      while (!lexer_.accept(";")) lexer_.take();
    } else if (word != ".visible" && word != ".weak" && word != ".common" && word != ";") {
      throw ParseError(lexer_.line(), "unknown directive '" + std::string(word) + "'");
    } else {
      return;
    }
    external_ = false;
  }

  void file() {
    const uint64_t number = parse_number(lexer_, lexer_.word()).bits;
    const std::string_view rest = lexer_.rest_of_line();
    const std::size_t first = rest.find('"'), last = rest.find('"', first + 1);
    if (last != rest.npos) module_.files[static_cast<uint32_t>(number)] = rest.substr(first + 1, last - first - 1);
  }

  void function(bool entry) {
    FunctionText f;
    f.entry = entry;
    BodyParser body(lexer_, f, module_.files);
    if (lexer_.accept(".attribute"))
      while (!lexer_.accept(")")) lexer_.take();
    const auto parameters = [&](std::vector<int>& list) {
      while (!lexer_.accept(")")) {
        list.push_back(body.parameter());
        lexer_.accept(",");
      }
    };
    if (lexer_.accept("(")) parameters(f.returns);
    f.name = lexer_.take();
    if (lexer_.accept("(")) parameters(f.formals);
    attributes(f);
    if (!lexer_.accept(";")) {
      f.defined = true;
      body.body();
    }
    module_.functions.push_back(std::move(f));
  }

  void attributes(FunctionText& f) {
    while (!lexer_.is("{") && !lexer_.is(";")) {
      const std::string_view word = lexer_.take();
      if (word == ".pragma") {
        lexer_.take();
        lexer_.accept(";");
        continue;
      }
      uint32_t product = 1, n = 0;
      while (is_number(lexer_.word())) {
        product *= static_cast<uint32_t>(parse_number(lexer_, lexer_.take()).bits);
        ++n;
        if (!lexer_.accept(",")) break;
      }
      if (n && (word == ".maxntid" || word == ".reqntid")) f.max_threads = product;
    }
  }

  void variable(Space space) {
    do {
      const Declaration d = parse_declaration(lexer_);
      VariableText v{d.name, space, d.bytes, d.align, external_, d.managed, {}, {}};
      if (lexer_.accept("=")) {
        v.initial.resize(std::max(d.bytes, d.element));
        v.bytes = v.initial.size();
        std::size_t at = 0;
        values(v, d, at);
      }
      module_.variables.push_back(std::move(v));
    } while (lexer_.accept(","));
    lexer_.expect(";");
  }

  void values(VariableText& v, const Declaration& d, std::size_t& at) {
    if (lexer_.accept("{")) {
      while (!lexer_.accept("}")) {
        values(v, d, at);
        if (!lexer_.accept(",") && !lexer_.is("}")) lexer_.fail("expected ','");
      }
      return;
    }
    if (at + d.element > v.initial.size()) lexer_.fail("more initial values than elements");
    bool minus = false;
    while (lexer_.is("-") || lexer_.is("+")) minus ^= lexer_.take() == "-";
    const std::string_view word = lexer_.take();
    if (is_number(word)) {
      const Literal literal = parse_number(lexer_, word);
      uint64_t bits = literal.bits;
      if (literal.real && d.type == "f32")
        bits = std::bit_cast<uint32_t>(static_cast<float>(std::bit_cast<double>(bits)) * (minus ? -1.0f : 1.0f));
      else if (minus)
        bits = literal.real ? bits ^ (uint64_t{1} << 63) : -bits;
      std::memcpy(v.initial.data() + at, &bits, std::min<std::size_t>(d.element, 8));
    } else {
      relocation(v, d, at, word);
    }
    at += d.element;
  }

  void relocation(VariableText& v, const Declaration& d, std::size_t at, std::string_view word) {
    Relocation r{at, d.element, word, 0};
    if (word == "generic") {
      lexer_.expect("(");
      r.name = lexer_.take();
      lexer_.expect(")");
    }
    while (lexer_.is("+") || lexer_.is("-")) {
      const bool minus = lexer_.take() == "-";
      const auto value = static_cast<int64_t>(parse_number(lexer_, lexer_.take()).bits);
      r.addend += minus ? -value : value;
    }
    if (d.element != 8) lexer_.fail("an address in a variable that is not 64 bits wide");
    v.relocations.push_back(r);
  }

  Lexer lexer_;
  ModuleText module_;
  bool external_ = false;
};

}  // namespace

ModuleText parse_text(std::string_view text) { return ModuleParser(text).module(); }

}  // namespace roofline::ptx
