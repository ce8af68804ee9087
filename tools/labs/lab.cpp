#include "tools/labs/lab.hpp"

#include <fmt/format.h>

#include <cstdint>
#include <sstream>
#include <stdexcept>

#include "bench/text/parse_json.hpp"

namespace roofline::labs {
namespace {

using Json = nlohmann::ordered_json;

Question read_question(const Json& json) {
  Question q;
  q.id = json.at("id"), q.phase = json.at("phase"), q.text = json.at("text"), q.unit = json.value("unit", "");
  q.answer = json.at("answer");
  q.choices = json.value("choices", std::vector<std::string>{});
  q.points = json.value("points", 1.0), q.tolerance = json.value("tolerance", 0.05);
  q.program = json.value("program", false);
  q.because = json.at("because");
  for (const auto& wrong : json.value("wrong", Json::array())) q.misconceptions.push_back({wrong.at(0), wrong.at(1)});
  return q;
}

Lab read_lab(const std::string& file, const std::string& data, const std::string& text) {
  const auto json = parse_json(data, file);
  Lab lab;
  lab.number = std::stoi(file);
  lab.name = file.substr(file.find('-') + 1);
  lab.title = json.at("title"), lab.minutes = json.at("minutes"), lab.text = text;
  lab.device = json.value("device", ""), lab.flags = json.at("flags");
  if (json.contains("student"))
    for (const auto& [name, choices] : json.at("student").items()) lab.drawn[name] = choices.get<std::vector<double>>();
  for (const auto& question : json.at("questions")) lab.questions.push_back(read_question(question));
  return lab;
}

std::vector<Lab> read_all() {
  std::vector<Lab> all;
  for (const auto& [name, data, text] : lab_files())
    all.push_back(read_lab(std::string(name), std::string(data), std::string(text)));
  return all;
}

/// The steps of FNV-1a, from another basis than the standard one, and a last mixing: the same on every machine, unlike
/// std::hash. Students have their numbers by it, so it stays.
std::uint64_t hash(const std::string& text) {
  std::uint64_t h = 1469598103934665603u;
  for (const unsigned char c : text) h = (h ^ c) * 1099511628211u;
  return h ^ (h >> 29);
}

}  // namespace

const std::vector<Lab>& all_labs() {
  static const auto all = read_all();
  return all;
}

const Lab& lab(int number) {
  for (const auto& lab : all_labs())
    if (lab.number == number) return lab;
  throw std::invalid_argument(fmt::format("there is no lab {}; roofline lab lists them", number));
}

std::map<std::string, std::string> numbers_of(const Lab& lab, const std::string& student) {
  std::map<std::string, std::string> numbers;
  for (const auto& [name, choices] : lab.drawn) {
    const auto at =
        student.empty() ? 0 : hash(student + "/" + std::to_string(lab.number) + "/" + name) % choices.size();
    numbers[name] = fmt::format("{}", choices[at]);
  }
  return numbers;
}

std::string measuring_flags(const Lab& lab, const std::string& student) {
  std::istringstream words(filled(lab.flags, numbers_of(lab, student)));
  std::string flags = lab.device.empty() ? "" : "--device=" + lab.device;
  for (std::string word; words >> word;) {
    const bool special = word.find_first_of("$()|*?;&<>") != std::string::npos;
    flags += (flags.empty() ? "" : " ") + (special ? "'" + word + "'" : word);
  }
  return flags;
}

}  // namespace roofline::labs
