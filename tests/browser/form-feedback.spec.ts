// PAGE-8, PAGE-9, PAGE-10, PAGE-12, PAGE-32: messages of the contact form.

import { emailProblem } from "../../ui/src/app/components/email-address.ts";
import { expect, test } from "./fixtures.ts";
import { advanceClock, type ContactForm } from "./page/contact-form.ts";
import { boxesOf } from "./page/layout.ts";
import { waitForAnimations, waitUntilIdle } from "./page/loading.ts";

test.beforeEach(({ contact }) => contact.open());

/** Expects that exactly these fields are marked as invalid, each with an icon and a description. */
async function expectMarked(contact: ContactForm, ids: string[]): Promise<void> {
  await waitUntilIdle(contact.page);
  for (const field of contact.fields) {
    const id = (await field.getAttribute("id")) ?? "";
    const isMarked = ids.includes(id);
    await expect(field, id).toHaveAccessibleDescription(isMarked ? /./ : "");
    await expect(contact.form.locator(`#${id}-problem svg`)).toBeVisible({ visible: isMarked });
    await expect(contact.form.locator(`#${id}[aria-invalid=true]`)).toHaveCount(isMarked ? 1 : 0);
  }
}

test("tabbing through an unchanged form marks nothing", async ({ page, contact }) => {
  const tabThrough = async () => {
    await expectMarked(contact, []);
    await contact.name.focus();
    for (const _ of contact.fields) await page.keyboard.press("Tab");
    await expect(contact.submit).toBeFocused();
    await expectMarked(contact, []);
  };
  await tabThrough();
  await contact.submit.click();
  await expectMarked(contact, ["name", "email", "message"]);
  await contact.sendAndFinish();
  await tabThrough();
});

test("a failed submit marks the empty fields, and focuses the first one with its message", async ({
  page,
  contact,
}) => {
  const recorded = await page.evaluateHandle(() => {
    const recorded = { invalid: [] as Event[], described: "" };
    addEventListener("invalid", (event) => recorded.invalid.push(event), { capture: true });
    addEventListener("focusin", ({ target }) => {
      const id = (target as Element).getAttribute("aria-describedby") ?? "";
      recorded.described = document.getElementById(id)?.innerText ?? "";
    });
    return recorded;
  });
  await contact.email.fill("ada@example.com");
  await contact.submit.click();
  await expectMarked(contact, ["name", "message"]);
  await expect(contact.name).toBeFocused();
  const { prevented, described } = await recorded.evaluate(({ invalid, described }) => ({
    prevented: invalid.map(({ defaultPrevented }) => defaultPrevented),
    described,
  }));
  // The browser shows no message of its own, and screen readers announce this one with the field.
  expect(prevented).toEqual([true, true]);
  expect(described).toBe(await contact.form.locator("#name-problem").innerText());
});

test("an address is tidied once its field is left or submitted", async ({ contact }) => {
  await contact.fill();
  const value = "Ada Lovelace <ada@example.com>";
  await contact.email.clear();
  await contact.email.pressSequentially(value);
  await contact.email.click();
  await expect(contact.email).toHaveValue(value);
  await contact.email.press("Tab");
  await expect(contact.email).toHaveValue("ada@example.com");
  await expectMarked(contact, []);
  await contact.email.fill("ada\uff20example.com.");
  await contact.submit.click();
  await contact.expectSending();
  await expect(contact.email).toHaveValue("ada@example.com");
});

test("a domain with an umlaut gets its name in ASCII", async ({ contact }) => {
  // Chromium does it itself, except in a field of this type.
  await contact.email.evaluate((field: HTMLInputElement) => {
    field.type = "text";
  });
  await contact.email.fill("ada@bücher.example");
  await contact.email.press("Tab");
  await expect(contact.email).toHaveValue("ada@xn--bcher-kva.example");
});

test("Enter goes to the next empty field, or sends", async ({ page, contact }) => {
  await contact.name.fill("Ada");
  await contact.name.press("Enter");
  await expect(contact.email).toBeFocused();
  await page.keyboard.insertText("ada@example.com");
  await page.keyboard.press("Enter");
  await expect(contact.message).toBeFocused();
  await expectMarked(contact, []);
  await page.keyboard.insertText("Which clips work best?");
  await contact.email.press("Enter");
  await contact.expectSending();
});

test("a value that a program sets is no error any more", async ({ contact }) => {
  await contact.fill();
  for (const event of ["input", "change", "keyup"]) {
    await contact.email.fill("");
    await contact.submit.click();
    await expectMarked(contact, ["email"]);
    await contact.email.evaluate((field: HTMLInputElement, type) => {
      field.value = "ada@example.com";
      field.dispatchEvent(new Event(type, { bubbles: true }));
    }, event);
    await expectMarked(contact, []);
  }
});

test("what an extension puts around a field leaves it in its place", async ({ page, contact }) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  const required = contact.form.locator("label + * > :last-child").filter({ hasText: /./ });
  await expect(required.locator("visible=true")).toHaveCount(3);
  const parts = page.locator("label, form :is(input, textarea)");
  const before = await boxesOf(parts);
  for (const field of contact.fields) {
    await field.evaluate((control) => {
      const box = document.createElement("span");
      box.style.cssText = "display: inline-block; position: relative";
      control.replaceWith(box);
      box.append(control);
      box.after(document.createElement("foreign-aid"));
    });
  }
  expect(await boxesOf(parts)).toEqual(before);
  await contact.message.fill("שלום");
  await expect(contact.message).toHaveCSS("direction", "rtl");
});

test("an address is marked when its field is left, until it is valid", async ({ contact }) => {
  await contact.email.pressSequentially("ada");
  await expectMarked(contact, []);
  await contact.email.press("Tab");
  await expectMarked(contact, ["email"]);
  await expect(contact.email).toHaveAccessibleDescription(emailProblem("ada"));
  await contact.email.press("End");
  await contact.email.pressSequentially("@");
  await expect(contact.email).toHaveAccessibleDescription(emailProblem("ada@"));
  await contact.email.press("Backspace");
  await expect(contact.email).toHaveAccessibleDescription(emailProblem("ada"));
  await contact.email.pressSequentially("@e");
  await expectMarked(contact, []);
});

test("after sending, the button has a check until the next input", async ({ page, contact }) => {
  const background = () =>
    contact.submit.evaluate((button) => getComputedStyle(button).backgroundColor);
  const usual = await background();
  const check = contact.submit.locator("svg");
  const text = contact.submit.locator("span");
  await contact.sendAndFinish();
  await waitForAnimations(page);
  await expect(check).toHaveCSS("animation-duration", "0.4s");
  await page.mouse.move(0, 0);
  await advanceClock(page, 20_000);
  await expect(contact.toast).toBeHidden();
  await expect(check).toBeVisible();
  expect(await background()).not.toBe(usual);
  await expect(text).toHaveCSS("opacity", "0");
  await contact.message.fill("Another one");
  await expect(check).toBeHidden();
  await expect(text).toHaveCSS("opacity", "1");
});

test("in a common font, each message fits on one line", async ({ page, contact }) => {
  // Makes the text as wide as in Inter: the font of a machine for tests is often wider than visitors' fonts.
  await page.evaluate(() => {
    const text = document.createElement("canvas").getContext("2d") as CanvasRenderingContext2D;
    text.font = `600 14px ${getComputedStyle(document.body).fontFamily}`;
    // The most frequent letters, which are 84 px wide in Inter.
    const letters = "etaoinshrdlu";
    const excess = Math.max(text.measureText(letters).width - 84, 0);
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(`* { letter-spacing: ${-excess / letters.length / 14}em }`);
    document.adoptedStyleSheets = [spacing];
  });
  // In a low window, two fields are side by side.
  for (const [width, height] of [
    [320, 640],
    [1024, 620],
  ] as const) {
    await page.setViewportSize({ width, height });
    // ui/tests/functions.test.ts has every message.
    for (const value of ["ada@", "@example.com", "a_da@exam_ple.com", ""]) {
      await contact.email.fill(value);
      await contact.submit.click();
      await expectMarked(contact, ["name", "email", "message"]);
      const lines = await contact.form.locator("[id$=-problem]").evaluateAll((all) =>
        all.map((message) => {
          const range = document.createRange();
          range.selectNodeContents(message.lastChild ?? message);
          return new Set([...range.getClientRects()].map(({ top }) => top)).size;
        }),
      );
      expect.soft(lines, `${value} at ${width} px`).toEqual([1, 1, 1]);
    }
  }
});
