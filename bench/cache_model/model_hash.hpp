#pragma once
#include <string>

namespace roofline {

/// Besides geometry and policies what modelled numbers depend on: raise it with every change of a model's behaviour.
inline constexpr int model_version = 1;

/// Identifies what a model's numbers depend on, written out as text, together with the version: 16 hex digits (FNV-1a).
std::string model_hash(const std::string& text);

}  // namespace roofline
