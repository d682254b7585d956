# shellcheck shell=bash disable=SC2154 # steps.bash and tests/run set the variables
# Runs steps and sums their results. The folder $results contains for each step:
# STEP.log (output), STEP.status (exit code), STEP.counts ("PASSED FAILED"), STEP.time, and
# STEP.process, the process of the queue that took the step.
# The steps `release` and `second-build` also write release.path and second-build.path, the path of
# the release file.

TIMEFORMAT='%0R s, processor %0U s + %0S s'

# run_queue: runs the steps of $results/queue, a name per line, beside other processes that do
# the same.
run_queue() {
  local process=$BASHPID step
  # The other queues have process groups of their own: nothing else ends them if tests/run is killed.
  while kill -0 $$ 2>/dev/null; do
    step=$(take_step "$process")
    case $step in
      "") return ;;
      # Other processes are running what the remaining steps depend on.
      wait) sleep 0.2 ;;
      *) run_step "$step" ;;
    esac
  done
}

# take_step PID: removes the first step whose dependencies have ended from the queue, for the
# process PID, and prints it; "wait" if there is none yet.
take_step() (
  flock 9
  mapfile -t waiting <"$results/queue"
  for index in "${!waiting[@]}"; do
    for dependency in ${dependencies[${waiting[index]}]:-}; do
      has_ended "$dependency" || continue 2
    done
    echo "${waiting[index]}"
    echo "$1" >"$results/${waiting[index]}.process"
    unset "waiting[index]"
    printf '%s\n' "${waiting[@]}" | sed '/^$/d' >"$results/queue"
    return
  done
  if ((${#waiting[@]})); then echo wait; fi
) 9>"$results/queue.lock"

# has_ended STEP: also if the process that took the step no longer exists. A step that depends on
# it runs it again then.
has_ended() {
  [ -e "$results/$1.counts" ] ||
    { [ -e "$results/$1.process" ] && ! kill -0 "$(cat "$results/$1.process")" 2>/dev/null; }
}

# run_step STEP [live]: with "live", prints the output immediately; otherwise at the end,
# so that the outputs of steps do not mix.
run_step() {
  local step=$1 log=$results/$1.log status
  if [ -n "${2:-}" ]; then printf '\n== %s\n' "$step"; fi
  # A subshell, because `time` counts all child processes of its shell that have ended. In the
  # main shell, the other queues are among them.
  (time { run_with_dependencies "$step" 2>&1 | if [ -n "${2:-}" ]; then tee "$log"; else cat >"$log"; fi; }) \
    2>"$results/$step.time"
  status=$?
  echo "$status" >"$results/$step.status"
  count "$step" "$status" >"$results/$step.counting"
  (
    flock 9
    if [ -z "${2:-}" ]; then
      printf '\n== %s\n' "$step"
      cat "$log"
    fi
    echo "   $(cat "$results/$step.time")"
    if ((status != 0)); then echo "$step failed; to repeat it: tests/run $step"; fi
  ) 9>"$results/console.lock"
  mv "$results/$step.counting" "$results/$step.counts"
}

# run_with_dependencies STEP: runs the step if its dependencies have passed. Dependencies
# that have not run yet run first; their output is shown only if they fail, and they are
# not counted. RELEASE_FILE is set for steps that depend on `release`, and SECOND_RELEASE_FILE
# for those that depend on `second-build`. Subshells, so that `exit` ends only a step.
run_with_dependencies() {
  local step=$1 dependency status
  for dependency in ${dependencies[$step]:-}; do
    if [ ! -e "$results/$dependency.status" ]; then
      ("step_$dependency") >"$results/$dependency.output" 2>&1
      status=$?
      echo "$status" >"$results/$dependency.status"
      if ((status != 0)); then cat "$results/$dependency.output"; fi
    fi
    if [ "$(cat "$results/$dependency.status")" != 0 ]; then
      echo "$step depends on $dependency, which failed"
      return 1
    fi
    case $dependency in
      release) RELEASE_FILE=$(cat "$results/release.path") && export RELEASE_FILE ;;
      second-build) SECOND_RELEASE_FILE=$(cat "$results/second-build.path") && export SECOND_RELEASE_FILE ;;
    esac
  done
  ("step_$step")
}

# count STEP STATUS: prints "PASSED FAILED", the sum of the result lines of cargo test and
# of the project's scripts. A step without such a line counts as one check. A step that
# fails without a failed check counts as one failure.
count() {
  local passed=0 failed=0 p f
  while read -r p f; do
    passed=$((passed + p))
    failed=$((failed + f))
  done < <(sed -nE \
    -e 's/^test result: .* ([0-9]+) passed; ([0-9]+) failed;.*/\1 \2/p' \
    -e 's/^([0-9]+) passed, ([0-9]+) failed$/\1 \2/p' "$results/$1.log")
  if (($2 != 0 && failed == 0)); then
    failed=1
  elif (($2 == 0 && passed + failed == 0)); then
    passed=1
  fi
  echo "$passed $failed"
}

# report STEP…: prints the failed steps and the sum. Returns 1 after a failure.
report() {
  local step p f passed=0 failed=0
  echo
  for step; do
    # A step without counts did not end, or the folder is full.
    read -r p f < <(cat "$results/$step.counts" 2>/dev/null)
    p=${p:-0} f=${f:-1}
    passed=$((passed + p))
    failed=$((failed + f))
    if ((f > 0)); then echo "failed: $step ($f of $((p + f))); to repeat it: tests/run $step"; fi
  done
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
