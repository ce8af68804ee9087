#pragma once
#include <cstdint>
#include <stdexcept>
#include <string>

namespace roofline::ptx {

/// The text is not PTX that this parser understands. what() names the line and the instruction.
class ParseError : public std::runtime_error {
 public:
  ParseError(uint32_t line, const std::string& what)
      : std::runtime_error("PTX line " + std::to_string(line) + ": " + what), line_(line) {}
  uint32_t line() const { return line_; }

 private:
  uint32_t line_;
};

}  // namespace roofline::ptx
