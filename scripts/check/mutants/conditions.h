// Included before every mutated source: each mutant is behind a condition, so that one build holds
// them all. MUTANT is the number of the active one; MUTANTS_REACHED names a file that is to take
// the numbers of those whose places were run.
#pragma once

#ifndef __wasm_relaxed_simd__
#include <cstdio>
#include <cstdlib>
#ifdef __EMSCRIPTEN__
#include <emscripten.h>
#endif
#endif

namespace mutants {

#ifdef __wasm_relaxed_simd__
// The plug-in has no memory of its own in which to keep the number.
constexpr bool isActive(int) { return false; }
#else
#ifdef __EMSCRIPTEN__
inline int activeOne() {
  return EM_ASM_INT({ return globalThis.process ? Number(process.env.MUTANT || -1) : -1; });
}

inline bool isRecorded() {
  return EM_ASM_INT({ return Number(!!(globalThis.process && process.env.MUTANTS_REACHED)); });
}

inline void write(int id) {
  EM_ASM(
      {
        const file = process.env.MUTANTS_REACHED;
        process.getBuiltinModule("fs").appendFileSync(file, $0 + "\n");
      },
      id);
}
#else
inline int activeOne() {
  const char* id = std::getenv("MUTANT");
  return id ? std::atoi(id) : -1;
}

inline bool isRecorded() { return std::getenv("MUTANTS_REACHED") != nullptr; }

inline void write(int id) {
  std::FILE* file = std::fopen(std::getenv("MUTANTS_REACHED"), "a");
  std::fprintf(file, "%d\n", id);
  std::fclose(file);
}
#endif

inline const int active = activeOne();
inline const bool records = isRecorded();
inline bool written[1 << 16] = {};

inline bool isActive(int id) {
  if (records && !written[id]) {
    written[id] = true;
    write(id);
  }
  return id == active;
}
#endif

// `a < At{7} < b` is `a < b`, or `a <= b` where mutant 7 is active: an operator can be changed
// without knowing where its operands begin and end.
struct At {
  int id;
};

template <class T>
struct Left {
  T value;
  int id;
};

template <class T>
struct Right {
  T value;
  int id;
};

#define MUTANTS_OPERATOR(op, other)                                          \
  template <class T>                                                         \
  Left<T> operator op(T left, At at) {                                       \
    return {static_cast<T&&>(left), at.id};                                  \
  }                                                                          \
  template <class T, class U>                                                \
  auto operator op(Left<T> left, U&& right) {                                \
    return isActive(left.id) ? left.value other right : left.value op right; \
  }

MUTANTS_OPERATOR(<, <=)
MUTANTS_OPERATOR(<=, <)
MUTANTS_OPERATOR(>, >=)
MUTANTS_OPERATOR(>=, >)
MUTANTS_OPERATOR(==, !=)
MUTANTS_OPERATOR(!=, ==)
MUTANTS_OPERATOR(+, -)
MUTANTS_OPERATOR(-, +)

#define MUTANTS_ASSIGNMENT(op, other)           \
  template <class T>                            \
  Right<T> operator op(At at, T right) {        \
    return {static_cast<T&&>(right), at.id};    \
  }                                             \
  template <class T, class U>                   \
  T& operator op(T && target, Right<U> right) { \
    if (isActive(right.id))                     \
      target other right.value;                 \
    else                                        \
      target op right.value;                    \
    return target;                              \
  }

MUTANTS_ASSIGNMENT(+=, -=)
MUTANTS_ASSIGNMENT(-=, +=)

#undef MUTANTS_OPERATOR
#undef MUTANTS_ASSIGNMENT

// `Minus{7} * a` is `-a`, or `a` where mutant 7 is active.
struct Minus {
  int id;
};

template <class T>
auto operator*(Minus minus, T value) {
  return isActive(minus.id) ? +value : -value;
}

}  // namespace mutants
