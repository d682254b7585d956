import { NavLink } from "./nav-link";

/** The link to the landing page above a title. A drawn arrow is no part of its text (PAGE-4). */
export function BackLink({ drawn }: { drawn?: boolean }) {
  return (
    <NavLink href="/" className="back-link">
      {drawn ? <span className="arrow" aria-hidden="true" /> : <span className="arrow">←</span>} Back to Home
    </NavLink>
  );
}
