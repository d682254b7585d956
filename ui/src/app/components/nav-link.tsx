import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

interface NavLinkProps {
  href: string;
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
