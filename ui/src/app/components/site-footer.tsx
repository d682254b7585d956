import { useCurrentDate } from "./current-date";
import { NavLink } from "./nav-link";
import { AppName } from "./setting-texts";

/** PAGE-2. The spaces separate the links if there is no style sheet (PAGE-21). */
export function SiteFooter() {
  const year = useCurrentDate().slice(0, 4);
  return (
    <footer className="site-footer">
      <nav className="link-row" aria-label="Footer">
        <NavLink href="/privacy">Privacy Policy</NavLink> <NavLink href="/terms">Terms of Service</NavLink>{" "}
        <NavLink href="/contact">Contact</NavLink>
      </nav>
      <p>
        {`© ${year} `}
        <AppName />. All rights reserved.
      </p>
    </footer>
  );
}
