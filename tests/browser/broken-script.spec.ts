// PAGE-19: scripts that fail.

import type { Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import type { Complaints } from "./page/complaints.ts";
import { open } from "./page/hydration.ts";
import { visibleText } from "./page/text.ts";
import { PAGES, SUPPORT_EMAIL } from "./site/specification.ts";

/** Ways in which a script fails in the field: it never comes, it is broken, its ground is. */
const FAILURES: readonly { what: string; cause: (page: Page) => Promise<unknown> }[] = [
  {
    what: "does not arrive",
    cause: (page) => page.route("**/*.js", (route) => route.abort()),
  },
  {
    what: "is cut off in the middle",
    cause: (page) =>
      page.route("**/*.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: "const page = { title: " }),
      ),
  },
  {
    what: "finds no way to listen to events",
    cause: (page) =>
      page.addInitScript(() => {
        Node.prototype.addEventListener = () => {
          throw new Error("broken on purpose");
        };
      }),
  },
  {
    what: "throws while it renders",
    cause: (page) =>
      page.addInitScript(() => {
        const broken = () => {
          throw new Error("broken on purpose");
        };
        Date.prototype.getFullYear = broken;
      }),
  },
];

/** How often the browser complained of the script, not of the address. */
function failures({ all }: Complaints): number {
  return all.filter((text) => !/status of 404|no\/such\/page/.test(text)).length;
}

for (const { what, cause } of FAILURES) {
  test(`when the script ${what}, the text of every page stays, and its links work`, async ({
    page,
    complaints,
  }) => {
    complaints.expect(/.*/);
    const whole = new Map<string, string>();
    for (const path of PAGES) {
      await open(page, path);
      whole.set(path, await visibleText(page));
    }
    await cause(page);
    for (const path of PAGES) {
      const before = failures(complaints);
      await page.goto(path, { waitUntil: "load" });
      await expect.poll(() => failures(complaints), `failures on ${path}`).toBeGreaterThan(before);
      // Long enough for a render that fails to have emptied the page.
      await page.evaluate(() => new Promise((done) => requestIdleCallback(done)));
      expect.soft(await visibleText(page), path).toBe(whole.get(path));
      const link = page.getByRole("link", { name: /^(Privacy|Return to Home)/ }).first();
      const target = (await link.getAttribute("href")) ?? "";
      await link.click();
      await expect(page).toHaveURL(target);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
    }
    await page.goto("/privacy");
    await expect(page.getByRole("link", { name: SUPPORT_EMAIL }).last()).toBeVisible();
  });
}

test("a page that cannot be shown without a reload is loaded instead", async ({
  page,
  complaints,
}) => {
  complaints.expect(/broken on purpose/);
  await open(page, "/");
  await page.evaluate(() => {
    const broken = () => {
      throw new Error("broken on purpose");
    };
    Date.prototype.getFullYear = broken;
  });
  await page.getByRole("banner").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  await expect(page.getByRole("heading", { name: "Data Retention" }).last()).toBeVisible();
  await expect(page).toHaveURL("/privacy");
});
