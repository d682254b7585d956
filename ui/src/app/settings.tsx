import { createContext, type ReactNode, use } from "react";

export interface Settings {
  /** Set by the operator of the server. */
  readonly appName: string;
  /** Set by the operator of the server. */
  readonly supportEmail: string;
  /** YYYY-MM-DD */
  readonly buildDate: string;
}

const SettingsContext = createContext<Settings | null>(null);

export function SettingsProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

export function useSettings(): Settings {
  const settings = use(SettingsContext);
  if (!settings) throw new Error("useSettings is called outside of a SettingsProvider");
  return settings;
}
