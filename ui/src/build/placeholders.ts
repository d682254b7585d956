import defaults from "../settings.json";
import { separated } from "./separated";

type Setting = keyof typeof defaults | "origin";

/** Placeholders that the server replaces by its settings, escaped for the syntax of the file. */
export const placeholders = placeholdersWith("");

/** The same placeholders inside of a JSON string. */
export const jsonPlaceholders = placeholdersWith(":json");

function placeholdersWith(suffix: string): Readonly<Record<Setting, string>> {
  const settings = Object.keys({ ...defaults, origin: "" });
  const entries = settings.map((setting) => [setting, `{{${separated(setting, "_")}${suffix}}}`]);
  return Object.fromEntries(entries);
}

/** A section that the server removes if no origin is configured. */
export function sectionWithOrigin(text: string): string {
  return `{{#origin}}${text}{{/origin}}`;
}
