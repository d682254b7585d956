// PAGE-19, PAGE-38: scripts that fail.

import type { BrowserContext, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { advanceClock, type ContactForm } from "./page/contact-form.ts";
import { open, waitForHydration } from "./page/hydration.ts";
import { waitUntilIdle } from "./page/idle.ts";
import { visibleText } from "./page/text.ts";
import {
  PAGES,
  SEND_DELAY_MS,
  SENDING,
  SUPPORT_EMAIL,
  UNKNOWN_PATH,
} from "./site/specification.ts";

/** Failures of a script: it is not loaded, it is truncated, or a function of the browser throws. */
const FAILURES: readonly { failure: string; cause: (at: BrowserContext) => Promise<unknown> }[] = [
  {
    failure: "cannot be loaded",
    cause: (at) => at.route("**/*.js", (route) => route.abort()),
  },
  {
    failure: "is truncated",
    cause: (at) =>
      at.route("**/*.js", (route) =>
        route.fulfill({ contentType: "text/javascript", body: "const page = { title: " }),
      ),
  },
  {
    failure: "cannot add event listeners",
    cause: (at) =>
      at.addInitScript(() => {
        Node.prototype.addEventListener = () => {
          throw new Error("intentional error");
        };
      }),
  },
  {
    failure: "throws during rendering",
    cause: (at) =>
      at.addInitScript(() => {
        const broken = () => {
          throw new Error("intentional error");
        };
        Date.prototype.getFullYear = broken;
      }),
  },
];

/** Replaces the button of the contact form if the script fails. */
const FORM_FAILED = `The form does not work at the moment. Please write to ${SUPPORT_EMAIL}.`;

/** Stands below the button while the script is late. */
const FORM_LATE = `The form is still loading. You can also write to ${SUPPORT_EMAIL}.`;

/** Records the script errors of a page's current document, without the messages about an unknown path. */
function recordScriptErrors(page: Page): readonly string[] {
  const errors: string[] = [];
  const record = (text: string) => {
    const isOfUnknownPath = text.includes(UNKNOWN_PATH) || text.includes("status of 404");
    if (!isOfUnknownPath) errors.push(text);
  };
  page.on("console", (message) => message.type() === "error" && record(message.text()));
  page.on("pageerror", (error) => record(error.message));
  // Emitted between the last error of the previous document and the first one of the next document.
  page.on("framenavigated", () => {
    errors.length = 0;
  });
  return errors;
}

/** The text of a page whose script fails: what {@link visibleText} is with the script. */
const expectedText = new Map<string, string>();

for (const { failure, cause } of FAILURES) {
  test(`if the script ${failure}, the text of every page stays and its links work`, async ({
    page,
    context,
    browserErrors,
  }) => {
    browserErrors.expect(/.*/);
    // Once for all tests of a worker.
    for (const path of PAGES.filter((path) => !expectedText.has(path))) {
      await open(page, path);
      expectedText.set(path, (await visibleText(page)).replace("Send Message", FORM_FAILED));
    }
    await cause(context);
    const errors = recordScriptErrors(page);
    for (const path of PAGES) {
      await page.goto(path, { waitUntil: "load" });
      await expect.poll(() => errors, `script errors on ${path}`).not.toEqual([]);
      // After this, a failed render would have emptied the page.
      await waitUntilIdle(page);
      if (path === "/contact") await expect(page.getByRole("alert")).toHaveText(FORM_FAILED);
      expect.soft(await visibleText(page), path).toBe(expectedText.get(path));
      const link = page.getByRole("link", { name: /^(Privacy|Return to Home)/ }).first();
      const target = (await link.getAttribute("href")) ?? "";
      await link.click();
      await expect(page).toHaveURL(target);
      await expect(page.getByRole("heading", { level: 1 })).toBeVisible();
      await page.waitForLoadState("load");
    }
    await page.goto("/privacy");
    await expect(page.getByRole("link", { name: SUPPORT_EMAIL }).last()).toBeVisible();
  });
}

test("if the page of a followed link cannot be rendered, it is loaded from the server", async ({
  page,
  browserErrors,
}) => {
  browserErrors.expect(/intentional error/);
  await open(page, "/");
  await page.evaluate(() => {
    const broken = () => {
      throw new Error("intentional error");
    };
    Date.prototype.getFullYear = broken;
  });
  await page.getByRole("banner").getByRole("link", { name: "Privacy" }).click();
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Privacy Policy");
  await expect(page.getByRole("heading", { name: "Data Retention" }).last()).toBeVisible();
  await expect(page).toHaveURL("/privacy");
});

/** Makes changes of a text by the script fail, once the page shows `shown`. */
async function breakTextChanges(page: Page, shown: string): Promise<void> {
  await page.evaluate((shown) => {
    const set = () => {
      throw new Error("intentional error");
    };
    const breakIfShown = () => {
      if (!document.body.innerText.includes(shown)) return;
      observer.disconnect();
      Object.defineProperty(Node.prototype, "nodeValue", { set });
      Object.defineProperty(Node.prototype, "textContent", { set });
    };
    const observer = new MutationObserver(breakIfShown);
    observer.observe(document.body, { characterData: true, childList: true, subtree: true });
    breakIfShown();
  }, shown);
}

for (const { when, path, sending } of [
  { when: "when it is sent", path: "/contact", sending: false },
  { when: "when it was sent", path: "/contact", sending: true },
  { when: "after a link, and is loaded", path: "/", sending: true },
]) {
  test(`a form keeps what was typed if the script fails ${when}`, async ({
    page,
    contact,
    browserErrors,
  }) => {
    browserErrors.expect(/intentional error/);
    await open(page, path);
    for (const link of ["Privacy Policy", "Contact"]) {
      await page.getByRole("contentinfo").getByRole("link", { name: link }).click();
    }
    await contact.fill();
    await breakTextChanges(page, sending ? SENDING : "");
    await contact.submit.click();
    if (path === "/contact") {
      await expect(page.getByRole("alert")).toHaveText(FORM_FAILED);
      await expect(contact.submit).toHaveCount(0);
    } else {
      await page.waitForEvent("load");
      await waitForHydration(page);
    }
    await contact.expectFilled();
    expect(await page.evaluate(() => history.state?.drafts)).toBeUndefined();
  });
}

test.describe("with a paused clock", () => {
  test.use({ pausedClock: true });

  for (const when of ["before that", "not"]) {
    test(`a form whose app is late says so after 10 s, and works once it arrives, submitted ${when}`, async ({
      page,
      contact,
    }) => {
      const loadScripts = await contact.openWithoutApp();
      await contact.fill();
      if (when !== "not") await contact.submit.click();
      await advanceClock(page, 9_999);
      const notice = contact.form.getByRole("status");
      await expect(notice).toHaveCount(0);
      await advanceClock(page, 1);
      await expect(notice).toHaveText(FORM_LATE);
      await expect(notice.getByRole("link")).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
      await expect(contact.submit).toBeVisible();
      await expect(page.getByRole("alert")).toHaveCount(0);
      loadScripts();
      if (when === "not") {
        await waitForHydration(page);
        await expect(notice).toHaveCount(0);
        await contact.submit.click();
      }
      await expect(contact.submit).toHaveText(SENDING);
      await expect(notice).toHaveCount(0);
      await advanceClock(page, SEND_DELAY_MS);
      await expect(contact.toast).toBeVisible();
    });
  }
});

test("the form shows the support address even if a proxy has hidden it in the texts", async ({
  page,
  contact,
  browserErrors,
}) => {
  browserErrors.expect(/./);
  const failScripts = await contact.openWithoutApp({ end: (route) => route.abort() });
  // As Cloudflare does.
  await page.evaluate(() => {
    for (const link of document.querySelectorAll<HTMLAnchorElement>("main a[href^=mailto]")) {
      link.href = "/cdn-cgi/l/email-protection#00";
      link.textContent = "[email protected]";
    }
  });
  failScripts();
  await expect(page.getByRole("alert")).toHaveText(FORM_FAILED);
});

for (const { from, to, control, focused } of [
  {
    from: "on the button",
    to: "moves to the support address",
    control: ({ submit }: ContactForm) => submit,
    focused: ({ form }: ContactForm) => form.getByRole("link"),
  },
  {
    from: "in a field",
    to: "stays there",
    control: ({ email }: ContactForm) => email,
    focused: ({ email }: ContactForm) => email,
  },
]) {
  test(`after Enter ${from}, the form keeps its values and the focus ${to} if the script fails`, async ({
    page,
    contact,
    browserErrors,
  }) => {
    browserErrors.expect(/./);
    const failScripts = await contact.openWithoutApp({ end: (route) => route.abort() });
    await contact.fill();
    await control(contact).press("Enter");
    failScripts();
    await expect(page.getByRole("alert")).toHaveText(FORM_FAILED);
    await expect(focused(contact)).toBeFocused();
    const link = page.getByRole("alert").getByRole("link");
    await expect(link).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
    await expect(contact.submit).toHaveCount(0);
    await contact.expectFilled();
    expect(browserErrors.all.filter((text) => text.includes("policy violation"))).toEqual([]);
  });
}
