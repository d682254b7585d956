import { BrandMark } from "./brand-mark";
import { NavLink } from "./nav-link";
import { AppName } from "./setting-texts";

/** PAGE-2 */
export function SiteHeader() {
  return (
    <header className="site-header">
      <NavLink href="/" className="brand">
        <BrandMark />
        <AppName />
      </NavLink>{" "}
      <nav className="link-row" aria-label="Main">
        <NavLink href="/contact">Contact</NavLink> <NavLink href="/privacy">Privacy</NavLink>
      </nav>
    </header>
  );
}
