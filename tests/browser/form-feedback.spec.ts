// PAGE-9, PAGE-10, PAGE-12, PAGE-31: messages of the contact form.

import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { advanceClock, type ContactForm } from "./page/contact-form.ts";
import { waitUntilIdle } from "./page/idle.ts";
import { waitForAnimations } from "./page/states.ts";
import { SEND_DELAY_MS } from "./site/specification.ts";

test.use({ pausedClock: true });

test.beforeEach(({ contact }) => contact.open());

/** The ids of the fields marked as invalid. Checks that these, and no others, have a description. */
async function invalidFields(contact: ContactForm): Promise<string[]> {
  await waitUntilIdle(contact.page);
  const ids: string[] = [];
  for (const field of contact.fields) {
    const id = (await field.getAttribute("id")) ?? "";
    const description = await field.evaluate((element) =>
      (element.getAttribute("aria-describedby") ?? "")
        .split(" ")
        .map((reference) => document.getElementById(reference)?.textContent ?? "")
        .join(" "),
    );
    const invalid = (await field.getAttribute("aria-invalid")) === "true";
    if (invalid) {
      expect(description, id).not.toBe("");
      await expect(field).toHaveAccessibleDescription(description);
      await expect(contact.form.getByText(description, { exact: true })).toBeVisible();
      await expect(contact.form.locator(`#${id}-problem svg`)).toBeVisible();
      ids.push(id);
    } else {
      await expect(field, id).toHaveAccessibleDescription("");
    }
  }
  return ids;
}

/** The number of lines of a sentence after its icon. */
async function lines(sentence: Locator): Promise<number> {
  return sentence.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element.lastChild ?? element);
    return new Set([...range.getClientRects()].map(({ top }) => top)).size;
  });
}

/** Makes the text as wide as in Inter: the font of a machine for tests is often wider than visitors' fonts. */
async function useCommonWidth(page: Page): Promise<void> {
  await page.evaluate(() => {
    const text = document.createElement("canvas").getContext("2d");
    if (!text) throw new Error("no canvas");
    text.font = `600 14px ${getComputedStyle(document.body).fontFamily}`;
    const sentence = "Please add a message.";
    const excess = Math.max(text.measureText(sentence).width - 154, 0);
    const spacing = new CSSStyleSheet();
    spacing.replaceSync(`* { letter-spacing: ${-excess / sentence.length / 14}em }`);
    document.adoptedStyleSheets = [spacing];
  });
}

async function tabThrough(contact: ContactForm): Promise<void> {
  await contact.name.focus();
  for (const _ of contact.fields) await contact.page.keyboard.press("Tab");
  await expect(contact.submit).toBeFocused();
}

test("an unchanged field has no mark and no description, also after tabbing through the form", async ({
  contact,
}) => {
  expect(await invalidFields(contact)).toEqual([]);
  await tabThrough(contact);
  expect(await invalidFields(contact)).toEqual([]);
});

test("a failed submit marks exactly the empty fields, shows no message of the browser, and focuses the first field once it is described", async ({
  page,
  contact,
}) => {
  const recorded = await page.evaluateHandle(() => {
    const invalid: Event[] = [];
    const described: string[] = [];
    addEventListener("invalid", (event) => invalid.push(event), { capture: true });
    addEventListener("focusin", ({ target }) => {
      const id = (target as Element).getAttribute("aria-describedby") ?? "";
      described.push(document.getElementById(id)?.innerText ?? "");
    });
    return { invalid, described };
  });
  await contact.email.fill("ada@example.com");
  // The second time, the messages exist already.
  for (const _ of ["first", "second"]) {
    await contact.submit.click();
    expect(await invalidFields(contact)).toEqual(["name", "message"]);
    await expect(contact.name).toBeFocused();
    const colors = await contact.name.evaluate((field) => {
      const { borderColor, outlineColor } = getComputedStyle(field);
      return [borderColor, outlineColor];
    });
    expect(new Set(colors).size).toBe(1);
  }
  const { prevented, described } = await recorded.evaluate(({ invalid, described }) => ({
    prevented: invalid.map(({ defaultPrevented }) => defaultPrevented),
    described,
  }));
  expect(prevented).toEqual([true, true, true, true]);
  expect(described.filter((text) => text !== "")).toEqual(
    Array(2).fill(await contact.form.locator("#name-problem").innerText()),
  );
  expect(await contact.form.evaluate((form: HTMLFormElement) => form.noValidate)).toBe(false);
});

test("a submit says what the address needs, in one line on a narrow phone", async ({
  page,
  contact,
}) => {
  await page.setViewportSize({ width: 320, height: 640 });
  await useCommonWidth(page);
  await contact.fill();
  // ui/tests/functions.test.ts has every message.
  for (const value of ["", "ada", "@example.com", "ada@", "a b@example.com", "a_da@exam_ple.com"]) {
    await contact.email.fill(value);
    await contact.submit.click();
    expect(await invalidFields(contact)).toEqual(["email"]);
    expect(await lines(contact.form.locator("#email-problem")), value).toBe(1);
  }
});

test("an address is tidied once its field is left or the form is submitted, not while it is typed", async ({
  contact,
}) => {
  await contact.fill();
  const value = "Ada Lovelace <ada@example.com>";
  await contact.email.clear();
  await contact.email.pressSequentially(value);
  await contact.email.click();
  await expect(contact.email).toHaveValue(value);
  await contact.email.press("Tab");
  await expect(contact.email).toHaveValue("ada@example.com");
  expect(await invalidFields(contact)).toEqual([]);
  await contact.email.fill("ada\uff20example.com.");
  await contact.submit.click();
  await contact.expectSending();
  await expect(contact.email).toHaveValue("ada@example.com");
});

test("a domain with an umlaut gets its name in ASCII, as Safari refuses it", async ({
  contact,
}) => {
  // Chromium does it itself, except in a field of this type.
  await contact.email.evaluate((field: HTMLInputElement) => {
    field.type = "text";
  });
  for (const [value, tidied] of [
    ["ada@bücher.example", "ada@xn--bcher-kva.example"],
    ["ada@ü..xn--a", "ada@ü..xn--a"],
  ] as const) {
    await contact.email.fill(value);
    await contact.email.press("Tab");
    await expect(contact.email).toHaveValue(tidied);
  }
});

test("Enter in a line goes to the next empty field, and sends once there is none", async ({
  page,
  contact,
}) => {
  await contact.name.fill("Ada");
  await contact.name.press("Enter");
  await expect(contact.email).toBeFocused();
  await page.keyboard.insertText("ada@example.com");
  await page.keyboard.press("Enter");
  await expect(contact.message).toBeFocused();
  expect(await invalidFields(contact)).toEqual([]);
  await page.keyboard.insertText("Which clips work best?");
  await contact.email.press("Enter");
  await contact.expectSending();
});

test("a value that a program sets is no error any more, with an event or at the next submit", async ({
  contact,
}) => {
  await contact.fill();
  for (const event of ["input", "change", "keyup", ""]) {
    await contact.email.fill("");
    await contact.submit.click();
    expect(await invalidFields(contact)).toEqual(["email"]);
    await contact.email.evaluate((field: HTMLInputElement, type) => {
      field.value = "ada@example.com";
      if (type) field.dispatchEvent(new Event(type, { bubbles: true }));
    }, event);
    if (event === "") await contact.submit.click();
    expect(await invalidFields(contact), event).toEqual([]);
  }
});

test("a box around a control and an element beside it leave the row in its place; each row says that it is required", async ({
  page,
  contact,
}) => {
  await page.setViewportSize({ width: 1440, height: 900 });
  await expect(contact.form.locator("label + *").locator("visible=true")).toHaveCount(3);
  const boxes = () =>
    page
      .locator("label, form :is(input, textarea)")
      .evaluateAll((all) => all.map((element) => element.getBoundingClientRect().toJSON()));
  const before = await boxes();
  for (const field of contact.fields) {
    await field.evaluate((control) => {
      const box = document.createElement("span");
      box.style.cssText = "display: inline-block; position: relative";
      control.replaceWith(box);
      box.append(control);
      box.after(document.createElement("foreign-aid"));
    });
  }
  expect(await boxes()).toEqual(before);
  await contact.message.fill("שלום");
  await expect(contact.message).toHaveCSS("direction", "rtl");
});

test("an invalid address is marked when its field loses the focus, with a message that follows the value, until the keystroke that makes it valid", async ({
  contact,
}) => {
  await contact.email.pressSequentially("ada");
  expect(await invalidFields(contact)).toEqual([]);
  await contact.email.press("Tab");
  expect(await invalidFields(contact)).toEqual(["email"]);
  await expect(contact.email).toHaveAccessibleDescription(/name@example/);
  await contact.email.press("End");
  await contact.email.pressSequentially("@");
  await expect(contact.email).not.toHaveAccessibleDescription(/name@example/);
  await contact.email.press("Backspace");
  await expect(contact.email).toHaveAccessibleDescription(/name@example/);
  await contact.email.pressSequentially("@e");
  expect(await invalidFields(contact)).toEqual([]);
});

test("after sending, no field is marked, also after tabbing through the form", async ({
  contact,
}) => {
  await contact.submit.click();
  expect(await invalidFields(contact)).toEqual(["name", "email", "message"]);
  await contact.sendAndFinish();
  expect(await invalidFields(contact)).toEqual([]);
  await tabThrough(contact);
  expect(await invalidFields(contact)).toEqual([]);
});

test("sending is announced by a live region that exists before", async ({ page, contact }) => {
  const region = contact.form.locator("[aria-live=polite]");
  await expect(region).toHaveText("");
  const before = await region.elementHandle();
  await contact.send();
  await expect(region).not.toHaveText("");
  expect(await before?.evaluate((element) => element.isConnected)).toBe(true);
  await advanceClock(page, SEND_DELAY_MS);
  await expect(region).toHaveText("");
});

test("after sending, the button has a check and the yolk is whole until the next input", async ({
  page,
  contact,
}) => {
  await contact.sendAndFinish();
  await waitForAnimations(page);
  const check = contact.submit.locator("svg");
  await expect(check).toHaveCSS("animation-duration", "0.4s");
  const [text, run] = [contact.submit.locator("span"), page.locator(".yolk-run")];
  await page.mouse.move(0, 0);
  await advanceClock(page, 20_000);
  await expect(contact.toast).toBeHidden();
  await expect(check).toBeVisible();
  await expect(contact.submit).toHaveCSS("background-color", "rgb(42, 91, 49)");
  await expect(text).toHaveCSS("opacity", "0");
  await expect(run).toHaveCSS("opacity", "0");
  await contact.message.fill("Another one");
  await expect(check).toBeHidden();
  await expect(text).toHaveCSS("opacity", "1");
  await expect(run).toHaveCSS("opacity", "1");
});

// In a low window, two fields are side by side.
for (const viewport of [
  { width: 320, height: 640 },
  { width: 1024, height: 620 },
  { width: 1280, height: 620 },
]) {
  test(`at ${viewport.width} × ${viewport.height} px, each message fits on one line`, async ({
    page,
    contact,
  }) => {
    await page.setViewportSize(viewport);
    await useCommonWidth(page);
    await contact.submit.click();
    const messages = contact.form.locator("[id$=-problem]");
    await expect(messages).toHaveCount(3);
    for (const message of await messages.all()) {
      expect.soft(await lines(message), await message.innerText()).toBe(1);
    }
  });
}
