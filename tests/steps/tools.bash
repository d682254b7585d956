# shellcheck shell=bash disable=SC2154 # steps.bash and tests/run set the variables
# Installation of the tools that the steps of tests/run require.

# install_tools STEP…: as root, installs the missing Debian packages of the steps. As
# another user, reports them and fails.
install_tools() {
  local step tool missing=()
  for step; do
    for tool in ${tools[$step]:-}; do
      is_installed "${tool%:*}" || missing+=("${tool#*:}")
    done
  done
  if ((${#missing[@]} == 0)); then return; fi
  mapfile -t missing < <(printf '%s\n' "${missing[@]}" | sort -u)
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "tests/run: missing packages; on Debian: apt-get install ${missing[*]}" >&2
    return 1
  fi
  echo "installing ${missing[*]}"
  {
    apt-get update --quiet &&
      DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
        "${missing[@]}"
  } >"$results/apt-get" 2>&1 || {
    cat "$results/apt-get"
    return 1
  }
}

# is_installed COMMAND: also for ensurepip, the module without which Python creates no environments.
is_installed() {
  case $1 in
    ensurepip) python3 -c 'import ensurepip' 2>/dev/null ;;
    *) command -v "$1" >/dev/null ;;
  esac
}

# python_tools: prints the folder of the tools of tools.txt. Installs all of them into
# target/tools at the first call, and again when tools.txt has changed. `venv --clear` removes
# the copy of tools.txt first, so that an installation that was interrupted is repeated.
python_tools() {
  local environment=$CARGO_TARGET_DIR/tools/python requirements=tests/steps/tools.txt
  mkdir -p "$environment"
  (
    flock 9
    if ! cmp --quiet "$requirements" "$environment/tools.txt"; then
      python3 -m venv --clear "$environment" &&
        "$environment/bin/pip" install --quiet --no-deps --no-compile --require-hashes \
          --only-binary :all: --requirement "$requirements" &&
        cp "$requirements" "$environment/tools.txt"
    fi
  ) 9>"$CARGO_TARGET_DIR/tools.lock" >&2 || return
  echo "$environment/bin"
}
