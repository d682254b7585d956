import { expect } from "@playwright/test";
import { type Head, readHead } from "./page/contents.ts";
import { LEGAL_PAGES, PAGES, ROUTES, UNKNOWN_PATH } from "./site/specification.ts";

/** What a visitor does in a browser, whichever protocol drives it. A script runs in the page: it contains all that it calls. */
export abstract class Visitor {
  /** Loads a page, and waits until React has hydrated it. */
  abstract open(path: string): Promise<void>;
  abstract run<T, A>(script: (given: A) => T, given?: A): Promise<T>;
  abstract click(selector: string): Promise<void>;
  /** Focuses a control and types into it. */
  abstract type(selector: string, text: string): Promise<void>;
  abstract press(key: "Enter" | "Escape" | "Tab"): Promise<void>;
  abstract resize(width: number, height: number): Promise<void>;
  /** Loads another document, and goes back. */
  abstract leaveAndReturn(): Promise<void>;

  /** Expects that the result of a script becomes a value. */
  poll<T, A>(script: (given: A) => T, given?: A) {
    return expect.poll(() => this.run(script, given));
  }

  /** Moves in the history without a reload: -1 is Back, 1 is Forward. */
  async go(delta: number): Promise<void> {
    await this.run((delta) => history.go(delta), delta);
  }

  /** Marks the document. {@link expectSameDocument} fails once a page was loaded. */
  async markDocument(): Promise<void> {
    await this.run(() => void Object.assign(window, { marked: true }));
  }

  async expectSameDocument(): Promise<void> {
    expect(await this.run(() => "marked" in window)).toBe(true);
  }
}

const scrollTop = () => Math.round(scrollY);
const path = () => location.pathname;
const isFocused = (selector: string) => document.activeElement?.matches(selector) ?? false;
const setScrollTop = (top: number) => scrollTo({ top, behavior: "instant" });
/** Unlike a pointer, it does not scroll the link into view. */
const follow = (link: string) => document.querySelector<HTMLElement>(link)?.click();

/** The heads of pages as they are loaded. Ends at the last one. */
async function headsOf(visitor: Visitor, paths: readonly string[]): Promise<Map<string, Head>> {
  const heads = new Map<string, Head>();
  for (const path of paths) {
    await visitor.open(path);
    heads.set(path, await visitor.run(readHead));
  }
  return heads;
}

/** Links to the current page without a mark, and marked links to other pages. */
const mismarkedLinks = () =>
  [...document.querySelectorAll<HTMLAnchorElement>("a[href^='/']")]
    .filter((link) => link.hasAttribute("aria-current") !== (link.pathname === location.pathname))
    .map(({ outerHTML }) => outerHTML);

/** The sections whose heading is highlighted. */
const highlighted = () =>
  [...document.querySelectorAll("main h2")]
    .filter((heading) => getComputedStyle(heading).backgroundImage.includes("gradient"))
    .map((heading) => `#${heading.closest("section")?.id}`);

/** Whether the heading of a section is in the upper half of the window and not covered. */
export const isHeadingInView = (hash: string) => {
  const heading = document.getElementById(hash.slice(1))?.querySelector("h2");
  if (!heading) return false;
  const { left, top, width, height } = heading.getBoundingClientRect();
  const topmost = document.elementFromPoint(left + Math.min(width, 40) / 2, top + height / 2);
  return top >= 0 && top < innerHeight / 2 && heading.contains(topmost);
};

/** In the middle of a page, with enough text before and after it to scroll. */
export const SECTION = "#data-retention";
const SECTION_LINK = `article nav a[href='${SECTION}']`;

const FIELDS = { "#name": "Ada", "#email": "ada@example.com", "#message": "Which clips?" };

async function fill(visitor: Visitor): Promise<void> {
  for (const [field, text] of Object.entries(FIELDS)) await visitor.type(field, text);
}

const values = () =>
  [...document.querySelectorAll<HTMLInputElement>("form :is(input, textarea)")].map(
    ({ value }) => value,
  );
const invalid = () =>
  [...document.querySelectorAll("form [aria-invalid='true']")].map(({ id }) => id);
const toast = () => document.querySelector(".toast-message")?.textContent ?? "";

/** What of a legal page is printed: its colours, parts that have no use on paper, and what follows a sentence before a list. */
const printed = () => {
  const texts = document.querySelectorAll("main :is(h1, h2, p, li, section a:not(.anchor))");
  const colors = [...texts].flatMap((text) => [
    getComputedStyle(text).color,
    getComputedStyle(text, "::marker").color,
  ]);
  const useless = "nav, .anchor, .toast, .back-link, .skip-link, footer a";
  const shown = [...document.querySelectorAll(useless)].filter(
    (element) => element.getClientRects().length > 0,
  );
  return {
    colors: [...new Set(colors)],
    background: getComputedStyle(document.body).backgroundColor,
    highlight: [...document.querySelectorAll("main h2")]
      .map((heading) => getComputedStyle(heading).backgroundImage)
      .filter((image) => image !== "none"),
    useless: shown.map(({ className, localName }) => `${localName}.${className}`),
    missing: ["h1", "main time"].filter(
      (each) => document.querySelector(each)?.getClientRects().length === 0,
    ),
    breaks: [...document.querySelectorAll("main ul")]
      .map((list) => getComputedStyle(list.previousElementSibling as Element).breakAfter)
      .filter((value) => value !== "avoid"),
  };
};

/** What {@link printed} has to be. */
const BLACK_ON_WHITE = {
  colors: ["rgb(0, 0, 0)"],
  background: "rgb(255, 255, 255)",
  highlight: [],
  useless: [],
  missing: [],
  breaks: [],
};

/**
 * Promises of docs/pages.md that depend on the engine of the browser: PAGE-1, PAGE-2, PAGE-3, PAGE-6, PAGE-8, PAGE-9, PAGE-10,
 * PAGE-11, PAGE-13, PAGE-14, PAGE-16, PAGE-17, PAGE-29, PAGE-33, PAGE-34.
 */
export const PROMISES: Readonly<Record<string, (visitor: Visitor) => Promise<void>>> = {
  "each page has its landmarks, and fits a narrow window": async (visitor) => {
    const landmarks = () =>
      ["header", "main", "footer", "h1"].map((name) => document.querySelectorAll(name).length);
    await visitor.resize(320, 800);
    for (const path of PAGES) {
      await visitor.open(path);
      expect(await visitor.run(landmarks), path).toEqual([1, 1, 1, 1]);
      const overflow = () => document.documentElement.scrollWidth - innerWidth;
      await visitor.poll(overflow).toBeLessThanOrEqual(0);
    }
  },

  "the picture and the font of the landing page are shown": async (visitor) => {
    await visitor.open("/");
    const width = () => document.querySelector<HTMLImageElement>("main img")?.naturalWidth;
    await visitor.poll(width).toBeGreaterThan(0);
    await visitor.poll(() => [...document.fonts].map((font) => font.status)).toContain("loaded");
  },

  "a link shows its page without a reload, at its top, with its head": async (visitor) => {
    const heads = await headsOf(visitor, ROUTES);
    await visitor.open(UNKNOWN_PATH);
    await visitor.markDocument();
    for (const [place, to] of [
      ["main", "/"],
      ["main", "/contact"],
      ["header", "/privacy"],
      ["footer", "/terms"],
      ["main", "/"],
      ["footer", "/contact"],
      ["main", "/privacy"],
    ] as const) {
      await visitor.run(() => scrollTo(0, document.documentElement.scrollHeight));
      await visitor.click(`${place} a[href='${to}']`);
      await visitor.poll(path).toBe(to);
      await visitor.poll(isFocused, "h1").toBe(true);
      await visitor.poll(scrollTop).toBe(0);
      await visitor.poll(readHead).toEqual(heads.get(to));
      expect(await visitor.run(mismarkedLinks)).toEqual([]);
    }
    await visitor.expectSameDocument();
  },

  "the skip link is the first stop of each page, and leads to the content": async (visitor) => {
    for (const path of PAGES) {
      await visitor.open(path);
      expect(await visitor.run(mismarkedLinks)).toEqual([]);
      await visitor.press("Tab");
      expect(await visitor.run(isFocused, ".skip-link"), path).toBe(true);
      const top = () => document.activeElement?.getBoundingClientRect().top;
      expect(await visitor.run(top), path).toBeGreaterThanOrEqual(0);
      await visitor.press("Enter");
      await visitor.poll(() => location.hash).toBe("#main");
      await visitor.press("Tab");
      await visitor.poll(isFocused, "main *").toBe(true);
    }
  },

  "Back and Forward show pages without a reload, where they were left": async (visitor) => {
    await visitor.resize(390, 640);
    const heads = await headsOf(visitor, ["/", "/contact", "/privacy"]);
    await visitor.markDocument();
    await visitor.run(setScrollTop, 1500);
    await visitor.run(follow, ".back-link");
    await visitor.poll(readHead).toEqual(heads.get("/"));
    await visitor.poll(scrollTop).toBe(0);
    await visitor.run(setScrollTop, 9999);
    const leftAt = await visitor.run(scrollTop);
    expect(leftAt).toBeGreaterThan(0);
    await visitor.run(follow, "main a[href='/contact']");
    await visitor.poll(readHead).toEqual(heads.get("/contact"));
    for (const [delta, to, top] of [
      [-1, "/", leftAt],
      [-1, "/privacy", 1500],
      [1, "/", leftAt],
      [1, "/contact", 0],
    ] as const) {
      await visitor.go(delta);
      await visitor.poll(path).toBe(to);
      await visitor.poll(readHead).toEqual(heads.get(to));
      await visitor.poll(scrollTop).toBe(top);
    }
    await visitor.expectSameDocument();
  },

  "Back returns the focus to the link that was followed": async (visitor) => {
    const [link, next] = ["footer a[href='/terms']", "footer a[href='/contact']"] as const;
    for (const way of ["click", "Enter"]) {
      await visitor.open("/privacy");
      if (way === "click") await visitor.click(link);
      else {
        await visitor.run((link) => document.querySelector<HTMLElement>(link)?.focus(), link);
        await visitor.press("Enter");
      }
      await visitor.poll(path).toBe("/terms");
      await visitor.poll(isFocused, "h1").toBe(true);
      await visitor.go(-1);
      await visitor.poll(isFocused, link).toBe(true);
      await visitor.press("Tab");
      await visitor.poll(isFocused, next).toBe(true);
      await visitor.go(1);
      await visitor.poll(path).toBe("/terms");
      await visitor.poll(isFocused, "h1").toBe(true);
    }
  },

  "Back from another document shows the page where it was left": async (visitor) => {
    await visitor.open("/terms");
    await visitor.run(setScrollTop, 900);
    await visitor.poll(scrollTop).toBe(900);
    await visitor.leaveAndReturn();
    await visitor.poll(path).toBe("/terms");
    await visitor.poll(() => Math.round(scrollY / 10)).toBe(90);
  },

  "a link, Back, Forward and a load show and highlight a section": async (visitor) => {
    for (const width of [390, 1280]) {
      await visitor.resize(width, 700);
      const expectSection = async () => {
        await visitor.poll(() => location.pathname + location.hash).toBe(`/privacy${SECTION}`);
        await visitor.poll(isHeadingInView, SECTION).toBe(true);
        await visitor.poll(highlighted).toEqual([SECTION]);
        expect(await visitor.run(() => document.querySelectorAll("[open]").length)).toBe(0);
        const contents = () => document.querySelector("article nav")?.getBoundingClientRect();
        expect((await visitor.run(contents))?.bottom).toBeGreaterThan(0);
      };
      await visitor.open("/privacy");
      expect(await visitor.run(highlighted)).toEqual([]);
      if (width === 390) await visitor.click("summary");
      await visitor.click(SECTION_LINK);
      await expectSection();
      await visitor.go(-1);
      await visitor.poll(scrollTop).toBe(0);
      await visitor.go(1);
      await expectSection();
      await visitor.run(follow, ".back-link");
      await visitor.poll(path).toBe("/");
      await visitor.poll(scrollTop).toBe(0);
      await visitor.go(-1);
      await expectSection();
      await visitor.run(follow, "footer a[href='/privacy']");
      await visitor.poll(() => location.hash).toBe("");
      await visitor.poll(highlighted).toEqual([]);
      await visitor.go(-1);
      await expectSection();
      await visitor.open(`/privacy${SECTION}`);
      await expectSection();
    }
  },

  "an empty form is not sent: its fields are marked and described": async (visitor) => {
    await visitor.open("/contact");
    await visitor.click("form button");
    await visitor.poll(invalid).toEqual(["name", "email", "message"]);
    await visitor.poll(isFocused, "#name").toBe(true);
    await visitor.type("#name", "A");
    await visitor.poll(invalid).toEqual(["email", "message"]);
    const description = () => document.getElementById("email-problem")?.textContent;
    const empty = await visitor.run(description);
    await visitor.type("#email", "ada");
    await visitor.poll(description).not.toBe(empty);
  },

  "a message is sent once, and Escape closes its toast": async (visitor) => {
    await visitor.open("/contact");
    await fill(visitor);
    // Until the end of sending, because a fast timer could hide the button's state.
    await visitor.run(() => {
      const texts: string[] = [];
      const button = document.querySelector("form button") as Element;
      const options = { subtree: true, characterData: true, childList: true };
      new MutationObserver(() => texts.push(`${button.textContent}`)).observe(button, options);
      Object.assign(window, { texts: [texts, button.textContent] });
    });
    await visitor.press("Tab");
    // The second time, it is being sent.
    for (const _ of ["first", "second"]) await visitor.press("Enter");
    await visitor.poll(toast).not.toBe("");
    expect(await visitor.run(values)).toEqual(["", "", ""]);
    const [texts, initial] = await visitor.run(
      () => (window as unknown as { texts: [string[], string] }).texts,
    );
    expect(texts).toEqual([expect.not.stringMatching(initial), initial]);
    expect(await visitor.run(() => location.pathname + location.search)).toBe("/contact");
    await visitor.poll(isFocused, "main *").toBe(true);
    await visitor.run(() => document.getElementById("name")?.focus());
    await visitor.press("Escape");
    await visitor.poll(toast).toBe("");
    expect(await visitor.run(isFocused, "#name")).toBe(true);
  },

  "typed text survives a visit to another page": async (visitor) => {
    await visitor.open("/contact");
    await fill(visitor);
    const expectDraft = () => visitor.poll(values).toEqual(Object.values(FIELDS));
    await visitor.click("main a[href='/privacy']");
    await visitor.poll(path).toBe("/privacy");
    await visitor.go(-1);
    await expectDraft();
    await visitor.go(1);
    await visitor.poll(path).toBe("/privacy");
    await visitor.click("header a[href='/contact']");
    await expectDraft();
  },

  "legal pages are printed as black text on white": async (visitor) => {
    for (const path of LEGAL_PAGES) {
      await visitor.open(`${path}#introduction`);
      // Not every driver can print, so the rules for paper apply to the screen.
      await visitor.run(() => {
        const rules = [...document.styleSheets].flatMap((sheet) => [...sheet.cssRules]);
        for (const rule of rules.filter((rule) => rule instanceof CSSMediaRule)) {
          const [medium] = rule.media.mediaText.split(/\W/);
          if (medium === "print" || medium === "screen")
            rule.media.mediaText = medium === "print" ? "all" : "not all";
        }
      });
      expect(await visitor.run(printed), path).toEqual(BLACK_ON_WHITE);
    }
  },
};
