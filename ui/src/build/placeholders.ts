import defaults from "../settings.json";
import { separated } from "./separated";

/** Settings without a default. The number of the app is a part of its address in the App Store. */
const optional = { origin: "", appStoreUrl: "", appStoreId: "", playStoreUrl: "" };

type Setting = keyof typeof defaults | keyof typeof optional;

/** Placeholders that the server replaces by its settings, escaped for the syntax of the file. */
export const placeholders = placeholdersWith("");

/** The same placeholders inside of a JSON string. */
export const jsonPlaceholders = placeholdersWith(":json");

function placeholdersWith(suffix: string): Readonly<Record<Setting, string>> {
  const settings = Object.keys({ ...defaults, ...optional });
  const entries = settings.map((setting) => [setting, `{{${separated(setting, "_")}${suffix}}}`]);
  return Object.fromEntries(entries);
}

/** A section that the server removes if the setting has no value. */
export function sectionWith(setting: keyof typeof optional, text: string): string {
  const name = separated(setting, "_");
  return `{{#${name}}}${text}{{/${name}}}`;
}

export const sectionWithOrigin = (text: string) => sectionWith("origin", text);
