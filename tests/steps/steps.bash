# shellcheck shell=bash disable=SC2034,SC2154 # tests/run reads the tables and sets the variables
# The steps of tests/run: for each its description, the commands that it requires, the
# steps that it depends on, and its function.

# Without arguments, each of three processes takes the first step whose dependencies have
# ended. The release file comes early, because most steps depend on it; long steps come
# before short ones, so that all processes end at the same time.
steps=(
  tools packages release clippy browser-tests second-build rust-tests format shell python
  ui browser-check reproducible supply-chain rolling-restart
  manifests names https file image proxies
)

declare -A descriptions=(
  [tools]="missing Debian packages of the other steps; only as root"
  [packages]="npm packages of ui/ and tests/browser/, installed from the lockfiles"
  [format]="Rust: cargo fmt"
  [clippy]="Rust: clippy for all targets, also those of fuzz/, with warnings as errors"
  [rust-tests]="Rust: unit tests, tests/suite, tests/allocations.rs"
  [ui]="ui/ and other scripts of Node.js: types, Biome, colour contrast"
  [shell]="shell scripts: shellcheck"
  [python]="benches/: ruff, linter and formatter"
  [supply-chain]="licences, sources and duplicates of crates; bill of materials"
  [release]="the release file, built by deploy/release"
  [browser-check]="tests/browser: types, Biome; benches/: Biome"
  [browser-tests]="the pages of the release file in Chromium"
  [file]="the release file: static, small, runs in an empty root folder"
  [names]="the release file: names and certificates in an empty root folder"
  [https]="the release file: sockets of systemd and certificates of Kubernetes"
  [image]="the image of the Dockerfile"
  [proxies]="the release file behind nginx and Caddy"
  [rolling-restart]="restarts under load without lost requests"
  [manifests]="files of deploy/ for systemd, Kubernetes and Compose"
  [second-build]="the release file, built in another folder, for the step reproducible"
  [reproducible]="both builds have the same result"
)

# Commands that a step requires, each as COMMAND:PACKAGE with its Debian package. Steps that call
# python_tools require ensurepip, a module of Python. If one is missing, the step depends on `tools`.
declare -A tools=(
  [rust-tests]="slowhttptest:slowhttptest pebble:pebble git:git openssl:openssl curl:curl pgrep:procps"
  [shell]="shellcheck:shellcheck"
  [python]="ensurepip:python3-venv"
  [supply-chain]="ensurepip:python3-venv pgrep:procps"
  [browser-tests]="chromium-headless-shell:chromium-headless-shell java:default-jre-headless openssl:openssl"
  [file]="pgrep:procps curl:curl openssl:openssl strings:binutils unshare:util-linux"
  [names]="pgrep:procps curl:curl ip:iproute2 nsenter:util-linux openssl:openssl pebble:pebble"
  [https]="pgrep:procps curl:curl openssl:openssl systemd-socket-activate:systemd"
  [image]="pgrep:procps curl:curl buildah:buildah unshare:util-linux"
  [proxies]="pgrep:procps curl:curl nginx:nginx-light caddy:caddy"
  [rolling-restart]="pgrep:procps curl:curl nginx:nginx-light ss:iproute2 systemd-socket-activate:systemd"
  [manifests]="pgrep:procps systemd-analyze:systemd docker-compose:docker-compose ensurepip:python3-venv"
  [second-build]="pgrep:procps git:git flock:util-linux"
  [reproducible]="pgrep:procps git:git flock:util-linux"
)

tools[tools]="${tools[*]}"

# Steps that have to pass before a step.
declare -A dependencies=(
  [ui]=packages
  [browser-check]=packages
  [supply-chain]=packages
  [release]=packages
  [browser-tests]="packages release"
  [rust-tests]=packages
  [file]=release
  [names]=release
  [https]=release
  [image]=release
  [proxies]=release
  [rolling-restart]=release
  [second-build]="packages release"
  [reproducible]="release second-build"
)

step_packages() {
  node build/install-packages.mjs ui && node build/install-packages.mjs tests/browser
}

step_format() { cargo fmt --all --check; }

# Clippy checks only Rust and does not link, so a site of one page replaces the build of
# ui/, and an empty file replaces the build of libFuzzer (C++).
step_clippy() {
  local site=$CARGO_TARGET_DIR/one-page-site libfuzzer=$CARGO_TARGET_DIR/libfuzzer.a
  mkdir -p "$site"
  # Cargo compares file times, so existing files are not written again.
  [ -e "$site/index.html" ] || echo '<title>{{app_name}}</title>' >"$site/index.html"
  [ -e "$libfuzzer" ] || touch "$libfuzzer"
  RECIPELOG_SITE_DIR=$site CUSTOM_LIBFUZZER_PATH=$libfuzzer \
    cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
}

# Twice as many threads as processors, because tests of time limits wait for most of their time.
step_rust-tests() {
  RUST_TEST_THREADS=$((2 * $(nproc))) cargo test --quiet --locked --no-fail-fast
}

step_ui() { npm --prefix ui run --silent check; }

# Tracked files with a shell in the first line, and files that they source.
step_shell() {
  local scripts
  mapfile -t scripts < <(git grep --cached -lIE '^#!.*[/ ](ba)?sh$|^# shellcheck shell=')
  echo "${#scripts[@]} scripts"
  shellcheck "${scripts[@]}"
}

step_python() {
  local tools scripts
  tools=$(python_tools) || return
  mapfile -t scripts < <(git grep --cached -lIE '^#!.*python3$'; git ls-files '*.py')
  "$tools/ruff" check --quiet "${scripts[@]}" &&
    "$tools/ruff" format --quiet --diff "${scripts[@]}"
}

step_supply-chain() {
  local tools
  tools=$(python_tools) || return
  PATH=$tools:$PATH tests/shipping/supply-chain
}

step_release() { deploy/release | tee "$results/release.path"; }
step_browser-check() { npm --prefix tests/browser run --silent check; }

# The headless shell has the same engine as Chromium and uses 40 % of its processor time,
# because it draws no tabs and toolbars. CHROMIUM selects another browser.
step_browser-tests() {
  CHROMIUM=${CHROMIUM:-$(command -v chromium-headless-shell)} SITE_EXECUTABLE=$RELEASE_FILE \
    npm --prefix tests/browser test --silent
}

step_file() { tests/shipping/file; }
step_names() { tests/shipping/names; }
step_https() { tests/shipping/https; }
step_image() { tests/shipping/image; }
step_proxies() { tests/shipping/proxies; }
step_rolling-restart() { tests/shipping/rolling-restart; }

step_manifests() {
  local tools
  tools=$(python_tools) || return
  PATH=$tools:$PATH tests/shipping/manifests
}

step_second-build() { tests/shipping/second-build | tee "$results/second-build.path"; }
step_reproducible() { tests/shipping/reproducible; }
