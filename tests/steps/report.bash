# shellcheck shell=bash disable=SC2154 # steps.bash and tests/run set the variables
# Runs steps and adds up their results. For each step, the folder $results gets the
# files STEP.log, STEP.counts ("PASSED FAILED") and STEP.time; the step `release` adds
# release.path, the path of the release file.

TIMEFORMAT='%0R s, processor %0U s + %0S s'

# run_in_turn STEP…: runs the steps, each after the steps that it needs.
run_in_turn() {
  local step
  for step; do
    wait_for "$step"
    run_step "$step"
  done
}

# wait_for STEP: until the other lane, if it still runs, has ended the steps that
# this one needs.
wait_for() {
  local needed
  for needed in ${needs[$1]:-}; do
    until [ -e "$results/$needed.counts" ] || ! kill -0 "$background" 2>/dev/null; do sleep 0.2; done
  done
}

# run_step STEP [live]: with "live", prints the output at once; otherwise at the end,
# so that the outputs of two lanes do not mix.
run_step() {
  local step=$1 log=$results/$1.log status
  if [ -n "${2:-}" ]; then printf '\n== %s\n' "$step"; fi
  { time { guarded "$step" 2>&1 | if [ -n "${2:-}" ]; then tee "$log"; else cat >"$log"; fi; }; } \
    2>"$results/$step.time"
  status=$(cat "$results/$step.status")
  count "$step" "$status" >"$results/$step.counting"
  (
    flock 9
    if [ -z "${2:-}" ]; then
      printf '\n== %s\n' "$step"
      cat "$log"
    fi
    echo "   $(cat "$results/$step.time")"
    if ((status != 0)); then echo "$step failed; alone: tests/run $step"; fi
  ) 9>"$results/console.lock"
  mv "$results/$step.counting" "$results/$step.counts"
}

# guarded STEP: the step with the release file, if the steps that it needs passed.
# Those of them that have not run yet run now; their output and count are left out.
guarded() {
  local step=$1 needed status=0
  for needed in ${needs[$step]:-}; do
    if [ -e "$results/$needed.status" ]; then
      status=$(cat "$results/$needed.status")
    else
      "step_$needed" >"$results/$needed.output" 2>&1
      status=$?
      echo "$status" >"$results/$needed.status"
      if ((status != 0)); then cat "$results/$needed.output"; fi
    fi
    if ((status != 0)); then
      echo "$step needs $needed, which failed"
      break
    fi
    if [ "$needed" = release ]; then
      RELEASE_FILE=$(cat "$results/release.path")
      export RELEASE_FILE
    fi
  done
  if ((status == 0)); then
    "step_$step"
    status=$?
  fi
  echo "$status" >"$results/$step.status"
}

# count STEP STATUS: "PASSED FAILED", from the lines of cargo test and of our own
# scripts. A step that counts nothing counts as one; a step that fails
# without a count has failed once.
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

# report STEP…: the failed steps and the sum. Returns 1 if something failed.
report() {
  local step p f passed=0 failed=0
  echo
  for step; do
    # A lane that was ended has not counted its last steps.
    read -r p f < <(cat "$results/$step.counts" 2>/dev/null || echo 0 1)
    passed=$((passed + p))
    failed=$((failed + f))
    if ((f > 0)); then echo "failed: $step ($f of $((p + f))); alone: tests/run $step"; fi
  done
  echo "$passed passed, $failed failed"
  ((failed == 0))
}
