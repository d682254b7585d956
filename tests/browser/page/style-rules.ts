import type { Page } from "@playwright/test";

/** The rules in a page's style sheets, and those that match the page. */
export interface StyleUsage {
  /** The selectors of all rules. */
  readonly selectors: readonly string[];
  /** The selectors that match an element. */
  readonly matched: readonly string[];
  /** The custom properties. */
  readonly properties: readonly string[];
  /** The names of the keyframes rules. */
  readonly animations: readonly string[];
  /** The text of the style sheets, to find uses of properties and animations. */
  readonly text: string;
}

/**
 * Reads every rule, including nested and conditional ones. A selector matches if an element matches
 * it without its pseudo-elements and the pseudo-classes of temporary states (hover, focus, …).
 */
export async function styleUsage(page: Page): Promise<StyleUsage> {
  return page.evaluate(() => {
    const TEMPORARY =
      /::?(?:before|after|placeholder|selection|marker|backdrop|hover|active|focus-visible|focus-within|focus|visited|link|any-link|target|user-invalid|user-valid|invalid|valid|placeholder-shown|autofill|disabled|enabled|popover-open|details-content|view-transition[\w-]*(?:\([^)]*\))?|-webkit-[\w-]+|file-selector-button)(?![\w-])/g;
    const matches = (selector: string) => {
      const permanent = selector
        .replace(TEMPORARY, "")
        .replace(/:(?:not|is|where|has)\(\s*\)/g, "");
      // "::selection" and "a > :focus + b" need a type selector in place of the removed parts.
      const complete = permanent
        .replace(/^\s*(?=$|[>+~])/, "* ")
        .replace(/([>+~])\s*(?=$|[>+~])/g, "$1 * ")
        .replace(/\s\s+(?=[>+~])/g, " * ");
      return document.querySelector(complete) !== null;
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
