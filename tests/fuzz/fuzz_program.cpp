// A libFuzzer program for the reader that LS_READER names.
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "tests/fuzz/readers.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    static const ls::fuzz::Reader reader = [] {
        for (const ls::fuzz::Door& door : ls::fuzz::doors()) {
            if (door.name == LS_READER) return door.read;
        }
        std::abort();
    }();
    const std::string wrong = reader({reinterpret_cast<const char*>(data), size});
    if (!wrong.empty()) {
        std::fprintf(stderr, "%s: %s\n", LS_READER, wrong.c_str());
        std::abort();
    }
    return 0;
}
