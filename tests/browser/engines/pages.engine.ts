// In Firefox and WebKit: PAGE-1, PAGE-2, PAGE-3, PAGE-6, PAGE-8, PAGE-9, PAGE-10, PAGE-11, PAGE-13, PAGE-14, PAGE-16,
// PAGE-17, PAGE-29, PAGE-33, PAGE-34.

import { readFileSync } from "node:fs";
import { createRequire } from "node:module";
import { LEGAL_PAGES, PAGES } from "../site/specification.ts";
import { expect, Key, type Session, test } from "./session.ts";

test.describe("pages", () => {
  for (const path of PAGES) {
    test(`${path} has its landmarks, and fits a narrow window`, async ({ session }) => {
      await session.open(path);
      const landmarks = () =>
        ["header", "main", "footer", "h1"].map((name) => document.querySelectorAll(name).length);
      expect(await session.run(landmarks)).toEqual([1, 1, 1, 1]);
      const size = session.driver.manage().window();
      await size.setRect({ x: 0, y: 0, width: 320, height: 800 });
      const overflow = () => document.documentElement.scrollWidth - innerWidth;
      await session.poll(overflow).toBeLessThanOrEqual(0);
      await size.setRect({ x: 0, y: 0, width: 1000, height: 800 });
    });
  }

  test("the picture and the font of the landing page are shown", async ({ session }) => {
    await session.open("/");
    const width = () => document.querySelector<HTMLImageElement>("main img")?.naturalWidth ?? 0;
    await session.poll(width).toBeGreaterThan(0);
    await session.poll(() => [...document.fonts].map((font) => font.status)).toContain("loaded");
  });
});

const mark = (session: Session) => session.run(() => Object.assign(window, { marked: true }) && 0);
const isMarked = (session: Session) => session.run(() => "marked" in window);

test.describe("navigation", () => {
  test("a followed link shows the page without a reload, at its top, with the focus on its heading", async ({
    session,
  }) => {
    await session.open("/privacy");
    await mark(session);
    await session.run(() => scrollTo(0, document.documentElement.scrollHeight));
    await (await session.link("Terms of Service")).click();
    await expect.poll(() => session.heading()).toBe("Terms of Service");
    await expect.poll(() => session.focused()).toBe("Terms of Service");
    await session.poll(() => scrollY).toBe(0);
    expect(await session.driver.getTitle()).toContain("Terms of Service");
    expect(await isMarked(session)).toBe(true);
    const current = () =>
      [...document.querySelectorAll("[aria-current=page]")].map((link) =>
        link.getAttribute("href"),
      );
    expect(await session.run(current)).toEqual(["/terms"]);
  });

  test("the skip link is the first stop and leads to the content", async ({ session }) => {
    await session.open("/terms");
    await session.press(Key.TAB);
    expect(await session.focused()).toMatch(/skip/i);
    await session.press(Key.ENTER);
    await session.poll(() => location.hash).toBe("#main");
    await session.press(Key.TAB);
    const name = () => document.activeElement?.textContent;
    await session.poll(name).toContain("Back to Home");
  });

  test("Back and Forward show the pages at their scroll positions", async ({ session }) => {
    await session.open("/privacy");
    await mark(session);
    await session.run(() => scrollTo(0, 1500));
    await session.poll(() => scrollY).toBe(1500);
    await session.run(() =>
      document.querySelector<HTMLElement>("footer a[href='/terms']")?.click(),
    );
    await expect.poll(() => session.heading()).toBe("Terms of Service");
    await session.run(() => scrollTo(0, 700));
    await session.poll(() => scrollY).toBe(700);
    await session.run(() => history.back());
    await expect.poll(() => session.heading()).toBe("Privacy Policy");
    await session.poll(() => scrollY).toBe(1500);
    await session.run(() => history.forward());
    await expect.poll(() => session.heading()).toBe("Terms of Service");
    await session.poll(() => scrollY).toBe(700);
    expect(await isMarked(session)).toBe(true);
    expect(await session.driver.getTitle()).toContain("Terms of Service");
  });

  test("Back returns the focus to the link that was followed", async ({ session }) => {
    await session.open("/privacy");
    await session.run(() =>
      document.querySelector<HTMLElement>("footer a[href='/terms']")?.focus(),
    );
    await session.press(Key.ENTER);
    await expect.poll(() => session.heading()).toBe("Terms of Service");
    await session.run(() => history.back());
    await expect.poll(() => session.heading()).toBe("Privacy Policy");
    const isLink = () => document.activeElement?.matches("footer a[href='/terms']");
    await session.poll(isLink).toBe(true);
  });

  test("Back from another document shows the page where it was left", async ({ session }) => {
    await session.open("/terms");
    await session.run(() => scrollTo(0, 900));
    await session.poll(() => scrollY).toBe(900);
    // A document without our policies is in another process, where WebKit's driver does not follow.
    await session.driver.get(`${session.site}/contact`);
    await session.driver.navigate().back();
    await expect.poll(() => session.heading()).toBe("Terms of Service");
    await session.poll(() => Math.round(scrollY / 10)).toBe(90);
  });
});

test.describe("anchors", () => {
  const anchor = "data-retention";
  /** Whether the heading of the section is at the top of the window, below at most the header. */
  const isAtTop = (id: string) => {
    const top = document.getElementById(id)?.getBoundingClientRect().top ?? -1;
    return top >= 0 && top < 200;
  };

  test("a link of the contents shows its section, and Back returns", async ({ session }) => {
    await session.open("/privacy");
    await (await session.find(`nav a[href='#${anchor}']`)).click();
    await session.poll(isAtTop, anchor).toBe(true);
    await session.run(() => history.back());
    await session.poll(() => scrollY).toBe(0);
    expect(await session.heading()).toBe("Privacy Policy");
  });

  test("an address with an anchor shows its section, and so does Back from another page", async ({
    session,
  }) => {
    await session.open(`/privacy#${anchor}`);
    await session.poll(isAtTop, anchor).toBe(true);
    const target = () => document.querySelector(":target")?.id;
    expect(await session.run(target)).toBe(anchor);
    await session.run(() =>
      document.querySelector<HTMLElement>("footer a[href='/terms']")?.click(),
    );
    await expect.poll(() => session.heading()).toBe("Terms of Service");
    await session.run(() => history.back());
    await expect.poll(() => session.heading()).toBe("Privacy Policy");
    await session.poll(isAtTop, anchor).toBe(true);
  });
});

const VALUES = ["Ada", "ada@example.com", "Which clips?"];

async function fill(session: Session) {
  for (const [index, id] of ["name", "email", "message"].entries()) {
    await (await session.find(`#${id}`)).sendKeys(VALUES[index] ?? "");
  }
}

const submit = async (session: Session) => (await session.find("form button")).click();
const values = (session: Session) =>
  session.run(() =>
    [...document.querySelectorAll<HTMLInputElement>("form input, form textarea")].map(
      ({ value }) => value,
    ),
  );
const invalid = () =>
  [...document.querySelectorAll("form [aria-invalid='true']")].map(({ id }) => id);
const toastText = () => document.querySelector("[role=status]")?.textContent ?? "";

test.describe("the form", () => {
  test("an empty form is not sent: the fields are marked and described, and the first one has the focus", async ({
    session,
  }) => {
    await session.open("/contact");
    await submit(session);
    await session.poll(invalid).toEqual(["name", "email", "message"]);
    await expect.poll(() => session.focused()).toBe("name");
    await (await session.find("#name")).sendKeys("A");
    await session.poll(invalid).toEqual(["email", "message"]);
    await (await session.find("#email")).sendKeys("ada");
    const description = () => document.getElementById("email-problem")?.textContent;
    await session.poll(description).toContain("Write it as name@example.com.");
  });

  test("a message is sent once, the fields are cleared, and the address has no values", async ({
    session,
  }) => {
    await session.open("/contact");
    await fill(session);
    // Until the end of sending, because a fast timer could hide the button's state.
    await session.run(() => {
      const texts: string[] = [];
      Object.assign(window, { texts });
      const button = document.querySelector("form button");
      const note = () => texts.push(`${button?.textContent}`);
      if (button)
        new MutationObserver(note).observe(button, {
          subtree: true,
          characterData: true,
          childList: true,
        });
    });
    await submit(session);
    await session.press(Key.ENTER);
    await session.poll(toastText).not.toBe("");
    expect(await values(session)).toEqual(["", "", ""]);
    const texts = () => (window as unknown as { texts: string[] }).texts;
    expect((await session.run(texts)).filter((text) => text === "Sending...")).toHaveLength(1);
    expect(await session.driver.getCurrentUrl()).toBe(`${session.site}/contact`);
    const isInMain = () => document.activeElement?.closest("main") !== null;
    expect(await session.run(isInMain)).toBe(true);
  });

  test("typed text survives a visit to another page", async ({ session }) => {
    await session.open("/contact");
    await fill(session);
    await (await session.link("Privacy")).click();
    await expect.poll(() => session.heading()).toBe("Privacy Policy");
    await session.run(() => history.back());
    await expect.poll(() => session.heading()).toBe("Contact Us");
    await expect.poll(() => values(session)).toEqual(VALUES);
  });
});

test("the toast closes with Escape, and the focus returns", async ({ session }) => {
  await session.open("/contact");
  await fill(session);
  await submit(session);
  await session.poll(toastText).not.toBe("");
  await session.run(() => document.getElementById("name")?.focus());
  await session.press(Key.ESCAPE);
  await session.poll(toastText).toBe("");
  expect(await session.focused()).toBe("name");
});

test.describe("the browser's own reading", () => {
  const source = readFileSync(
    createRequire(import.meta.url).resolve("@mozilla/readability/Readability.js"),
    "utf8",
  );

  for (const path of LEGAL_PAGES) {
    test(`the reader view of ${path} has its title and its sections`, async ({ session }) => {
      await session.open(path);
      // The algorithm of Firefox; its own view cannot be opened by WebDriver.
      const script = `${source}; return new Readability(document.cloneNode(true)).parse();`;
      const article = await session.driver.executeScript<{ title: string; textContent: string }>(
        script,
      );
      expect(article.title).toContain(await session.heading());
      expect(article.textContent).not.toContain("#");
      const paragraphs = () =>
        [...document.querySelectorAll("section :is(h2, p)")].map((part) => part.textContent);
      for (const text of await session.run(paragraphs)) expect(article.textContent).toContain(text);
    });

    test(`${path} is printed as black text without navigation`, async ({ session }) => {
      await session.open(path);
      // Not every driver can print, so the rules for paper apply to the screen.
      const usePrintRules = () => {
        const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
        for (const rule of rules.filter((rule) => rule instanceof CSSMediaRule)) {
          const isForScreen = rule.media.mediaText.startsWith("screen");
          if (rule.media.mediaText.startsWith("print")) rule.media.mediaText = "all";
          if (isForScreen) rule.media.mediaText = "not all";
        }
      };
      await session.run(usePrintRules);
      // With an origin, links print their address.
      await session.run(() => document.documentElement.setAttribute("data-origin", ""));
      const printed = () => {
        const isShown = (element: Element) => element.getClientRects().length > 0;
        const paragraph = getComputedStyle(document.querySelector("section p") ?? document.body);
        const shown = [
          ...document.querySelectorAll("header nav, footer nav, article nav, .anchor, .toast"),
        ].filter(isShown);
        const link = document.querySelector("section [data-address]");
        return {
          color: paragraph.color,
          navigation: shown.map(({ className, localName }) => `${localName}.${className}`),
          address: link && getComputedStyle(link, "::after").content,
        };
      };
      const { address, ...rest } = await session.run(printed);
      expect(rest).toEqual({ color: "rgb(0, 0, 0)", navigation: [] });
      // Firefox gives the value without what `attr` stands for.
      expect(address).toContain("(");
    });
  }
});
