import { createContext, type ReactNode, use } from "react";
import type defaults from "../settings.json";

/** The settings without a default. */
export const optionalSettings = ["origin", "appStoreUrl", "playStoreUrl", "contactUrl"] as const;

export type OptionalSetting = (typeof optionalSettings)[number];

type OptionalSettings = Partial<Record<OptionalSetting, string | undefined>>;

/** The settings as the operator set them (PAGE-22), and the day of the build (YYYY-MM-DD). */
export type Settings = Readonly<typeof defaults & OptionalSettings & { buildDate: string }>;

const SettingsContext = createContext<Settings | null>(null);

export function SettingsProvider({ settings, children }: { settings: Settings; children: ReactNode }) {
  return <SettingsContext value={settings}>{children}</SettingsContext>;
}

/** Without the settings that only `WithSetting` shows. Addresses are complete without an origin. */
export function useSettings(): Omit<Settings, Exclude<OptionalSetting, "origin">> {
  const settings = use(SettingsContext);
  if (!settings) throw new Error("useSettings is called outside of a SettingsProvider");
  return settings;
}

type Section = (setting: OptionalSetting, content: ReactNode, otherwise: ReactNode) => ReactNode;

/** Renders both cases of `WithSetting` as sections of the template. Only the prerender has it. */
export const SectionContext = createContext<Section | null>(null);

interface WithSettingProps {
  setting: OptionalSetting;
  children: (value: string) => ReactNode;
  otherwise?: ReactNode;
}

/** What exists only if the operator has set `setting` (PAGE-22), and what exists otherwise. */
export function WithSetting({ setting, children, otherwise = null }: WithSettingProps) {
  const value = use(SettingsContext)?.[setting];
  const section = use(SectionContext);
  if (section) return section(setting, children(value as string), otherwise);
  return value ? children(value) : otherwise;
}
