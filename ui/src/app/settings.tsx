import { createContext, type ReactNode, use } from "react";

/** What an operator can set, and the day on which the pages were prerendered (YYYY-MM-DD). */
export interface Settings {
  readonly appName: string;
  readonly supportEmail: string;
  readonly built: string;
}

const SettingsContext = createContext<Settings | null>(null);

export function SettingsProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

export function useSettings(): Settings {
  const settings = use(SettingsContext);
  if (!settings) throw new Error("useSettings needs a SettingsProvider above it");
  return settings;
}
