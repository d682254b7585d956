// Prints a bill of materials of the executable in CycloneDX format: the crates that are linked
// with it, and the procedural macros that wrote parts of it. `deploy/sbom` calls it in the folder
// of Cargo.toml.
//   node deploy/crates-sbom.mjs TARGET

import { execFileSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [target] = process.argv.slice(2);
const options = ["metadata", "--locked", "--format-version", "1", "--filter-platform", target];
const metadata = JSON.parse(execFileSync("cargo", options, { encoding: "utf8", maxBuffer: 2 ** 28 }));
const packages = new Map(metadata.packages.map((crate) => [crate.id, crate]));
const dependencies = new Map(
  metadata.resolve.nodes.map(({ id, deps }) => [
    id,
    deps.filter(({ dep_kinds }) => dep_kinds.some(({ kind }) => kind === null)).map(({ pkg }) => pkg),
  ]),
);
const lockfile = readFileSync("Cargo.lock", "utf8");

// The loop also visits the crates that it adds.
const linked = new Set([metadata.resolve.root]);
for (const id of linked) for (const dependency of dependencies.get(id)) linked.add(dependency);
const [root, ...crates] = [...linked].map((id) => packages.get(id));
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
    dependsOn: dependencies
      .get(crate.id)
      .map((id) => reference(packages.get(id)))
      .sort(),
  })),
};
console.log(JSON.stringify(bom, null, 2));

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
