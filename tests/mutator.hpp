#pragma once
#include <gtest/gtest.h>

#include <cstdlib>
#include <functional>
#include <iterator>
#include <random>
#include <string>
#include <string_view>

#include "bench/text/output.hpp"
#include "bench/text/parse_json.hpp"

namespace roofline::testing {

using json = nlohmann::ordered_json;

/// Files that went wrong, each seed in its own way.
class Mutator {
 public:
  explicit Mutator(unsigned seed) : random_(seed) {}

  std::string of_bytes(std::string text) {
    using std::string_view_literals::operator""sv;
    static constexpr std::string_view interesting[] = {
        "\"", "{", "[", "}", ",", "\n", "1e400", "-1", "nan", "\x1b", "\xff", "null", "99999999999999999999", "\0"sv};
    for (int edits = below(4) + 1; edits > 0 && !text.empty(); --edits) {
      const auto at = static_cast<std::size_t>(below(static_cast<int>(text.size())));
      const auto length = std::min(text.size() - at, static_cast<std::size_t>(below(20) + 1));
      switch (below(6)) {
        case 0:
          text[at] = static_cast<char>(below(256));
          break;
        case 1:
          text.erase(at, length);
          break;
        case 2:
          text.insert(at, text.substr(at, length));
          break;
        case 3:
          text.insert(at, interesting[below(std::size(interesting))]);
          break;
        case 4: {
          const auto digit = std::min(text.find_first_of("0123456789", at), text.size());
          const auto end = std::min(text.find_first_not_of("0123456789.eE+-", digit), text.size());
          text.replace(digit, end - digit, interesting[below(std::size(interesting))]);
          break;
        }
        default:
          if (below(8) == 0) text.resize(at);
      }
    }
    return text;
  }

  /// Changes some value: another type, out of range, twice, not there.
  std::string of_values(const std::string& text) {
    auto document = parse_json(text, "");
    for (int edits = below(2) + 1; edits > 0; --edits) change(document);
    return document.dump(-1, ' ', false, json::error_handler_t::replace);
  }

 private:
  int below(std::size_t n) { return static_cast<int>(random_() % n); }
  void change(json& node) {
    json* at = &node;
    while (at->is_structured() && !at->empty() && below(8) != 0) {
      auto child = at->begin();
      std::advance(child, below(at->size()));
      if (at->is_object() && below(40) == 0) return void(at->erase(child));
      if (at->is_array() && below(40) == 0) return at->push_back(*child);
      at = &*child;
    }
    static const auto values = parse_json(
        R"([null, true, -1, 0, 1e300, -0.0, 4294967296.5, "", "text", "a\u001b[2J", [], {}, 9223372036854775808, [[1]]])",
        "");
    const auto chosen = static_cast<std::size_t>(below(values.size() + 1));
    *at = chosen < values.size() ? values[chosen] : json(std::string(3000, 'x'));
  }

  std::mt19937 random_;
};

/// Gives `read` as many mutations of a text as ROOFLINE_FUZZ says, else as are usual. It may refuse them, each by a
/// FileError of one line, and throws nothing else. Returns the share that it refused.
inline double refused(const std::string& text, int usual, const std::function<void(const std::string&)>& read) {
  const char* const wanted = std::getenv("ROOFLINE_FUZZ");
  const int all = wanted ? std::atoi(wanted) : usual;
  int refused = 0;
  for (int i = 0; i < all; ++i) {
    Mutator mutate(static_cast<unsigned>(i));
    const auto bad = i % 2 && json::accept(text) ? mutate.of_values(text) : mutate.of_bytes(text);
    try {
      read(bad);
    } catch (const FileError& error) {
      const std::string line = error.what();
      EXPECT_TRUE(line.size() < 4000 && line.find('\n') == line.npos) << line;
      ++refused;
    } catch (const std::exception&) {
      ADD_FAILURE() << "mutation " << i << ":\n" << bad.substr(0, 2000);
      throw;
    }
  }
  return static_cast<double>(refused) / all;
}

}  // namespace roofline::testing
