import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

/** The path of a page. routes.ts has a page for each, so the compiler finds a link that leads nowhere. */
export type Path = "/" | "/privacy" | "/terms" | "/contact";

interface NavLinkProps {
  href: Path;
  className?: string;
  children: ReactNode;
}

/** A link inside the site that sets `aria-current` on the current page, which wouter's `Link` does not (PAGE-16). */
export function NavLink({ href, className, children }: NavLinkProps) {
  const [path] = useLocation();
  return (
    <Link href={href} className={className} aria-current={path === href ? "page" : undefined}>
      {children}
    </Link>
  );
}
