// Runs the functions of several kernel sets on the same operands, and compares every value that
// they write with the scalar set's, bit for bit.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "kernels/kernels.h"
#include "support/choices.h"

namespace bertscope::test {

// Test programs and browsers compare this many cases, those of the seeds 0, 1, 2 and so on, and
// expect this digest. It changes when a kernel is meant to compute other values.
inline constexpr std::uint32_t kComparedCases = 4000;
inline constexpr std::uint32_t kComparedDigest = 532303411;

class KernelComparison {
 public:
  struct Counts {
    const kernels::KernelSet* set;
    std::uint64_t calls = 0;   // of its functions
    std::uint64_t values = 0;  // that these calls wrote
    std::uint64_t different = 0;
  };

  // Functions that a set shares with an earlier one are compared once.
  explicit KernelComparison(std::span<const kernels::KernelSet* const> sets);

  // Compares one function with the operands that are chosen.
  void compareCase(Choices choices);

  std::span<const Counts> counts() const { return counts_; }
  // The first value that was different, or nothing.
  const std::string& difference() const { return difference_; }
  // A hash (FNV-1a) of the scalar set's values.
  std::uint32_t digest() const { return digest_; }

 private:
  template <typename Function, typename Run>
  void compare(const char* name, Function kernels::KernelSet::* function, Run run);
  template <typename Run>
  void compareSets(const char* name, Run run);
  template <typename Value>
  void addToDigest(std::span<const Value> values);
  template <typename Value>
  void check(const char* name, Counts& counts, std::span<const Value> expected,
             std::span<const Value> found);

  void compareProducts(Choices& choices);
  void compareLevels(Choices& choices);
  void compareFinishedPanels(Choices& choices);
  void compareTransposedProducts(Choices& choices);
  void compareDenseProducts(Choices& choices);
  void compareSoftmax(Choices& choices);
  void compareLayerNorm(Choices& choices);
  void compareActivations(Choices& choices);
  void compareRotations(Choices& choices);

  std::vector<Counts> counts_;
  std::string difference_;
  std::uint32_t digest_ = 2166136261u;
};

}  // namespace bertscope::test
