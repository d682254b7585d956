import { createContext, type ReactNode, use } from "react";
import type defaults from "../settings.json";

/** The settings without a default. */
export const optionalSettings = ["origin", "appStoreUrl", "playStoreUrl"] as const;

export type OptionalSetting = (typeof optionalSettings)[number];

type OptionalSettings = Partial<Record<OptionalSetting, string | undefined>>;

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

/** Marks what exists only with a setting. The prerender marks a section of the template; the browser has no marks. */
export const SectionContext = createContext((_setting: OptionalSetting, content: ReactNode) => content);

/** What exists only if the operator has set `setting` (PAGE-22). */
export function WithSetting(props: { setting: OptionalSetting; children: (value: string) => ReactNode }) {
  const value = useSettings()[props.setting];
  const section = use(SectionContext);
  return value ? section(props.setting, props.children(value)) : null;
}
