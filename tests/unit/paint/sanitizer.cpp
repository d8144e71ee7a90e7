// Fontconfig keeps some of what it parses; that is not ours to free.
extern "C" const char* __lsan_default_suppressions() { return "leak:libfontconfig"; }
