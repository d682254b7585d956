import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

interface NavLinkProps {
  href: string;
  className?: string;
  children: ReactNode;
}

/** A link inside the site that says so when it leads to the page being shown; wouter's own does not. */
export function NavLink({ href, className, children }: NavLinkProps) {
  const [path] = useLocation();
  return (
    <Link href={href} className={className} aria-current={path === href ? "page" : undefined}>
      {children}
    </Link>
  );
}
