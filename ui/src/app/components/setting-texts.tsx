import { useSettings } from "../settings";

/** The product's name in a text. No translation changes it, and a name from right to left moves no sign beside it. */
export function AppName() {
  return <bdi translate="no">{useSettings().appName}</bdi>;
}

/** The support address as a mail link, which no translation changes. */
export function SupportLink() {
  const { supportEmail } = useSettings();
  return (
    <a href={`mailto:${supportEmail}`} translate="no">
      {supportEmail}
    </a>
  );
}
