// PAGE-36: valid HTML.

import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import type { APIRequestContext } from "@playwright/test";
import { HtmlValidate } from "html-validate";
import { expect, test, testAtOrigin } from "./fixtures.ts";
import { PAGES } from "./site/specification.ts";

const run = promisify(execFile);
const nuChecker = fileURLToPath(import.meta.resolve("vnu-jar/build/dist/vnu.jar"));

interface NuMessage {
  readonly type: string;
  readonly subType?: string;
  readonly url: string;
  readonly lastLine: number;
  readonly message: string;
  readonly extract: string;
}

async function source(request: APIRequestContext, path: string): Promise<string> {
  return (await request.get(path, { headers: { Accept: "text/html" } })).text();
}

/** What the Nu HTML checker says of the pages, read in one run: its start is what takes time. */
async function nuMessages(request: APIRequestContext): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "recipelog-markup-"));
  try {
    const files = await Promise.all(
      PAGES.map(async (path, index) => {
        const file = join(folder, `${index}.html`);
        await writeFile(file, await source(request, path));
        return file;
      }),
    );
    const said = await run("java", [
      "-jar",
      nuChecker,
      "--format",
      "json",
      "--exit-zero-always",
      "--stdout",
      ...files,
    ]);
    const { messages } = JSON.parse(said.stdout) as { messages: NuMessage[] };
    // "info" without a sub-type is advice on taste, such as how React ends void elements.
    const serious = messages.filter((one) => one.type !== "info" || one.subType !== undefined);
    return serious.map((one) => {
      const page = PAGES[Number(one.url.match(/(\d+)\.html$/)?.[1])] ?? one.url;
      return `${page}: ${one.type} ${one.subType ?? ""}: ${one.message} (${one.extract.trim()})`;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

for (const [what, testOf] of [
  ["with the built-in settings", test],
  ["at a public address", testAtOrigin],
] as const) {
  testOf(`the Nu checker has nothing to say about any page ${what}`, async ({ request }) => {
    expect(await nuMessages(request)).toEqual([]);
  });

  for (const path of PAGES) {
    testOf(`html-validate has nothing to say about ${path} ${what}`, async ({ request }) => {
      const checker = new HtmlValidate({
        root: true,
        extends: ["html-validate:recommended", "html-validate:document"],
        rules: {
          // The one script comes from the server that the page itself comes from.
          "require-sri": ["error", { target: "crossorigin" }],
        },
      });
      const report = await checker.validateString(await source(request, path));
      const messages = report.results.flatMap((result) =>
        result.messages.map(
          ({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`,
        ),
      );
      expect(messages).toEqual([]);
    });
  }
}
