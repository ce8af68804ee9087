#include "reporters/claims/claim.hpp"

#include <set>
#include <sstream>

#include "bench/text/parse_json.hpp"
#include "bench/text/words.hpp"
#include "reporters/claims/facts.hpp"

namespace roofline::claims {
namespace {

using Json = nlohmann::ordered_json;

/// A text, or a list of texts.
std::vector<std::string> texts(const Json& object, const char* key) {
  if (!object.contains(key)) return {};
  if (object.at(key).is_string()) return {object.at(key).get<std::string>()};
  return object.at(key).get<std::vector<std::string>>();
}

std::string spelled(const Json& value) { return value.is_string() ? value.get<std::string>() : value.dump(); }

/// {"a b": [[1, 2], [2, 3]]} and {"w": [1, 2, 3]}.
std::vector<std::map<std::string, std::string>> instances(const Json& check) {
  std::vector<std::map<std::string, std::string>> all;
  if (!check.contains("for")) return {{}};
  for (const auto& [key, values] : check.at("for").items()) {
    const auto names = split(key, ' ');
    for (const auto& value : values) {
      std::map<std::string, std::string> one;
      for (std::size_t i = 0; i < names.size(); ++i) one[names[i]] = spelled(names.size() == 1 ? value : value.at(i));
      all.push_back(std::move(one));
    }
  }
  return all;
}

Check read_check(const Json& json) {
  Check check;
  check.on = split(json.value("on", "cpu gpu model published"), ' ');
  check.instances = instances(json);
  check.every = json.value("every", "");
  check.but_not = json.value("but not", "");
  if (json.contains("let"))
    for (const auto& [name, text] : json.at("let").items()) check.names[name] = text.get<std::string>();
  check.guards = texts(json, "if"), check.tests = texts(json, "test"), check.shown = texts(json, "show");
  return check;
}

std::vector<Claim> read_all() {
  std::vector<Claim> all;
  for (const auto& [file, text] : claim_files())
    for (auto& claim : read_claims(std::string(text), std::string(file) + ".json")) all.push_back(std::move(claim));
  return all;
}

const Json& published_figures() {
  static const Json figures = parse_json(published_file(), "published.json");
  return figures;
}

}  // namespace

std::vector<Claim> read_claims(const std::string& text, const std::string& file) {
  std::vector<Claim> all;
  const auto json = parse_json(text, file);
  for (const auto& entry : json.at("claims")) {
    Claim claim;
    claim.id = entry.at("id"), claim.statement = entry.value("statement", "");
    claim.documents = split(entry.value("source", ""), ' ');
    claim.published = entry.value("published", ""), claim.section = json.at("section");
    claim.core = entry.value("core", false);
    claim.undecided = entry.value("undecided", ""), claim.differs = entry.value("differs", "");
    for (const auto& check : entry.value("checks", Json::array())) claim.checks.push_back(read_check(check));
    all.push_back(std::move(claim));
  }
  return all;
}

const std::vector<Claim>& all_claims() {
  static const auto all = read_all();
  return all;
}

const std::vector<Claim>& published_claims() {
  static const auto all = [] {
    auto claims = read_claims(std::string(published_checks_file()), "published-checks.json");
    for (auto& claim : claims)
      for (const auto& known : all_claims())
        if (known.id == claim.id) {
          claim.statement = known.statement, claim.published = known.published;
          claim.documents = known.documents, claim.core = known.core;
        }
    return claims;
  }();
  return all;
}

std::string document_title(const std::string& number) {
  return published_figures().at("_meta").at("documents").value(number, number);
}

std::string filled(std::string text, const std::map<std::string, std::string>& instance) {
  for (const auto& [name, value] : instance) {
    const auto sign = "{" + name + "}";
    for (auto at = text.find(sign); at != std::string::npos; at = text.find(sign, at + value.size()))
      text.replace(at, sign.size(), value);
  }
  return text;
}

std::vector<std::string> rows_of(const Claim& claim) {
  std::set<std::string> rows;
  for (const auto& check : claim.checks) {
    std::string all;
    for (const auto* texts : {&check.guards, &check.tests, &check.shown})
      for (const auto& text : *texts) all += text + " ";
    for (const auto& [name, text] : check.names) all += text + " ";
    for (const auto& instance : check.instances) {
      const auto text = filled(all, instance);
      for (auto open = text.find('['); open != std::string::npos; open = text.find('[', open + 1)) {
        const auto row = text.substr(open + 1, text.find(']', open) - open - 1);
        const bool is_row = row.find('/') != std::string::npos && row.find('{') == std::string::npos;
        if (is_row && (open < 3 || text.compare(open - 3, 3, "pub") != 0)) rows.insert(row.substr(0, row.find(" @")));
      }
    }
  }
  return {rows.begin(), rows.end()};
}

std::optional<Fact> published(const std::string& path) {
  const Json* at = &published_figures();
  std::istringstream stream(path);
  std::string origin = "published";
  for (std::string key; std::getline(stream, key, '/');) {
    // A key may have a '/' of its own: "mul/add imbalance".
    for (std::string more; at->is_object() && !at->contains(key) && std::getline(stream, more, '/');) key += "/" + more;
    if (at->is_array()) {
      const auto index = static_cast<std::size_t>(std::strtoul(key.c_str(), nullptr, 10));
      if (index >= at->size()) return std::nullopt;
      at = &at->at(index);
    } else {
      if (!at->is_object() || !at->contains(key)) return std::nullopt;
      at = &at->at(key);
    }
    if (at->is_object() && at->contains("src")) origin = "published: " + spelled(at->at("src"));
  }
  if (!at->is_number()) return std::nullopt;
  return Fact{at->get<double>(), origin};
}

}  // namespace roofline::claims
