import type { MouseEvent, ReactNode } from "react";
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
    <Link href={href} className={className} aria-current={path === href ? "page" : undefined} onClick={followMirror}>
      {children}
    </Link>
  );

  /** A mirror of the site has changed the links of the document. They lead to its other documents. */
  function followMirror(event: MouseEvent<HTMLAnchorElement>) {
    const { currentTarget } = event;
    if (currentTarget.getAttribute("href") === href) return;
    event.preventDefault();
    location.assign(currentTarget.href);
  }
}
