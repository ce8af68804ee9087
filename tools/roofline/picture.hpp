#pragma once
#include <filesystem>
#include <string>

namespace roofline::cli {

/// Throws std::invalid_argument, one line, where a picture cannot be of the kind that its name ends in: .svg, and with
/// librsvg's rsvg-convert .png and .pdf.
void require_kind_of_picture(const std::filesystem::path& file);

/// Writes an SVG as what the name ends in. Throws FileError.
void write_picture(const std::filesystem::path& file, const std::string& svg);

}  // namespace roofline::cli
