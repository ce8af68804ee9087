#pragma once
#include <string_view>
#include <vector>

namespace roofline::labs {

/// A lab's files in content/: questions (JSON) and text (Markdown), under their common name "06-gpp-over-nw".
struct LabFile {
  std::string_view name, data, text;
};
const std::vector<LabFile>& lab_files();

}  // namespace roofline::labs
