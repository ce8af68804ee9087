// A PTX module: its kernels and variables, decoded and ready to be launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace roofline::ptx {

struct Program;  // decoded instructions, of the interpreter
class GlobalMemory;

/// The text is not PTX that this parser understands: what() names line and instruction.
class ParseError : public std::runtime_error {
 public:
  ParseError(uint32_t line, const std::string& what);
  uint32_t line() const { return line_; }

 private:
  uint32_t line_;
};

struct Parameter {
  std::string name;
  std::size_t offset = 0;
  std::size_t bytes = 0;
};

/// An instruction that the interpreter does not know; a launch of its kernel is refused.
struct Unsupported {
  std::string instruction;
  uint32_t line = 0;
};

struct Kernel {
  std::string name;
  std::vector<Parameter> parameters;
  std::size_t parameter_bytes = 0;
  uint32_t max_threads = 0;      ///< of .maxntid, 0 where absent
  std::size_t shared_bytes = 0;  ///< static shared memory
  std::size_t local_bytes = 0;   ///< per thread
  bool dynamic_shared = false;   ///< has an extern shared array
  uint32_t registers = 0;        ///< an estimate from live values (32-bit registers of a thread); ptxas knows better
  std::vector<Unsupported> unsupported;
  std::shared_ptr<const Program> program;
};

/// A .global or .const variable. Its bytes live as long as the module; the address is also the host's.
struct Variable {
  std::string name;
  bool constant = false;
  bool managed = false;
  bool external = false;  ///< declared here, defined in another module: not resolved
  std::size_t bytes = 0;
  std::byte* address = nullptr;
};

class Module {
 public:
  Module(Module&&) noexcept;
  Module& operator=(Module&&) noexcept;
  ~Module();

  /// nullptr where there is no kernel of that (mangled) name.
  const Kernel* kernel(std::string_view name) const;
  const std::vector<Kernel>& kernels() const { return kernels_; }
  /// nullptr where there is no variable of that name.
  const Variable* variable(std::string_view name) const;
  const std::vector<Variable>& variables() const { return variables_; }
  const std::string& target() const { return target_; }    ///< "sm_90a"
  const std::string& version() const { return version_; }  ///< ISA version, "8.5"

  /// Makes the variables accessible to kernels (add) or takes them back (remove).
  void add_to(GlobalMemory& memory) const;
  void remove_from(GlobalMemory& memory) const;

 private:
  friend Module parse(std::string_view text);
  Module();
  struct Storage;
  std::unique_ptr<Storage> storage_;
  std::vector<Kernel> kernels_;
  std::vector<Variable> variables_;
  std::string target_, version_;
};

/// Parses and decodes PTX text. Throws ParseError; unknown instructions do not throw (see Kernel::unsupported).
Module parse(std::string_view text);

}  // namespace roofline::ptx
