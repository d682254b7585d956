import { createContext, type ReactNode, use } from "react";
import type defaults from "../settings.json";

/** The settings as the operator set them (PAGE-22), and the day of the build (YYYY-MM-DD). */
export type Settings = Readonly<
  typeof defaults & {
    buildDate: string;
    origin?: string | undefined;
    appStoreUrl?: string | undefined;
    playStoreUrl?: string | undefined;
  }
>;

const SettingsContext = createContext<Settings | null>(null);

export function SettingsProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

export function useSettings(): Settings {
  const settings = use(SettingsContext);
  if (!settings) throw new Error("useSettings is called outside of a SettingsProvider");
  return settings;
}
