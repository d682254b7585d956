# shellcheck shell=bash disable=SC2154 # steps.bash and tests/run set the variables
# Installation of the tools that the steps of tests/run require.

# The missing Debian packages, and the steps that require one of them.
missing_packages=()
declare -A needs_tools=()

# find_missing_tools STEP…: makes each step whose Debian packages are missing depend on the step
# `tools`, which installs them. As another user than root, reports the packages and fails.
find_missing_tools() {
  local step tool
  for step; do
    for tool in ${tools[$step]:-}; do
      if ! is_installed "${tool%:*}"; then
        missing_packages+=("${tool#*:}")
        needs_tools[$step]=true
      fi
    done
  done
  if ((${#missing_packages[@]} == 0)); then return; fi
  mapfile -t missing_packages < <(printf '%s\n' "${missing_packages[@]}" | sort -u)
  if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "tests/run: missing packages; on Debian: apt-get install ${missing_packages[*]}" >&2
    return 1
  fi
  echo "installing ${missing_packages[*]}"
  unset "needs_tools[tools]"
  for step in "${!needs_tools[@]}"; do dependencies["$step"]="tools ${dependencies[$step]:-}"; done
}

# The messages are printed only after a failure.
step_tools() {
  if ((${#missing_packages[@]} == 0)); then return; fi
  {
    apt-get update --quiet &&
      DEBIAN_FRONTEND=noninteractive apt-get install --quiet --yes --no-install-recommends \
        "${missing_packages[@]}"
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
