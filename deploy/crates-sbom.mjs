// Prints a bill of materials of the executable in CycloneDX format: the crates that are linked
// with it, and the procedural macros that wrote parts of it. `deploy/sbom` calls it in the folder
// of Cargo.toml.
//   node deploy/crates-sbom.mjs TARGET

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [target] = process.argv.slice(2);
const cargo = (...options) => execFileSync("cargo", options, { encoding: "utf8", maxBuffer: 2 ** 28 });
const metadata = JSON.parse(cargo("metadata", "--locked", "--format-version", "1", "--filter-platform", target));
const packages = new Map(metadata.packages.map((crate) => [reference(crate), crate]));
const lockfile = readFileSync("Cargo.lock", "utf8");

const dependencies = dependenciesOfTree();
const [root, ...crates] = [...dependencies.keys()].map((crate) => packages.get(crate));
crates.sort((a, b) => (reference(a) < reference(b) ? -1 : 1));

const bom = {
  bomFormat: "CycloneDX",
  specVersion: "1.5",
  version: 1,
  metadata: {
    component: { ...component(root), type: "application" },
    properties: [{ name: "cdx:rustc:sbom:target:triple", value: target }],
  },
  components: crates.map((crate) => ({ ...component(crate), hashes: hashes(crate) })),
  dependencies: [root, ...crates].map((crate) => ({
    ref: reference(crate),
    dependsOn: [...dependencies.get(reference(crate))].sort(),
  })),
};
console.log(JSON.stringify(bom, null, 2));

/**
 * The references of the crates, each with those that it depends on; the first one is the executable. `cargo metadata`
 * cannot tell: it also reports optional dependencies that only tests or other members of the workspace enable.
 */
function dependenciesOfTree() {
  const tree = cargo(
    ...["tree", "--locked", "--edges", "normal", "--target", target],
    ...["--prefix", "depth", "--format", " {p}"],
  );
  const dependencies = new Map();
  // The crate of the current line and those above it, by depth.
  const path = [];
  for (const line of tree.trimEnd().split("\n")) {
    const [depth, name, version] = line.split(" ");
    const crate = reference({ name, version: version.slice(1) });
    path[depth] = crate;
    if (!dependencies.has(crate)) dependencies.set(crate, new Set());
    dependencies.get(path[depth - 1])?.add(crate);
  }
  return dependencies;
}

function component(crate) {
  const references = {
    documentation: crate.documentation,
    website: crate.homepage,
    other: crate.links,
    vcs: crate.repository,
  };
  return {
    type: "library",
    "bom-ref": reference(crate),
    author: crate.authors.join(", ") || undefined,
    name: crate.name,
    version: crate.version,
    description: crate.description?.trim().replaceAll("\n", " "),
    scope: "required",
    licenses: [{ expression: crate.license.replaceAll("/", " OR ") }],
    purl: reference(crate),
    externalReferences: Object.entries(references).flatMap(([type, url]) => (url ? [{ type, url }] : [])),
  };
}

function reference({ name, version }) {
  return `pkg:cargo/${name}@${version}`;
}

/** The SHA-256 of the file in the registry. */
function hashes({ name, version }) {
  const entry = lockfile.split("\n\n").find((text) => text.includes(`\nname = "${name}"\nversion = "${version}"\n`));
  return [{ alg: "SHA-256", content: /^checksum = "(.*)"$/m.exec(entry)[1] }];
}
