// PAGE-8, PAGE-19, PAGE-38: scripts that fail or are late.

import type { Page, Route } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { advanceClock } from "./page/contact-form.ts";
import { expectTexts } from "./page/contents.ts";
import { open, waitForHydration } from "./page/loading.ts";
import { SEND_DELAY_MS, SUPPORT_EMAIL } from "./site/specification.ts";

test("a page that cannot be rendered is loaded", async ({ page, browserErrors }) => {
  browserErrors.expect(/intentional error/);
  await open(page, "/");
  await page.evaluate(() => {
    Date.prototype.getFullYear = () => {
      throw new Error("intentional error");
    };
  });
  await page.locator("header a[href='/privacy']").click();
  await expect(page).toHaveURL("/privacy");
  await expect(page.locator("#data-retention h2")).toBeVisible();
});

/** Makes changes of a text by the script fail. */
async function breakTextChanges(page: Page): Promise<void> {
  await page.evaluate(() => {
    const set = () => {
      throw new Error("intentional error");
    };
    Object.defineProperty(Node.prototype, "nodeValue", { set });
    Object.defineProperty(Node.prototype, "textContent", { set });
  });
}

for (const { when, path, sending } of [
  { when: "when it is sent", path: "/contact", sending: false },
  { when: "when it was sent", path: "/contact", sending: true },
  { when: "after a link, and is loaded", path: "/", sending: true },
]) {
  test(`the form keeps its values if the script fails ${when}`, async ({
    page,
    contact,
    browserErrors,
  }) => {
    browserErrors.expect(/intentional error/);
    await open(page, path);
    for (const link of ["/privacy", "/contact"])
      await page.locator(`footer a[href='${link}']`).click();
    await contact.fill();
    if (!sending) await breakTextChanges(page);
    await contact.submit.click();
    if (sending) {
      await contact.expectSending();
      await breakTextChanges(page);
      await page.clock.resume();
    }
    if (path === "/contact") {
      await expect(page.getByRole("alert")).toContainText(SUPPORT_EMAIL);
      await expect(contact.submit).toHaveCount(0);
    } else {
      await page.waitForEvent("load");
      await waitForHydration(page);
    }
    await contact.expectValues();
    expect(await page.evaluate(() => history.state?.drafts)).toBeUndefined();
  });
}

for (const when of ["before", "after"]) {
  test(`a form says after 10 s that it is late, and is sent if submitted ${when} that`, async ({
    page,
    contact,
  }) => {
    const loadScripts = await contact.openWithoutApp();
    await contact.fill();
    if (when === "before") await contact.submit.click();
    await advanceClock(page, 9_999);
    const notice = contact.form.getByRole("status");
    await expect(notice).toHaveCount(0);
    await advanceClock(page, 1);
    await expectTexts(page, "contact-late");
    await expect(page.getByRole("alert")).toHaveCount(0);
    loadScripts();
    if (when === "after") {
      await waitForHydration(page);
      await expect(notice).toHaveCount(0);
      await contact.submit.click();
    }
    await contact.expectSending();
    await expect(notice).toHaveCount(0);
    await advanceClock(page, SEND_DELAY_MS);
    await expect(contact.toast).toBeVisible();
  });
}

for (const { how, end, from } of [
  { how: "is not loaded", end: (route: Route) => route.abort(), from: "submit" },
  { how: "is not loaded", end: (route: Route) => route.abort(), from: "email" },
  { how: "fails while it starts", end: (route: Route) => route.continue(), from: "submit" },
] as const) {
  test(`a form whose app ${how} after Enter in ${from} has an alert with the address`, async ({
    page,
    contact,
    browserErrors,
  }) => {
    browserErrors.expect(/./);
    const loadScripts = await contact.openWithoutApp({ end });
    await page.evaluate(() => {
      // React listens for events at the root when it starts.
      const addEventListener = () => {
        throw new Error("intentional error");
      };
      Object.assign(document.querySelector("#root") as Element, { addEventListener });
      // As Cloudflare does.
      for (const link of document.querySelectorAll<HTMLAnchorElement>("a[href^=mailto]")) {
        link.href = "/cdn-cgi/l/email-protection#00";
        link.textContent = "[email protected]";
      }
    });
    await contact.fill();
    await contact[from].press("Enter");
    loadScripts();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText(SUPPORT_EMAIL);
    // A timer for a late app changes nothing.
    await advanceClock(page, 60_000);
    await expect(alert).toContainText(SUPPORT_EMAIL);
    const link = alert.getByRole("link");
    await expect(link).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
    if (how === "is not loaded")
      await expect(from === "submit" ? link : contact.email).toBeFocused();
    await expect(contact.submit).toHaveCount(0);
    await contact.expectValues();
    expect(browserErrors.all.filter((text) => text.includes("policy violation"))).toEqual([]);
  });
}
