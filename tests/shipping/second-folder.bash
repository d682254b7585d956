# shellcheck shell=bash disable=SC2154,SC2164 # checks.bash sets the variables and errexit
# Functions for reproducible and second-build: the release file, built in a second folder, and
# the inputs of a build. The second folder is a clone that includes uncommitted changes, and has
# another name. As in the Dockerfile, the site is built separately there and RECIPELOG_SITE_DIR
# names it.
#
# The crates of the registry are compiled once for both builds, because they take most of the time of
# a build. With `reproducible --again`, the second build compiles them again, in another CARGO_HOME,
# which shares only the cache of the registry.
require_command git git
require_command flock util-linux
require_command node nodejs
[ -e "$repository/.git" ] || abort "the second folder is a clone: run it in a clone of the repository"

first_target=${CARGO_TARGET_DIR:-$repository/target}
kept=$first_target/reproducible
second_target=$kept/another-target
argument=${1:-}
other=$kept/another-name/and-deeper
# The inputs of the last comparison with an equal result, and its commit and SHA-256.
compared=$kept/compared
# The inputs of the second build.
built=$kept/inputs
mkdir -p "$kept/another-name" "$kept/cargo-home"

# Prints everything that the release file depends on: the files of the image's build context
# (a build needs no others), the tools, the folders and the environment variables. The
# lockfile stands for the npm packages. The commit and its date are left out, because both
# builds read them from the same commit and only print them.
inputs() (
    cd "$repository"
    mapfile -t context < <(sed -n 's/^!//p' .dockerignore)
    # sha256sum leaves out files that are deleted but still in the index.
    git ls-files --cached --others --exclude-standard -z -- "${context[@]}" .dockerignore \
        tests/shipping/reproducible tests/shipping/second-folder.bash tests/shipping/checks.bash \
        | xargs --null sha256sum 2>/dev/null || true
    echo "$repository"
    rustc -vV
    cargo --version
    node --version
    # Another C library than glibc has no `ldd --version`.
    for tool in cc ld ldd; do "$tool" --version 2>&1 || true; done
    cat "${CARGO_HOME:-$HOME/.cargo}/config.toml" 2>/dev/null || true
    env | grep -E '^(CARGO|RUST|RECIPELOG|SOURCE_DATE|NODE|HOME=|CC|CFLAGS|AR|LD|PATH=)' | sort
)

# Whether the last comparison had the same inputs and an equal result.
are_compared() { inputs | cmp --quiet - "$compared/inputs"; }

prepare_other_folder() (
    git clone --quiet --no-checkout "$repository" "$scratch/clone"
    cd "$repository"
    git ls-files --cached --others --exclude-standard -z \
        | tar --create --null --files-from=- --ignore-failed-read 2>/dev/null \
        | tar --extract --directory "$scratch/clone"
    if [ -d "$other/ui/node_modules" ]; then
        mv "$other/ui/node_modules" "$scratch/clone/ui/"
    else
        # A build that is running could change the files in .cache.
        tar --create --directory ui --exclude node_modules/.cache node_modules \
            | tar --extract --directory "$scratch/clone/ui"
    fi
    rm -rf "$other"
    mv "$scratch/clone" "$other"
    # Installs nothing if the copied packages match the lockfile.
    cd "$other"
    node build/install-packages.mjs ui
)

build_site() (
    cd "$other/ui"
    SOURCE_DATE_EPOCH=${SOURCE_DATE_EPOCH:-$(git log -1 --no-show-signature --format=%ct)} \
        node build.mjs "$kept/site"
)

# Cargo locks its CARGO_HOME, but not the registry that another one shares. So all crates are
# fetched before, which the command does for any arguments.
share_the_registry() {
    local cargo_home=${CARGO_HOME:-$HOME/.cargo}
    "$repository/deploy/with-release-flags" true 2>"$scratch/fetch.err"
    ln --symbolic --force --no-dereference "$(realpath "$cargo_home")/registry" "$kept/cargo-home/registry"
    if [ -f "$cargo_home/config.toml" ]; then cp "$cargo_home/config.toml" "$kept/cargo-home/"; fi
}

# Copies the compiled crates of the first build, except for those of the repository. Cargo must not
# write to the folders meanwhile, so the copy holds Cargo's own lock.
copy_crates() {
    local folder target
    target=$("$repository/deploy/with-release-flags" printenv CARGO_BUILD_TARGET 2>"$scratch/target.err")
    for folder in release "$target/release"; do
        # Nothing was built here if RELEASE_FILE is from elsewhere.
        [ -d "$first_target/$folder" ] || continue
        mkdir -p "$second_target/$folder"
        flock "$first_target/$folder/.cargo-lock" \
            cp --archive "$first_target/$folder/." "$second_target/$folder"
    done
    find "$second_target" -name '*recipelog*' -prune -exec rm -rf {} +
}

# Builds the release file in the second folder, and prints its path.
second_release_file() (
    inputs >"$built"
    prepare_other_folder >&2
    rm -rf "$kept/site" "$second_target"
    build_site >&2
    if [ "$argument" = --again ]; then
        share_the_registry
        export CARGO_HOME=$kept/cargo-home
    else
        copy_crates
    fi
    unset RELEASE_FILE
    export RECIPELOG_SITE_DIR=$kept/site
    repository=$other CARGO_TARGET_DIR=$second_target release_file
)
