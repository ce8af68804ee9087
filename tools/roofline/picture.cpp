#include "tools/roofline/picture.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>

#include "bench/text/output.hpp"

namespace roofline::cli {
namespace {

namespace fs = std::filesystem;

bool is_converted(const fs::path& file) { return file.extension() == ".png" || file.extension() == ".pdf"; }

/// A file that disappears with the object.
class Temporary {
 public:
  explicit Temporary(const std::string& content) {
    const int file = ::mkstemp(path_.data());
    if (file < 0) throw FileError(path_ + ": cannot write");
    ::close(file);
    write_file(path_, content);
  }
  ~Temporary() { ::unlink(path_.c_str()); }
  Temporary(const Temporary&) = delete;
  Temporary& operator=(const Temporary&) = delete;
  const std::string& path() const { return path_; }

 private:
  std::string path_ = (fs::temp_directory_path() / "roofline-XXXXXX").string();
};

std::string converted(const std::string& svg, const std::string& kind) {
  const Temporary source(svg);
  const auto command =
      fmt::format("rsvg-convert --format={} --zoom={} '{}'", kind, kind == "png" ? 2 : 1, source.path());
  auto* const pipe = ::popen(command.c_str(), "r");
  if (!pipe) throw FileError("rsvg-convert: cannot be started");
  std::string picture;
  std::array<char, 65536> part{};
  for (std::size_t got = 0; (got = std::fread(part.data(), 1, part.size(), pipe)) > 0;)
    picture.append(part.data(), got);
  if (::pclose(pipe) != 0 || picture.empty()) throw FileError("rsvg-convert: failed");
  return picture;
}

}  // namespace

void require_kind_of_picture(const fs::path& file) {
  if (is_converted(file)) {
    if (std::system("command -v rsvg-convert >/dev/null 2>&1") == 0) return;
    throw std::invalid_argument(fmt::format(
        "{}: needs rsvg-convert (Debian: librsvg2-bin), which is not installed; .svg needs nothing", file.string()));
  }
  const auto name = file.string();
  if (file.extension() != ".svg" && !name.starts_with("/dev/"))
    throw std::invalid_argument(fmt::format("{}: a plot ends in .svg, .png or .pdf, the page in .html", name));
}

void write_picture(const fs::path& file, const std::string& svg) {
  write_file(file, is_converted(file) ? converted(svg, file.extension().string().substr(1)) : svg);
}

}  // namespace roofline::cli
