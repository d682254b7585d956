# Functions for the shipping tests: checks with a count, ports, nginx and the release file. tests/run
# installs the commands that they require. At exit, child processes are ended and the scratch folder is removed.
# Scripts redirect the standard error of programs that they start outside of checks to
# $scratch/NAME.err, which is printed if the script exits early.
set -euo pipefail
# Without it, `errexit` does not apply inside of $(…).
shopt -s inherit_errexit
repository=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
scratch=$(mktemp -d)
# The results do not depend on the user's settings. The proxies of the environment stay, because
# Cargo and npm may need them.
umask 022
export LC_ALL=C.UTF-8 LANGUAGE="" CURL_HOME=$scratch
echo 'noproxy = "*"' >"$scratch/.curlrc"
passed=0
failed=0
finished=false

# Ends the child processes of the shell, and grandchildren, because unshare does not forward
# SIGTERM.
end_children() {
    local processes parent=$BASHPID
    mapfile -t processes < <(exec pgrep --parent "$parent")
    if [ ${#processes[@]} -gt 0 ]; then
        mapfile -t -O ${#processes[@]} processes < <(pgrep --parent "$(IFS=,; echo "${processes[*]}")")
        kill "${processes[@]}" 2>/dev/null || true
        for _ in {1..20}; do
            kill -0 "${processes[@]}" 2>/dev/null || break
            sleep 0.05
        done
        kill -KILL "${processes[@]}" 2>/dev/null || true
        wait
    fi
}

# Ends the processes first, because they use files in the scratch folder. The last line has
# the form of `summary`, because tests/run adds the counts up.
clean_up() {
    local command=$BASH_COMMAND file
    end_children
    if ! $finished; then
        echo "  FAIL  ${0##*/} exited early: $command"
        for file in "$scratch"/*.err; do
            [ ! -s "$file" ] || sed "s/^/        ${file##*/}: /" "$file"
        done
        echo "$passed passed, $((failed + 1)) failed"
    fi
    rm -rf "$scratch"
}
trap clean_up EXIT

# check TITLE COMMAND…: passes if the command succeeds. Prints one line, and the output
# of the command if it fails. A function ends at its first command that fails: `errexit`
# applies to it, as it would not in the condition of an `if`. Processes that it started end
# with it, or they would keep the output open.
check() {
    local title=$1 output status
    shift
    set +e
    output=$(set -e; trap end_children EXIT; "$@" 2>&1)
    status=$?
    set -e
    if [ "$status" = 0 ]; then
        passed=$((passed + 1))
        echo "  ok    $title"
    else
        failed=$((failed + 1))
        echo "  FAIL  $title"
        sed 's/^/        /' < <(echo "${output:-"command failed without output: $*"}")
    fi
}

# Prints the last line of the script. Returns 1 if a check failed.
summary() {
    finished=true
    echo "$passed passed, $failed failed"
    [ "$failed" = 0 ]
}

# The release file is built before, as the user: a build as root leaves files that the user's
# next build cannot replace. sudo changes PATH and HOME.
require_root() {
    # shellcheck disable=SC2016 # the user's shell expands the variables
    local command='sudo env "PATH=$PATH" "HOME=$HOME" "RELEASE_FILE=$(deploy/release)" tests/shipping/'
    [ "$(id -u)" = 0 ] || abort "namespaces and other user ids require root: $command${0##*/}"
}

# abort MESSAGE: ends the script with one failure.
abort() {
    finished=true
    echo "  FAIL  ${0##*/}: $1"
    echo "$passed passed, $((failed + 1)) failed"
    exit 1
}

# The path of the release file: RELEASE_FILE if it is set, else a new build, whose messages
# are printed only if it fails.
release_file() {
    if [ -n "${RELEASE_FILE:-}" ]; then
        realpath "$RELEASE_FILE"
        return
    fi
    "$repository/deploy/release" 2>"$scratch/release.err"
    rm "$scratch/release.err"
}

# new_certificate KEY CERTIFICATE [OPTION…]: creates a private key and a certificate, with
# options of `openssl req`. Without -CA, the certificate is self-signed.
new_certificate() {
    local key=$1 certificate=$2 output
    shift 2
    output=$(openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:prime256v1 -nodes \
        -keyout "$key" -out "$certificate" "$@" 2>&1) || abort "$output"
}

run_buildah() { buildah --root "$scratch/storage" --runroot "$scratch/run" --storage-driver vfs "$@"; }

# wait_until COMMAND…: repeats the command until it succeeds, for a minute, because a machine
# may be busy. The last attempt sets the exit code and prints its output, after a line that
# names it.
wait_until() {
    local end=$((SECONDS + 60))
    while ((SECONDS < end)); do
        if "$@" >/dev/null 2>&1; then return; fi
        sleep 0.05
    done
    echo "no success within a minute: $*" >&2
    "$@"
}

# A port without a server, below the range from which the kernel usually picks ports of outgoing
# connections: within it, the port could be taken before it is used.
free_port() {
    local port
    while port=$((RANDOM % 20000 + 10000)) && (: <>"/dev/tcp/127.0.0.1/$port") 2>/dev/null; do :; done
    echo "$port"
}

# start_nginx PLAIN_PORT TLS_PORT PORT [PORT]: starts nginx with deploy/nginx.conf in front of servers at one
# or two ports.
start_nginx() {
    mkdir "$scratch/nginx"
    new_certificate "$scratch/nginx/privkey.pem" "$scratch/nginx/fullchain.pem" -subj /CN=recipes.example
    sed -e "/listen \[::\]/d" -e "s/listen 80;/listen 127.0.0.1:$1;/" -e "s/listen 443 /listen 127.0.0.1:$2 /" \
        -e "s#/etc/letsencrypt/live/recipes.example#$scratch/nginx#" -e "s/server 127.0.0.1:8080 /server 127.0.0.1:$3 /" \
        ${4:+-e "s/# server 127.0.0.1:8081 /server 127.0.0.1:$4 /"} "$repository/deploy/nginx.conf" >"$scratch/nginx/site.conf"
    run_nginx "$scratch/nginx" &
}

# run_nginx FOLDER: runs nginx with FOLDER/site.conf. Like Debian's main file, this one turns gzip on.
run_nginx() {
    cat >"$1/nginx.conf" <<END
daemon off;
pid $1/pid;
events {}
http {
    access_log off;
    gzip on;
    include /etc/nginx/mime.types;
    client_body_temp_path $1/body;
    proxy_temp_path $1/proxy;
    fastcgi_temp_path $1/fastcgi;
    scgi_temp_path $1/scgi;
    uwsgi_temp_path $1/uwsgi;
    include $1/site.conf;
}
END
    exec nginx -e "$scratch/nginx.err" -c "$1/nginx.conf"
}

# ready_port FILE: waits until a server has written its ready line to FILE, its standard
# error. Prints the port of that line.
ready_port() {
    wait_until grep --quiet 'ready on' "$1" || return
    sed -n 's/.*ready on http:\/\/[^ ]*:\([0-9]*\).*/\1/p' "$1"
}

# DECISION-30.
FILE_MAX_BYTES=5450000

is_small() {
    stat --format '%s bytes' "$file"
    [ "$(stat --format %s "$file")" -le "$FILE_MAX_BYTES" ]
}

# A dynamic executable names a loader.
is_static() {
    readelf --program-headers "$file" >"$scratch/headers"
    ! grep INTERP "$scratch/headers"
}
