import type { Settings } from "../app/settings";
import defaults from "../settings.json";

/** The settings in the attributes of the prerendered document. The shell that `npm run dev` serves has none. */
export function documentSettings(): Settings {
  const { built: buildDate, ...settings } = document.documentElement.dataset;
  // The build writes an attribute for each setting with a default: if one is present, all are.
  if (buildDate) return { ...(settings as typeof defaults), buildDate };
  if (process.env.NODE_ENV === "production") throw new Error("The document has no settings: it was not prerendered");
  return { ...defaults, buildDate: new Date().toISOString().slice(0, 10) };
}
