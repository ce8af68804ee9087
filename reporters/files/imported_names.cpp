#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "bench/text/clean.hpp"
#include "bench/text/imports/foreign_table.hpp"
#include "reporters/files/imported.hpp"
#include "reporters/files/roof_names.hpp"

// The names that other programs give to levels, kernels and precisions.

namespace roofline {
std::optional<MemoryLevel> level_in(const std::string& name) {
  const auto text = plain_word(name);
  const auto has = [&](const char* part) { return text.find(part) != std::string::npos; };
  if (has("shared") || has("lds")) return MemoryLevel::shared;
  if (has("l1")) return MemoryLevel::L1;
  if (has("l2")) return MemoryLevel::L2;
  if (has("l3") || has("mall") || has("llc")) return MemoryLevel::L3;
  for (const auto* const memory : {"dram", "hbm", "ddr", "global", "memory"})
    if (has(memory)) return MemoryLevel::DRAM;
  return std::nullopt;
}

std::vector<MemoryLevel> levels_named(const std::vector<std::string>& names, const std::string& origin,
                                      std::vector<std::string>& warnings) {
  std::vector<MemoryLevel> levels;
  std::vector<std::string> silent;
  for (const auto& name : names) {
    const auto level = level_in(name);
    if (!level) silent.push_back("'" + clean(name) + "'");
    levels.push_back(level.value_or(MemoryLevel::DRAM));
  }
  if (!silent.empty() && names.size() > 1)
    warnings.push_back(fmt::format(
        "{}: bandwidths with names that do not give a level count as DRAM, and the best one is its roof: {}", origin,
        fmt::join(silent, ", ")));
  return levels;
}

MemoryLevel level_named(const std::string& name, std::size_t rank, std::size_t count) {
  if (const auto level = level_in(name)) return *level;
  if (rank + 1 >= count) return MemoryLevel::DRAM;
  return memory_levels[std::min<std::size_t>(rank, 2)];
}

std::string without_parameters(const std::string& kernel) {
  auto name = kernel;
  for (const std::string suffix : {".kd", " [clone .kd]"})  // AMD's descriptors
    if (name.ends_with(suffix)) name.resize(name.size() - suffix.size());
  if (name.ends_with(")")) {  // the bracket that closes there opens the parameters
    int depth = 0;
    for (auto at = name.size(); at-- > 0;) {
      depth += name[at] == ')' ? 1 : name[at] == '(' ? -1 : 0;
      if (depth == 0) {
        if (at > 0) name.resize(at);
        break;
      }
    }
  }
  return name.starts_with("void ") ? name.substr(5) : name;
}

std::string precision_in(const std::string& name) {
  static const std::set<std::string> blas{"gemm", "gemv", "axpy", "dot",  "scal",  "copy",  "nrm2",
                                          "asum", "ger",  "symm", "syrk", "syr2k", "trsm",  "trmm",
                                          "trsv", "trmv", "symv", "swap", "getrf", "potrf", "geqrf"};
  std::set<std::string> found;
  std::string word;
  for (const char c : name + " ") {
    if (std::isalnum(static_cast<unsigned char>(c))) {
      word += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
      continue;
    }
    if (const auto known = precision_of_word(word); !known.empty()) found.insert(known);
    if (word.size() > 1 && blas.contains(word.substr(1)) && std::string("sdh").find(word[0]) != std::string::npos)
      found.insert(word[0] == 's' ? "fp32" : word[0] == 'd' ? "fp64" : "fp16");
    word.clear();
  }
  return found.size() == 1 ? *found.begin() : std::string();
}

}  // namespace roofline
