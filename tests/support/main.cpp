// The one source that holds Catch2 itself and its main function.
#define CATCH_CONFIG_MAIN
#include "catch2/catch.hpp"
