// A PTX module: its kernels and variables, decoded and ready to be launched.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "bench/virtual_gpu/parse/parse_error.hpp"
#include "bench/virtual_gpu/program/kernel.hpp"

namespace roofline::ptx {

class GlobalMemory;

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
  friend Module parse_slices(std::string_view text, const Module& module);
  Module();
  /// With `original` its slices, which use the variables of `original`.
  static Module of_text(std::string_view text, const Module* original);
  struct Storage;
  std::unique_ptr<Storage> storage_;
  std::vector<Kernel> kernels_;
  std::vector<Variable> variables_;
  std::string target_, version_;
};

/// Parses and decodes PTX text. Throws ParseError; unknown instructions do not throw (see Kernel::unsupported).
Module parse(std::string_view text);

/// The kernels of a module reduced to what decides which addresses they touch and in which order, for models of caches;
/// each access is traced (see program/slice.hpp). They use the variables of `module`, which comes from the same text.
Module parse_slices(std::string_view text, const Module& module);

}  // namespace roofline::ptx
