import { useSettings } from "../settings";
import { BrandMark } from "./brand-mark";
import { NavLink } from "./nav-link";

/** PAGE-2 */
export function SiteHeader() {
  const { appName } = useSettings();
  return (
    <header className="site-header">
      <NavLink href="/" className="brand">
        <BrandMark />
        {appName}
      </NavLink>{" "}
      <nav className="link-row" aria-label="Main">
        <NavLink href="/contact">Contact</NavLink> <NavLink href="/privacy">Privacy</NavLink>
      </nav>
    </header>
  );
}
