// Installs the npm packages of a folder, unless they already match its lockfile.
// The build script, the tests and the benchmarks use it.
//   node build/install-packages.mjs FOLDER

import { spawnSync } from "node:child_process";
import { readFileSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { withLock } from "../ui/lock.mjs";

const [folder] = process.argv.slice(2);
if (folder === undefined) {
  console.error("usage: node build/install-packages.mjs FOLDER");
  process.exit(2);
}

const lockfile = readFileSync(join(folder, "package-lock.json"));
/** A copy of the lockfile from which the packages were installed. */
const stamp = join(folder, "node_modules/.lockfile");

// Another process may have installed them while this one waited for the lock.
if (!isInstalled() && !(await withLock(folder, () => isInstalled() || install()))) process.exit(1);

/** Returns whether npm succeeded. */
function install() {
  // npm removes packages first, and can be interrupted then.
  rmSync(stamp, { force: true });
  // The tools of a build are development dependencies, which npm omits with NODE_ENV=production.
  // The lockfile names the contents, so cached packages need no question to the registry.
  const options = ["ci", "--include=dev", "--prefer-offline", "--no-audit", "--no-fund"];
  options.push("--loglevel=error");
  // On Windows npm is a script, which only a shell can start.
  const shell = process.platform === "win32";
  const { status, error } = spawnSync("npm", options, { cwd: folder, stdio: "inherit", shell });
  if (error) console.error(`npm does not start: ${error.message}; install npm with Node.js`);
  if (status !== 0) return false;
  writeFileSync(stamp, lockfile);
  return true;
}

function isInstalled() {
  try {
    return readFileSync(stamp).equals(lockfile);
  } catch {
    return false;
  }
}
