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

/** Messages of the Nu HTML checker. One run checks all pages, because Java starts slowly. */
async function nuMessages(request: APIRequestContext, pages: string[]): Promise<string[]> {
  const folder = await mkdtemp(join(tmpdir(), "recipelog-markup-"));
  try {
    const files = await Promise.all(
      pages.map(async (path, index) => {
        const file = join(folder, `${index}.html`);
        await writeFile(file, await source(request, path));
        return file;
      }),
    );
    const result = await run("java", [
      // Without C2, the optimising compiler of the JVM, which takes more time than it saves. The
      // checker recurses deeply, and code that C2 has not compiled has larger stack frames, for
      // which the default stack of 1 MB is too small.
      "-XX:TieredStopAtLevel=1",
      "-Xss16m",
      "-jar",
      nuChecker,
      "--format",
      "json",
      "--exit-zero-always",
      "--stdout",
      ...files,
    ]);
    const { messages } = JSON.parse(result.stdout) as { messages: NuMessage[] };
    // "info" without a subtype is advice on style, such as the slash of void elements.
    const serious = messages.filter(
      (message) => message.type !== "info" || message.subType !== undefined,
    );
    return serious.map((message) => {
      const page = pages[Number(message.url.match(/(\d+)\.html$/)?.[1])] ?? message.url;
      return `${page}: ${message.type} ${message.subType ?? ""}: ${message.message} (${message.extract.trim()})`;
    });
  } finally {
    await rm(folder, { recursive: true });
  }
}

test("the Nu HTML checker reports nothing for any page with the default settings or with an origin", async ({
  request,
  site,
  siteAtOrigin,
}) => {
  const pages = [site, siteAtOrigin].flatMap(({ url }) => PAGES.map((path) => url + path));
  expect(await nuMessages(request, pages)).toEqual([]);
});

for (const [settings, testOf] of [
  ["with the default settings", test],
  ["with an origin", testAtOrigin],
] as const) {
  for (const path of PAGES) {
    testOf(`html-validate reports nothing for ${path} ${settings}`, async ({ request }) => {
      const checker = new HtmlValidate({
        root: true,
        extends: ["html-validate:recommended", "html-validate:document"],
        rules: {
          // All scripts have the same origin as the page.
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
