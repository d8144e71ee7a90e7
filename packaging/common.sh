# Shared by packaging/run and packaging/test: finds the tree, installs what is missing.
set -euo pipefail
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
jobs=$(nproc)

say() { printf '\n== %s\n' "$*"; }

# Debian packages, by what they are needed for.
core_packages="g++ cmake ninja-build ccache mold pkg-config libfmt-dev nlohmann-json3-dev libcli11-dev libcairo2-dev libfontconfig-dev zlib1g-dev
  fonts-inter fonts-jetbrains-mono fonts-dejavu-core"
gui_packages="qt6-base-dev qt6-declarative-dev qt6-declarative-dev-tools qt6-shadertools-dev qt6-shader-baker libgl-dev
  libimgui-dev libstb-dev libgl1-mesa-dri qml6-module-qtqml qml6-module-qtqml-models qml6-module-qtqml-workerscript
  qml6-module-qtquick qml6-module-qtquick-window qml6-module-qtquick-templates qml6-module-qtquick-controls
  qml6-module-qtquick-layouts qml6-module-qtquick-dialogs qml6-module-qtquick-shapes qml6-module-qt-labs-settings
  qml6-module-qt-labs-folderlistmodel"
test_packages="libgtest-dev libgmock-dev libbenchmark-dev qml6-module-qttest qt6-qmllint-plugins clang-tidy xvfb xauth
  libxml2-utils poppler-utils dpkg-dev file"

# install PACKAGE...: only what is missing, so that a warm machine needs no network.
install_missing() {
  local missing=() package
  for package in "$@"; do
    dpkg-query -W -f='${db:Status-Status}' "$package" 2>/dev/null | grep -qx installed || missing+=("$package")
  done
  [ ${#missing[@]} -eq 0 ] && return 0
  say "Installing ${#missing[@]} packages"
  local as_root=()
  if [ "$(id -u)" -ne 0 ]; then
    command -v sudo >/dev/null || { echo "error: root or sudo is needed to install: ${missing[*]}" >&2; exit 2; }
    as_root=(sudo)
  fi
  "${as_root[@]}" apt-get update -qq
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# configure_and_build BUILD_DIR [cmake option...]
configure_and_build() {
  local build=$1
  shift
  say "Building in ${build#"$root"/}"
  cmake -S "$root" -B "$build" -G Ninja "$@" >"$build.configure.log" 2>&1 || { cat "$build.configure.log" >&2; exit 1; }
  ninja -C "$build" -j "$jobs"
}
