// PAGE-1, PAGE-2, PAGE-3, PAGE-4, PAGE-5, PAGE-7, PAGE-8, PAGE-14, PAGE-28, PAGE-38: content of each page.

import type { Locator, Page } from "@playwright/test";
import { expect, test } from "./fixtures.ts";
import { hold, open } from "./page/hydration.ts";
import { waitForEvents } from "./page/idle.ts";
import {
  FOOTER_LINKS,
  HEADER_LINKS,
  HEADLINE,
  LEGAL_PAGES,
  NOT_FOUND,
  PAGES,
  PLACEHOLDERS,
  SUBHEADING,
  SUPPORT_EMAIL,
  UNKNOWN_PATH,
} from "./site/specification.ts";

/** The link with this visible text, arrow included. */
function linkWithText(scope: Page | Locator, text: string): Locator {
  return scope.getByRole("link").filter({ hasText: new RegExp(`^\\s*${text}\\s*$`) });
}

for (const path of PAGES) {
  test(`${path} has one main, one heading of the first level, and the links of header and footer, in order and no others`, async ({
    page,
  }) => {
    await open(page, path);
    await expect(page.getByRole("main")).toHaveCount(1);
    await expect(page.getByRole("heading", { level: 1 })).toHaveCount(1);
    for (const { landmark, expected } of [
      { landmark: "banner", expected: HEADER_LINKS },
      { landmark: "contentinfo", expected: FOOTER_LINKS },
    ] as const) {
      const links = page.getByRole(landmark).getByRole("link");
      await expect(links).toHaveCount(expected.length);
      for (const [index, link] of expected.entries()) {
        await expect(links.nth(index)).toHaveAccessibleName(link.name);
        await expect(links.nth(index)).toHaveAttribute("href", link.path);
      }
    }
  });
}

test("the landing page has heading, subheading, the link 'Get in Touch' and a picture with a text alternative", async ({
  page,
}) => {
  await open(page, "/");
  const main = page.getByRole("main");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText(HEADLINE);
  await expect(main.getByText(SUBHEADING, { exact: true })).toBeVisible();
  await expect(linkWithText(main, "Get in Touch")).toHaveAttribute("href", "/contact");
  const picture = main.getByRole("img").first();
  await expect(picture).toBeVisible();
  await expect(picture).toHaveAccessibleName(/recipe/i);
  const words = (await picture.getAttribute("alt"))?.split(" ").length;
  expect(words).toBeGreaterThan(15);
  expect(words).toBeLessThan(30);
});

test("the landing page shows the outlines of the picture until it has arrived", async ({
  page,
}) => {
  const loadPictures = await hold(page, { files: "**/*.svg" });
  await page.goto("/", { waitUntil: "domcontentloaded" });
  await expect(page.locator("main img")).toHaveCSS("background-image", /^url\("data:image\/svg/);
  loadPictures();
});

/** The text between the heading of each section and the next heading of the same level. */
async function sectionTexts(page: Page): Promise<{ heading: string; text: string }[]> {
  return page.getByRole("main").evaluate((main) => {
    const words = (node: Node) => (node.textContent ?? "").replace(/\s+/g, " ").trim();
    return [...main.querySelectorAll("h2")]
      .filter((heading) => heading.closest("nav") === null)
      .map((heading) => {
        const range = document.createRange();
        range.setStartAfter(heading);
        range.setEndAfter(main);
        const next = [...main.querySelectorAll("h2")].find(
          (other) => heading.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING,
        );
        if (next !== undefined) range.setEndBefore(next);
        return { heading: words(heading), text: words(range.cloneContents()) };
      });
  });
}

for (const { path, title, back, date, numbered, lastLink, sections } of LEGAL_PAGES) {
  test(`${path} has its heading, its date, a link to the landing page, and its sections in order and no others`, async ({
    page,
  }) => {
    await open(page, path);
    await expect(page.getByRole("heading", { level: 1 })).toHaveText(title);
    await expect(linkWithText(page, back)).toHaveAttribute("href", "/");
    const time = page.getByRole("main").getByText(date).first().locator("time");
    await expect(time).toHaveText(/^[A-Z][a-z]+ \d{1,2}, \d{4}$/);
    await expect(time).toHaveAttribute("datetime", /^\d{4}-\d{2}-\d{2}$/);
    const texts = await sectionTexts(page);
    expect(texts.map((section) => section.heading)).toEqual(
      sections.map(({ heading }, index) => (numbered ? `${index + 1}. ${heading}` : heading)),
    );
    for (const [index, { heading, covers }] of sections.entries()) {
      for (const topic of covers) {
        expect.soft(texts[index]?.text, `${heading} covers ${topic}`).toMatch(topic);
      }
    }
  });

  test(`${path} claims nothing that is not true, has one spelling and no unfinished text, and its last link`, async ({
    page,
  }) => {
    await open(page, path);
    const text = await page.getByRole("main").innerText();
    // The date is always today's, and a notice about privacy is no contract.
    expect(text).not.toMatch(/at the top|you agree to the handling|part of these terms/);
    expect(text).not.toMatch(/organiz|analyz|judgment|favorite/i);
    // The quotation marks are typographic, the apostrophes those of the specified headings.
    const words = await page.locator("main section :is(p, li)").allTextContents();
    expect(words.join()).not.toMatch(/["'’]/);
    expect(text).not.toMatch(/lorem|ipsum|TODO|TBD|\{|\}|\[[a-z ]+\]|undefined/i);
    const link = page.locator("main section").last().locator("p a");
    await expect(link).toHaveAttribute("href", lastLink);
  });
}

test("/contact has its links, and the support address below the form", async ({ page }) => {
  await page.setViewportSize({ width: 1280, height: 620 });
  await open(page, "/contact");
  await expect(page.getByRole("heading", { level: 1 })).toHaveText("Contact Us");
  await expect(linkWithText(page, "← Back to Home")).toHaveAttribute("href", "/");
  const form = await page
    .locator("form")
    .evaluate((element) => element.getBoundingClientRect().toJSON() as DOMRect);
  const main = page.getByRole("main");
  for (const { name, path } of FOOTER_LINKS.filter((link) => link.path !== "/contact")) {
    const link = main.getByRole("link", { name });
    await expect(link).toHaveAttribute("href", path);
    expect((await link.boundingBox())?.y).toBeGreaterThan(form.bottom - 1);
  }
  await expect(main).not.toContainText(/javascript/i, { useInnerText: true });
  const address = main.getByText(`Or write to ${SUPPORT_EMAIL}`).getByRole("link");
  await expect(address).toHaveText(SUPPORT_EMAIL);
  await expect(address).toHaveAttribute("href", `mailto:${SUPPORT_EMAIL}`);
  expect((await address.boundingBox())?.y).toBeGreaterThan(form.bottom - 1);
});

for (const { label, attributes } of [
  {
    label: "Name",
    attributes: {
      type: "text",
      autocomplete: "name",
      autocapitalize: "words",
      enterkeyhint: "next",
    },
  },
  {
    label: "Email",
    attributes: { type: "email", autocomplete: "email", spellcheck: "false", enterkeyhint: "next" },
  },
  { label: "Message", attributes: { rows: "6" } },
] as const) {
  test(`the field ${label} is required, labelled, empty and editable`, async ({ page }) => {
    await open(page, "/contact");
    const field = page.getByRole("textbox", { name: label });
    await expect(field).toBeEditable();
    await expect(field).toHaveValue("");
    await expect(field).toHaveJSProperty("required", true);
    await expect(field).toHaveJSProperty("labels.length", 1);
    await expect(field).toHaveJSProperty("maxLength", -1);
    await expect(field).toHaveAttribute("placeholder", PLACEHOLDERS[label]);
    for (const [name, value] of Object.entries(attributes)) {
      await expect(field).toHaveAttribute(name, value);
    }
  });
}

for (const path of [UNKNOWN_PATH, "/privacy/more", "/%3Cb%3E", "/café", "/index.php?x=1"]) {
  test(`${path} gets 404, the message, a link to the landing page and one line on the console`, async ({
    page,
    browserErrors,
  }) => {
    browserErrors.expect(/status of 404/);
    const shown = new URL(path, "http://site").pathname;
    const named = new RegExp(`${shown}|${decodeURI(shown)}`);
    browserErrors.expect(named);
    const response = await open(page, path);
    expect(response.status()).toBe(404);
    await expect(page.getByText(NOT_FOUND)).toBeVisible();
    const home = page.getByRole("link", { name: "Return to Home" });
    await expect(home).toHaveAttribute("href", "/");
    await waitForEvents(page);
    expect(browserErrors.all.filter((text) => named.test(text))).toHaveLength(1);
  });
}
