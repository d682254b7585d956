import { createContext, type ReactNode, use } from "react";
import type defaults from "../settings.json";

/** The settings without a default. */
export const optionalSettings = ["origin", "appStoreUrl", "playStoreUrl"] as const;

type OptionalSettings = Partial<Record<(typeof optionalSettings)[number], string | undefined>>;

/** The settings as the operator set them (PAGE-22), and the day of the build (YYYY-MM-DD). */
export type Settings = Readonly<typeof defaults & OptionalSettings & { buildDate: string }>;

const SettingsContext = createContext<Settings | null>(null);

export function SettingsProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

export function useSettings(): Settings {
  const settings = use(SettingsContext);
  if (!settings) throw new Error("useSettings is called outside of a SettingsProvider");
  return settings;
}
