// PAGE-19: scripts that fail.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { UNKNOWN_PATH_COMPLAINT } from "./page/complaints.ts";
import { open } from "./page/hydration.ts";
import { idle } from "./page/idle.ts";
import { visibleText } from "./page/text.ts";
import { PAGES, SUPPORT_EMAIL } from "./site/specification.ts";

/** Ways in which a script fails in the field: it never comes, it is broken, its ground is. */
const FAILURES: readonly { what: string; cause: (at: BrowserContext) => Promise<unknown> }[] = [
  {
    what: "does not arrive",
    cause: (at) => at.route("**/*.js", (route) => route.abort()),
  },
  {
    what: "is cut off in the middle",
    cause: (at) =>
      at.route("**/*.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: "const page = { title: " }),
      ),
  },
  {
    what: "finds no way to listen to events",
    cause: (at) =>
      at.addInitScript(() => {
        Node.prototype.addEventListener = () => {
          throw new Error("broken on purpose");
        };
      }),
  },
  {
    what: "throws while it renders",
    cause: (at) =>
      at.addInitScript(() => {
        const broken = () => {
          throw new Error("broken on purpose");
        };
        Date.prototype.getFullYear = broken;
      }),
  },
];

/** Collects the errors of this page's script; those about an unknown address are left out. */
function watchFailures(page: Page): readonly string[] {
  const failures: string[] = [];
  const note = (text: string) => {
    if (!UNKNOWN_PATH_COMPLAINT.test(text)) failures.push(text);
  };
  page.on("console", (message) => message.type() === "error" && note(message.text()));
  page.on("pageerror", (error) => note(error.message));
  return failures;
}

for (const { what, cause } of FAILURES) {
  test(`when the script ${what}, the text of every page stays, and its links work`, async ({
    page,
    context,
    complaints,
  }) => {
    complaints.expect(/.*/);
    const whole = new Map<string, string>();
    for (const path of PAGES) {
      await open(page, path);
      whole.set(path, await visibleText(page));
    }
    await cause(context);
    for (const path of PAGES) {
      // A new page each time: a late error of the previous document must not count here.
      const broken = await context.newPage();
      const failures = watchFailures(broken);
      await broken.goto(path, { waitUntil: "load" });
      await expect.poll(() => failures, `failures on ${path}`).not.toEqual([]);
      // Long enough for a render that fails to have emptied the page.
      await idle(broken);
      expect.soft(await visibleText(broken), path).toBe(whole.get(path));
      const link = broken.getByRole("link", { name: /^(Privacy|Return to Home)/ }).first();
      const target = (await link.getAttribute("href")) ?? "";
      await link.click();
      await expect(broken).toHaveURL(target);
      await expect(broken.getByRole("heading", { level: 1 })).toBeVisible();
      // A route handler cannot answer a request of a closed page.
      await broken.waitForLoadState("load");
      await broken.close();
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
