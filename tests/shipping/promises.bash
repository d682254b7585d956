# Sourced by the scripts beside it: counts promises, starts the release file, and
# ends and removes at the end whatever was started and made.
set -euo pipefail
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
passed=0
failed=0
finished=false

# Children end first: some of them hold what the scratch folder carries. So do their
# own children: unshare passes no SIGTERM on.
clean_up() {
    local started
    mapfile -t started < <(jobs -p)
    if [ ${#started[@]} -gt 0 ]; then
        mapfile -t -O ${#started[@]} started < <(pgrep --parent "$(IFS=,; echo "${started[*]}")")
        kill "${started[@]}" 2>/dev/null || true
        for _ in {1..20}; do
            kill -0 "${started[@]}" 2>/dev/null || break
            sleep 0.05
        done
        kill -KILL "${started[@]}" 2>/dev/null || true
        wait
    fi
    rm -rf "$scratch"
    $finished || echo "$passed passed, $((failed + 1)) failed: ${0##*/} ended early"
}
trap clean_up EXIT

# promise SENTENCE COMMAND…: one line, and what the command said where it failed.
promise() {
    local sentence=$1 output
    shift
    if output=$("$@" 2>&1); then
        passed=$((passed + 1))
        echo "  ok    $sentence"
    else
        failed=$((failed + 1))
        echo "  FAIL  $sentence"
        sed 's/^/        /' < <(echo "${output:-"$*" says no}")
    fi
}

# The last line, and the exit code.
summary() {
    finished=true
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}

# needs COMMAND PACKAGE: what the script cannot run without.
needs() {
    command -v "$1" >/dev/null || give_up "\`$1\` is missing: apt-get install $2"
}

needs_root() {
    [ "$(id -u)" = 0 ] || give_up "namespaces and other users' identities take root: run it with sudo"
}

give_up() {
    finished=true
    echo "  FAIL  ${0##*/}: $1"
    echo "0 passed, 1 failed"
    exit 1
}

# The static release file: the one that RELEASE_FILE names, else of this tree.
release_file() {
    if [ -n "${RELEASE_FILE:-}" ]; then
        realpath "$RELEASE_FILE"
        return
    fi
    "$repository/deploy/release" 2>"$scratch/release.err" || { cat "$scratch/release.err" >&2; return 1; }
}

# eventually COMMAND…: until it is true, for five seconds at most.
eventually() {
    for _ in {1..100}; do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.05
    done
    "$@"
}

free_port() {
    node --eval '
        const server = require("node:net").createServer().listen(0, "127.0.0.1", () => {
            console.log(server.address().port);
            server.close();
        });'
}

# port_in FILE: the port that a server said on its standard error it is ready on.
port_in() {
    eventually grep --quiet 'ready on' "$1"
    sed -n 's/.*ready on http:\/\/[^ ]*:\([0-9]*\).*/\1/p' "$1"
}
