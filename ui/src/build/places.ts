/**
 * The named places of the prerendered files. The server fills them from its
 * settings and escapes for the kind of file; `:json` escapes for a JSON string.
 */
export const places = {
  appName: "{{app_name}}",
  supportEmail: "{{support_email}}",
  origin: "{{origin}}",
} as const;

export const jsonPlaces = {
  appName: "{{app_name:json}}",
  supportEmail: "{{support_email:json}}",
  origin: "{{origin:json}}",
} as const;

/** Kept only where the server knows its own origin. */
export function withOrigin(text: string): string {
  return `{{#origin}}${text}{{/origin}}`;
}
