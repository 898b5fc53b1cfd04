#include "support/catch.h"

#include <algorithm>
#include <sstream>

std::string Catch::StringMaker<std::span<const float>>::convert(std::span<const float> numbers) {
  constexpr std::size_t kMostPrinted = 12;
  std::ostringstream text;
  text.precision(9);  // tells any two floats apart
  for (const float number : numbers.first(std::min(numbers.size(), kMostPrinted))) {
    text << number << ' ';
  }
  if (numbers.size() > kMostPrinted) text << "... ";
  text << '(' << numbers.size() << " numbers)";
  return text.str();
}
