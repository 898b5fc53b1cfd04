# Finds the emcc on PATH, Debian's or an emsdk's, and hands over to its own CMake toolchain.
execute_process(
  COMMAND em-config EMSCRIPTEN_ROOT
  OUTPUT_VARIABLE emscripten_root
  OUTPUT_STRIP_TRAILING_WHITESPACE
  RESULT_VARIABLE failed)
if(failed)
  message(FATAL_ERROR "em-config: expected Emscripten on PATH, found none; run scripts/setup.sh")
endif()
include(${emscripten_root}/cmake/Modules/Platform/Emscripten.cmake)
