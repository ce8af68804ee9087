#pragma once
#include <filesystem>
#include <string>

namespace roofline {

/// The text of somebody's file as parsers take it: UTF-8 without a byte order mark, lines that end in \n. UTF-16, as
/// PowerShell writes it, is told by its mark or by the zero bytes of its first letters. Throws FileError where a
/// character of it is cut in half.
std::string plain_text(std::string bytes, const std::string& origin);

/// The same of a file. Throws FileError as read_file() does.
std::string read_plain_text(const std::filesystem::path& path);

}  // namespace roofline
