#pragma once
#include <string>
#include <vector>

#include "bench/virtual_gpu/memory/gpu_model.hpp"

namespace roofline {

/// A published figure next to the model's answer.
struct ComparisonRow {
  std::string quantity;
  double published = 0;
  Span modelled;       ///< equal ends: an exact count
  std::string reason;  ///< why they agree or differ

  /// Distance of the published figure from the interval, relative to it; 0 inside. Negative: the model is too low.
  double error() const;
};

/// A Markdown table: quantity, published, modelled, error, reason; `caption` above it in bold.
std::string markdown(const std::string& caption, const std::vector<ComparisonRow>& rows);

}  // namespace roofline
