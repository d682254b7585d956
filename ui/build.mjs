// Builds the site into a folder: Parcel bundles the script, the styles and the
// pictures, then each route is prerendered. Usage: node build.mjs [OUT] [--cache DIR]

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { parseArgs } from "node:util";

const ui = dirname(fileURLToPath(import.meta.url));

/** Served under the names that browsers and readers look for, so these carry no hash. */
const fixedNames = join(ui, "public");

const { positionals, values } = parseArgs({ allowPositionals: true, options: { cache: { type: "string" } } });
const out = resolve(positionals[0] ?? join(ui, "dist"));
const cache = resolve(values.cache ?? join(ui, "node_modules/.cache/build"));
const staged = join(cache, "staged");

/**
 * Parcel names bundles after the path from here to where it writes them: always the same one, or two
 * folders would give two scripts. Builds at the same time take turns.
 */
const parcelOut = join(ui, "node_modules/.cache/parcel-out");
const turn = `${parcelOut}.lock`;
const TURN_MAX_MS = 120_000;

/** The day is all of the date that the site shows, and all that it gets to see: two builds of a day are the same. */
const builtOn = new Date(process.env.SOURCE_DATE_EPOCH ? Number(process.env.SOURCE_DATE_EPOCH) * 1000 : Date.now())
  .toISOString()
  .slice(0, 10);

bundle();
const shell = rootStyleUrls(nameScript(readFileSync(join(staged, "site/index.html"), "utf8")));
const documents = await prerender(shell);

rmSync(out, { recursive: true, force: true });
for (const [name, text] of documents) write(name, text);
for (const name of readdirSync(join(staged, "site"))) {
  if (name !== "index.html") cpSync(join(staged, "site", name), join(out, name));
}
cpSync(fixedNames, out, { recursive: true });

function bundle() {
  takeTurn();
  try {
    rmSync(staged, { recursive: true, force: true });
    rmSync(parcelOut, { recursive: true, force: true });
    runParcel();
    cpSync(parcelOut, staged, { recursive: true });
  } finally {
    rmSync(turn, { recursive: true, force: true });
  }
}

/** Waits until no other build has the turn; one that is older than any build takes was left by one that died. */
function takeTurn() {
  mkdirSync(dirname(turn), { recursive: true });
  for (;;) {
    try {
      return mkdirSync(turn);
    } catch (error) {
      if (error.code !== "EEXIST") throw error;
    }
    const taken = statSync(turn, { throwIfNoEntry: false });
    if (taken && Date.now() - taken.mtimeMs > TURN_MAX_MS) rmSync(turn, { recursive: true, force: true });
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  }
}

function runParcel() {
  const parcel = createRequire(import.meta.url).resolve("parcel/lib/bin.js");
  // From its cache Parcel would not write again what was removed above, so nothing is read from there.
  const options = ["--no-source-maps", "--no-autoinstall", "--no-cache", "--cache-dir", cache, "--dist-dir", parcelOut];
  const { status, error } = spawnSync(process.execPath, [parcel, "build", ...options], {
    cwd: ui,
    stdio: ["ignore", "inherit", "inherit"],
    env: { ...process.env, NODE_ENV: "production" },
  });
  if (error) throw error;
  if (status !== 0) {
    // Parcel has said why.
    rmSync(turn, { recursive: true, force: true });
    process.exit(status ?? 1);
  }
}

/** Parcel calls the document's script after the folder that this package lies in, which is not the same everywhere. */
function nameScript(html) {
  const [, name, hash] = /src="\/(.+\.([\da-f]{8})\.js)"/.exec(html) ?? [];
  if (!name) throw new Error("Parcel's index.html has no script with a hashed name");
  renameSync(join(staged, "site", name), join(staged, `site/start.${hash}.js`));
  return html.replace(name, `start.${hash}.js`);
}

/** Parcel writes the addresses in an inline style relative to the document, which may be served for any unknown path. */
function rootStyleUrls(html) {
  return html.replace(/<style>.*?<\/style>/s, (style) => style.replace(/url\((?=[\w-])/g, "url(/"));
}

async function prerender(shell) {
  // The bundle is an ES module, which Node knows by its name.
  const module = join(staged, "prerender/prerender.mjs");
  renameSync(join(staged, "prerender/prerender.js"), module);
  const { prerenderSite } = await import(pathToFileURL(module));
  return prerenderSite(shell, builtOn);
}

function write(name, text) {
  mkdirSync(dirname(join(out, name)), { recursive: true });
  writeFileSync(join(out, name), text);
}
