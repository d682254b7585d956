// A lock between processes: builds of the site, and installations of npm packages.

import { mkdirSync, readdirSync, renameSync, rmdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const POLL_INTERVAL_MS = 50;
/** Longer than one build or installation takes. */
const WAIT_MAX_MS = 600_000;
/** What `rename` reports if the new folder exists and is not empty; on Windows, also if it is empty. */
const IS_HELD = ["ENOTEMPTY", "EEXIST", "EPERM"];

/**
 * Runs a function while no other process runs one with the lock of the same folder, and resolves to its result. The lock is
 * a folder `held` with a file whose name is the process. If that process no longer exists, the next one takes the lock.
 * If it still has the lock after `waitMaxMs`, this process ends with an error: another program may have got its number.
 */
export async function withLock(folder, run, waitMaxMs = WAIT_MAX_MS) {
  const lock = join(folder, "node_modules.lock");
  const held = join(lock, "held");
  const own = join(lock, String(process.pid));
  mkdirSync(own, { recursive: true });
  writeFileSync(join(own, String(process.pid)), "");
  let awaited;
  for (let waits = 0; !renames(own, held); waits++) {
    for (const holder of filesIn(held)) {
      if (holder !== awaited) [awaited, waits] = [holder, 0];
      const rest = `for the build of process ${holder}; if that process is not a build, remove ${held}`;
      if (!exists(Number(holder))) {
        release(held, holder);
      } else if (waits * POLL_INTERVAL_MS >= waitMaxMs) {
        rmSync(own, { recursive: true });
        console.error(`stopped waiting ${rest}`);
        process.exit(1);
      } else if (waits === 0) {
        console.error(`waiting ${rest}`);
      }
    }
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, POLL_INTERVAL_MS);
  }
  try {
    return await run();
  } finally {
    release(held, String(process.pid));
  }
}

/** Renames a folder, unless the lock is held. No two processes can succeed at once. */
function renames(from, to) {
  try {
    renameSync(from, to);
    return true;
  } catch (error) {
    if (IS_HELD.includes(error.code)) return false;
    throw error;
  }
}

/** Removes only the file of one process: another one may have taken the lock in the meantime. */
function release(held, holder) {
  rmSync(join(held, holder), { force: true });
  try {
    rmdirSync(held);
  } catch {
    // It is gone, or has the file of another process.
  }
}

function filesIn(folder) {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A lock with the number of this process is left from an earlier one. */
function exists(id) {
  try {
    return id !== process.pid && process.kill(id, 0);
  } catch (error) {
    return error.code !== "ESRCH";
  }
}
