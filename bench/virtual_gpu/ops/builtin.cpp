// Functions of the runtime that device code calls: printf, assert, malloc, free.
#include <fmt/format.h>

#include <cstdio>

#include "bench/virtual_gpu/ops/control.hpp"
#include "bench/virtual_gpu/ops/memory/access.hpp"

namespace roofline::ptx {
namespace {

// Reads memory of one lane by a generic address.
class LaneMemory {
 public:
  LaneMemory(Warp& w, const Instruction& i, uint32_t lane) : w_(w), i_(i), lane_(lane) {}

  template <class T>
  T read(uint64_t address) {
    Touch t;
    t.bytes = 1;  // strings and packed buffers need no alignment
    T value{};
    for (std::size_t n = 0; n < sizeof(T); ++n) reinterpret_cast<uint8_t*>(&value)[n] = byte(address + n, t);
    return value;
  }
  std::string text(uint64_t address) {
    std::string s;
    for (char c = read<char>(address); c != '\0' && s.size() < 65536; c = read<char>(++address)) s += c;
    return s;
  }

 private:
  uint8_t byte(uint64_t address, Touch& t) {
    const uint32_t before = w_.m;
    w_.m = 1u << lane_;
    std::fill_n(t.at, 32, address);
    t.uniform = true;
    t.contiguous = false;
    uint8_t result = 0;
    for_spaces(w_, i_, t, [&](Space space, Touch& part) {
      resolve_in<false>(w_, i_, part, space, AccessKind::load);
      result = *reinterpret_cast<const uint8_t*>(part.at[lane_]);
    });
    w_.m = before;
    return result;
  }
  Warp& w_;
  const Instruction& i_;
  uint32_t lane_;
};

uint64_t argument(const Warp& w, const Instruction& i, uint32_t word, uint32_t lane) {
  const uint64_t low = w.lanes<uint32_t>(w.list(i, word))[lane];
  return word + 1 < i.number ? low | uint64_t{w.lanes<uint32_t>(w.list(i, word + 1))[lane]} << 32 : low;
}

std::string formatted(const std::string& specification, uint64_t bits, bool is_long) {
  char buffer[512];
  const char kind = specification.back();
  const char* const format = specification.c_str();
  int n = 0;
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
  if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos)
    n = std::snprintf(buffer, sizeof buffer, format, std::bit_cast<double>(bits));
  else if (kind == 'p')
    n = std::snprintf(buffer, sizeof buffer, format, reinterpret_cast<void*>(bits));
  else if (is_long)
    n = std::snprintf(buffer, sizeof buffer, format, static_cast<unsigned long long>(bits));
  else
    n = std::snprintf(buffer, sizeof buffer, format, static_cast<unsigned>(bits));
#pragma GCC diagnostic pop
  return std::string(buffer, std::min<std::size_t>(static_cast<std::size_t>(std::max(n, 0)), sizeof buffer - 1));
}

/// printf with its arguments in a buffer, each at its natural alignment.
class Printer {
 public:
  Printer(LaneMemory& memory, uint64_t arguments) : memory_(memory), at_(arguments) {}

  std::string print(const std::string& format) {
    std::string out;
    for (std::size_t n = 0; n < format.size(); ++n) {
      if (format[n] != '%') {
        out += format[n];
      } else if (n + 1 < format.size() && format[n + 1] == '%') {
        out += '%';
        ++n;
      } else {
        out += conversion(format, n);
      }
    }
    return out;
  }

 private:
  template <class T>
  T next() {
    at_ = (at_ + sizeof(T) - 1) / sizeof(T) * sizeof(T);
    const T value = memory_.read<T>(at_);
    at_ += sizeof(T);
    return value;
  }
  // From the percent sign; leaves n at the last character.
  std::string conversion(const std::string& format, std::size_t& n) {
    std::string spec = "%";
    int longs = 0;
    for (++n; n < format.size(); ++n) {
      const char c = format[n];
      if (c == '*')
        spec += std::to_string(next<int32_t>());
      else if (c == 'l' || c == 'z' || c == 'j' || c == 't')
        longs += 1;
      else if (std::string_view("0123456789.-+ #").find(c) != std::string_view::npos)
        spec += c;
      else if (c != 'h')
        break;
    }
    if (n >= format.size()) return spec;
    const char kind = format[n];
    if (kind == 's') return text(spec + 's');
    if (std::string_view("fFeEgGaA").find(kind) != std::string_view::npos)
      return formatted(spec + kind, std::bit_cast<uint64_t>(next<double>()), false);
    if (kind == 'p') return formatted(spec + kind, next<uint64_t>(), true);
    if (std::string_view("diuxXoc").find(kind) == std::string_view::npos) return spec + kind;
    return longs ? formatted(spec + "ll" + kind, next<uint64_t>(), true)
                 : formatted(spec + kind, next<uint32_t>(), false);
  }
  std::string text(const std::string& spec) {
    const auto pointer = next<uint64_t>();
    const std::string s = pointer ? memory_.text(pointer) : "(null)";
    if (spec == "%s") return s;
    std::string buffer(s.size() + 512, '\0');
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
    const int n = std::snprintf(buffer.data(), buffer.size(), spec.c_str(), s.c_str());
#pragma GCC diagnostic pop
    buffer.resize(static_cast<std::size_t>(std::max(n, 0)));
    return buffer;
  }
  LaneMemory& memory_;
  uint64_t at_;
};

void print(Warp& w, const std::string& text) {
  const std::lock_guard lock(*w.worker->print_mutex);
  if (w.worker->options->print)
    w.worker->options->print(text);
  else
    std::fwrite(text.data(), 1, text.size(), stdout);
}

void put_result(Warp& w, uint32_t lane, uint64_t value) {
  w.lanes<uint32_t>(w.program->argument_area)[lane] = static_cast<uint32_t>(value);
  w.lanes<uint32_t>(w.program->argument_area + 128)[lane] = static_cast<uint32_t>(value >> 32);
}

// Words of the arguments: message 0, file 2, line 4, function 5; they follow each other without gaps.
[[noreturn]] void assertion(Warp& w, const Instruction& i, uint32_t lane) {
  LaneMemory memory(w, i, lane);
  const auto text = [&](uint32_t word) { return memory.text(argument(w, i, word, lane)); };
  const auto thread = thread_of(w, lane);
  const auto& block = w.block->index;
  const std::string line = fmt::format("{}:{}: {}: block: [{},{},{}], thread: [{},{},{}] Assertion `{}` failed.",
                                       text(2), static_cast<uint32_t>(argument(w, i, 4, lane)), text(5), block[0],
                                       block[1], block[2], thread[0], thread[1], thread[2], text(0));
  if (w.worker->options->print)
    print(w, line + "\n");
  else
    std::fputs((line + "\n").c_str(), stderr);
  fault(w, i, Outcome::assertion, line);
}

}  // namespace

void builtin_call(Warp& w, const Instruction& i) {
  for (const uint32_t lane : Lanes{w.m}) {
    switch (static_cast<Builtin>(i.size)) {
      case Builtin::printf: {
        LaneMemory memory(w, i, lane);
        const std::string format = memory.text(argument(w, i, 0, lane));
        print(w, Printer(memory, argument(w, i, 2, lane)).print(format));
        put_result(w, lane, 1);
        break;
      }
      case Builtin::assertion:
        assertion(w, i, lane);
      case Builtin::malloc: {
        const uint64_t bytes = argument(w, i, 0, lane);
        put_result(w, lane,
                   bytes > (uint64_t{1} << 32) ? 0 : reinterpret_cast<uint64_t>(w.worker->memory->allocate(bytes)));
        break;
      }
      case Builtin::free:
        w.worker->memory->free(reinterpret_cast<void*>(argument(w, i, 0, lane)));
        break;
      case Builtin::none:
        break;
    }
  }
}

}  // namespace roofline::ptx
