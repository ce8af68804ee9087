// A kernel and the variables of its module, decoded and ready to be launched.
#pragma once

#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

namespace roofline::ptx {

struct Program;  // decoded instructions, of the interpreter

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

}  // namespace roofline::ptx
