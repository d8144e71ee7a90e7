# shellcheck shell=bash
# Shared by packaging/run, packaging/test and packaging/lint: finds the tree, installs what is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)
# A clone in another folder finds what an earlier one has compiled.
export CCACHE_BASEDIR=$root

say() { printf '\n== %s\n' "$*"; }

# Debian packages, by what they are needed for. Each list is complete for its purpose on a bare Debian 12.
# shellcheck disable=SC2034  # read by the scripts that source this one
{
  core_packages=(g++ cmake ninja-build ccache mold pkg-config libfmt-dev nlohmann-json3-dev libcli11-dev
    libcairo2-dev libfontconfig-dev libfreetype-dev fonts-inter fonts-jetbrains-mono fonts-dejavu-core)
  core_test_packages=(libgtest-dev libgmock-dev)
  gui_packages=(qt6-base-dev qt6-declarative-dev qt6-declarative-dev-tools qt6-shadertools-dev qt6-shader-baker
    libgl-dev libgl1-mesa-dri libimgui-dev libstb-dev qml6-module-qtqml qml6-module-qtqml-models
    qml6-module-qtqml-workerscript qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtquick-templates
    qml6-module-qtquick-controls qml6-module-qtquick-layouts qml6-module-qtquick-dialogs qml6-module-qtquick-shapes
    qml6-module-qt-labs-settings qml6-module-qt-labs-folderlistmodel)
  # Window tests under a virtual X server, benchmarks, and what packaging/check-package looks with.
  test_packages=("${core_test_packages[@]}" libbenchmark-dev qml6-module-qttest qt6-qmllint-plugins xvfb xauth
    dpkg-dev file desktop-file-utils appstream groff-base)
  lint_packages=(clang-tidy)
}

# install_missing PACKAGE...: only what is missing, so that a warm machine needs no network.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "Installing ${#missing[@]} packages: ${missing[*]}"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "error: root or sudo is needed to install: ${missing[*]}" >&2; exit 2; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure BUILD_DIR [cmake option...]: quiet unless it fails.
configure() {
  local build=$1
  shift
  mkdir -p "$build"
  cmake -S "$root" -B "$build" -G Ninja "$@" >"$build/configure.log" 2>&1 || { cat "$build/configure.log" >&2; exit 1; }
}

# configure_and_build BUILD_DIR [cmake option...]
configure_and_build() {
  local build=$1
  say "Building in ${build#"$root"/}"
  configure "$@"
  ninja -C "$build" -j "$jobs"
}
