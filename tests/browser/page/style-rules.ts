import type { Page } from "@playwright/test";

/** What a page's own style sheets offer, and what of it the page as it stands makes use of. */
export interface StyleUse {
  readonly selectors: readonly string[];
  readonly matched: readonly string[];
  readonly properties: readonly string[];
  readonly animations: readonly string[];
  /** The whole text of the sheets, in which properties and animations are looked for. */
  readonly text: string;
}

/**
 * Reads every rule, nested and conditional ones included. A selector counts as matched when an
 * element fits it, whatever the element's momentary state (hovered, focused, …) and pseudo-element.
 */
export async function styleUse(page: Page): Promise<StyleUse> {
  return page.evaluate(() => {
    const MOMENTARY =
      /::?(?:before|after|placeholder|selection|marker|backdrop|hover|active|focus-visible|focus-within|focus|visited|link|any-link|target|user-invalid|user-valid|invalid|valid|placeholder-shown|autofill|disabled|enabled|popover-open|details-content|view-transition[\w-]*(?:\([^)]*\))?|-webkit-[\w-]+|file-selector-button)(?![\w-])/g;
    const matches = (selector: string) => {
      const lasting = selector.replace(MOMENTARY, "").replace(/:(?:not|is|where|has)\(\s*\)/g, "");
      // What is left of "::selection" or of "a > :focus + b" still has to name something.
      const named = lasting
        .replace(/^\s*(?=$|[>+~])/, "* ")
        .replace(/([>+~])\s*(?=$|[>+~])/g, "$1 * ")
        .replace(/\s\s+(?=[>+~])/g, " * ");
      return document.querySelector(named) !== null;
    };
    const split = (list: string) => list.split(/,(?![^(]*\))/).map((part) => part.trim());
    const selectors = new Set<string>();
    const properties = new Set<string>();
    const animations = new Set<string>();
    let text = "";
    const read = (rules: CSSRuleList, parent: string) => {
      for (const rule of rules) {
        let scope = parent;
        if (rule instanceof CSSStyleRule) {
          const own = split(rule.selectorText);
          const full = own.flatMap((part) => {
            if (parent === "") return [part];
            return [part.includes("&") ? part.replaceAll("&", parent) : `${parent} ${part}`];
          });
          for (const selector of full) selectors.add(selector);
          scope = full.length > 1 ? `:is(${full.join(", ")})` : (full[0] ?? "");
          for (const name of rule.style) if (name.startsWith("--")) properties.add(name);
        }
        if (rule instanceof CSSKeyframesRule) animations.add(rule.name);
        else if (rule instanceof CSSGroupingRule || rule instanceof CSSStyleRule)
          read(rule.cssRules, scope);
      }
    };
    for (const sheet of document.styleSheets) {
      text += sheet.ownerNode?.textContent ?? "";
      read(sheet.cssRules, "");
    }
    const all = [...selectors];
    return {
      selectors: all,
      matched: all.filter(matches),
      properties: [...properties],
      animations: [...animations],
      text,
    };
  });
}
