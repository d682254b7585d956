import { optionalSettings } from "../app/settings";
import defaults from "../settings.json";

/** Placeholders without a default. The server takes `appStoreId`, which is no setting, from `appStoreUrl`. */
const optional = [...optionalSettings, "appStoreId"] as const;

type Optional = (typeof optional)[number];

/** Placeholders that the server replaces by its settings, escaped for the syntax of the file. */
export const placeholders = placeholdersWith("");

/** The same placeholders for JSON inside of an HTML document. In a JSON file, `placeholders` are escaped for JSON. */
export const jsonPlaceholders = placeholdersWith(":json");

function placeholdersWith(suffix: string): Readonly<Record<keyof typeof defaults | Optional, string>> {
  const names = [...Object.keys(defaults), ...optional];
  const entries = names.map((name) => [name, `{{${separateWords(name, "_")}${suffix}}}`]);
  return Object.fromEntries(entries);
}

/** The mark of a section: its start if it needs a value ("#") or has to have none ("^"), or its end. */
export function sectionMark(mark: "#" | "^" | "/", setting: Optional): string {
  return `{{${mark}${separateWords(setting, "_")}}}`;
}

/** A section that the server removes if the setting has no value. */
export function sectionWith(setting: Optional, text: string): string {
  return sectionMark("#", setting) + text + sectionMark("/", setting);
}

export const sectionWithOrigin = (text: string) => sectionWith("origin", text);

/** `app-name` for `appName` and "-". */
export function separateWords(camelCase: string, separator: string): string {
  return camelCase.replaceAll(/[A-Z]/g, (letter) => separator + letter.toLowerCase());
}
