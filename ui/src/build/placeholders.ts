/** Placeholders that the server replaces by its settings, escaped for the syntax of the file. */
export const placeholders = {
  appName: "{{app_name}}",
  supportEmail: "{{support_email}}",
  origin: "{{origin}}",
} as const;

/** The same placeholders inside of a JSON string. */
export const jsonPlaceholders = {
  appName: "{{app_name:json}}",
  supportEmail: "{{support_email:json}}",
  origin: "{{origin:json}}",
} as const;

/** A section that the server removes if no origin is configured. */
export function sectionWithOrigin(text: string): string {
  return `{{#origin}}${text}{{/origin}}`;
}
