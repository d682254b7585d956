// PAGE-36: valid HTML.

import { HtmlValidate } from "html-validate";
import { expect, test, testAtOrigin } from "./fixtures.ts";
import { PAGES } from "./site/specification.ts";

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
          // Rules of style: React and Parcel write other forms of the same markup.
          "attr-case": "off",
          "attribute-boolean-style": "off",
          "attribute-empty-style": "off",
          "no-trailing-whitespace": "off",
          "void-style": "off",
        },
      });
      const page = await request.get(path, { headers: { Accept: "text/html" } });
      const report = await checker.validateString(await page.text());
      const messages = report.results.flatMap((result) =>
        result.messages.map(
          ({ ruleId, message, selector }) => `${ruleId}: ${message} (${selector})`,
        ),
      );
      expect(messages).toEqual([]);
    });
  }
}
