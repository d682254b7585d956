import type { ReactNode } from "react";
import { useSettings } from "../settings";
import { NavLink, type Path } from "./nav-link";

/** A link inside the site in a printable text. Print shows its address, which is absolute with an origin (PAGE-34). */
export function TextLink({ href, children }: { href: Path; children: ReactNode }) {
  const { origin = "" } = useSettings();
  return (
    <span className="text-link" data-address={origin + href}>
      <NavLink href={href}>{children}</NavLink>
    </span>
  );
}
