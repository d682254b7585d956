// Prints the licences of everybody else's work that is in the executable: the
// crates it is compiled from, on any platform, and what its script carries.
//   node deploy/licenses.mjs > deploy/third-party-licenses.txt

import { execFileSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Besides `dependencies`: the loader that Parcel writes around the modules. */
const writtenByParcel = ["@parcel/packager-js", "@parcel/runtime-js", "@swc/helpers"];
/** A dependency that builds the site and is not in it. */
const builders = ["parcel"];

/** Where a choice is offered, the shortest that asks for no more than its own text. */
const preferred = ["MIT", "Unlicense", "BSD-3-Clause", "Apache-2.0"];

const byText = new Map();
for (const work of [...crates(), ...npmPackages(), ...others()]) {
  const text = work.text.replace(/\r\n/g, "\n").replace(/^\n+|\s+$/g, "");
  byText.set(text, [...(byText.get(text) ?? []), `${work.name} ${work.version}`.trim()]);
}

const rule = "=".repeat(80);
console.log("This executable contains the work of others, under these licences.");
const sections = [...byText].map(([text, names]) => [names.sort().join("\n"), text]);
for (const [names, text] of sections.sort(([a], [b]) => (a < b ? -1 : 1))) {
  console.log(`\n${rule}\n${names}\n${rule}\n\n${text}`);
}

function crates() {
  const cargo = (...options) => execFileSync("cargo", options, { cwd: root, encoding: "utf8", maxBuffer: 2 ** 28 });
  const tree = cargo(
    ...["tree", "--locked", "--edges", "normal,no-proc-macro", "--target", "all"],
    ...["--prefix", "none", "--format", "{p}"],
  );
  const linked = new Set(tree.split("\n").map((line) => line.split(" ").slice(0, 2).join(" ")));
  const { packages } = JSON.parse(cargo("metadata", "--locked", "--format-version", "1"));
  return packages
    .filter(({ name, version, source }) => source && linked.has(`${name} v${version}`))
    .flatMap(({ name, version, license, authors, manifest_path }) =>
      work(name, version, license, dirname(manifest_path), authors),
    );
}

function npmPackages() {
  const { packages } = JSON.parse(readFileSync(join(root, "ui/package-lock.json"), "utf8"));
  const wanted = Object.keys(packages[""].dependencies).filter((name) => !builders.includes(name));
  const bundled = new Set();
  for (const name of wanted) {
    if (bundled.has(name)) continue;
    bundled.add(name);
    // Going through the list while it grows visits what dependencies depend on.
    wanted.push(...Object.keys(packages[`node_modules/${name}`].dependencies ?? {}));
  }
  return [...bundled, ...writtenByParcel].flatMap((name) => {
    const { version, license } = packages[`node_modules/${name}`];
    return work(name, version, license, join(root, "ui/node_modules", name), []);
  });
}

function others() {
  const text = (path) => readFileSync(join(root, path), "utf8");
  return [
    { name: "Young Serif, the face of the titles", version: "", text: text("ui/src/art/young-serif.OFL.txt") },
    { name: "Rust's standard library", version: "", text: text("deploy/licenses/rust.txt") },
    { name: "The GNU C Library, in the static Linux files", version: "", text: text("deploy/licenses/glibc.txt") },
  ];
}

/** One entry for each licence text that has to go along. */
function work(name, version, expression, folder, authors) {
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|copyright|notice|unlicense)/i.test(file));
  const chosen = choose(expression);
  const texts = chosen.flatMap((license) => {
    const [word] = license.split("-");
    const named = files.filter((file) => file.toUpperCase().includes(word.toUpperCase()));
    const plain = files.filter((file) => /^licen[cs]e(\.(md|txt))?$/i.test(file));
    return named.length > 0 ? named : plain;
  });
  // A notice always goes along; so does a copyright line of its own.
  const notices = files.filter((file) => /^(notice|copyright)/i.test(file));
  const found = [...new Set([...texts, ...notices])].map((file) => readFileSync(join(folder, file), "utf8"));
  if (texts.length === 0) found.push(...chosen.map((license) => standardText(license, name, authors)));
  return found.map((text) => ({ name, version, text }));
}

/** `(MIT OR Apache-2.0) AND X` as the list of what is chosen: one of each choice. */
function choose(expression) {
  return expression.split(" AND ").map((choice) => {
    const offered = choice.replace(/[()]/g, "").split(/ OR |\//);
    const license = preferred.find((candidate) => offered.includes(candidate)) ?? offered[0];
    return license.trim();
  });
}

/** For those who name a licence and do not send its text along. */
function standardText(license, name, authors) {
  try {
    const text = readFileSync(join(root, `deploy/licenses/${license}.txt`), "utf8");
    return text.replace("{authors}", authors.join(", ") || `the authors of ${name}`);
  } catch {
    throw new Error(`${name} is under ${license} and brings no text: add deploy/licenses/${license}.txt`);
  }
}
