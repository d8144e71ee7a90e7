# Install rules and the Debian package.
include_guard()
include(GNUInstallDirs)
