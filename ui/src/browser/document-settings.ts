import type { Settings } from "../app/settings";
import defaults from "../settings.json";

/** The settings that the prerendered document carries; `npm run dev` serves a bare shell without any. */
export function documentSettings(): Settings {
  const { appName, supportEmail, built } = document.documentElement.dataset;
  if (appName && supportEmail && built) return { appName, supportEmail, built };
  if (process.env.NODE_ENV === "production") throw new Error("This document was not prerendered");
  return { ...defaults, built: new Date().toISOString().slice(0, 10) };
}
