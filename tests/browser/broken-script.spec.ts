// PAGE-8, PAGE-19, PAGE-38: scripts that fail or are late.

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

for (const { when, path } of [
  { when: "when it was sent", path: "/contact" },
  { when: "after a link, and is loaded", path: "/" },
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
    await contact.send();
    await page.evaluate(() => {
      const set = () => {
        throw new Error("intentional error");
      };
      Object.defineProperty(Node.prototype, "nodeValue", { set });
      Object.defineProperty(Node.prototype, "textContent", { set });
    });
    await page.clock.resume();
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

test("a form says after 10 s that it is late, and an early submit is sent after that", async ({
  page,
  contact,
}) => {
  const loadScripts = await contact.openWithoutApp();
  await contact.fill();
  await contact.submit.click();
  await advanceClock(page, 9_999);
  const notice = contact.form.getByRole("status");
  await expect(notice).toHaveCount(0);
  await advanceClock(page, 1);
  await expectTexts(page, "contact-late");
  await expect(page.getByRole("alert")).toHaveCount(0);
  loadScripts();
  await contact.expectSending();
  await expect(notice).toHaveCount(0);
  await advanceClock(page, SEND_DELAY_MS);
  await expect(contact.toast).toBeVisible();
});

for (const how of ["is not loaded", "fails while it starts"]) {
  test(`a form whose app ${how} after a submit has an alert with the address`, async ({
    page,
    contact,
    browserErrors,
  }) => {
    browserErrors.expect(/intentional error|ERR_FAILED|dynamically imported|form is not connected/);
    const loadScripts = await contact.openWithoutApp({
      end: (route) => (how === "is not loaded" ? route.abort() : route.continue()),
    });
    await page.evaluate(() => {
      // React listens for events at the root when it starts.
      const addEventListener = () => {
        throw new Error("intentional error");
      };
      Object.assign(document.querySelector("#root") as Element, { addEventListener });
    });
    await contact.fill();
    await contact.submit.press("Enter");
    loadScripts();
    const alert = page.getByRole("alert");
    await expect(alert).toContainText(SUPPORT_EMAIL);
    // A timer for a late app changes nothing.
    await advanceClock(page, 60_000);
    const link = alert.getByRole("link", { name: SUPPORT_EMAIL });
    await expect(link).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
    if (how === "is not loaded") await expect(link).toBeFocused();
    await expect(contact.submit).toHaveCount(0);
    await contact.expectValues();
  });
}
