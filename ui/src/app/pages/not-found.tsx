import { useEffect } from "react";
import { useLocation } from "wouter";
import { Egg } from "../components/egg";
import { NavLink } from "../components/nav-link";

/** PAGE-14. Its message on the console is the only one of the site (PAGE-38). */
export function NotFound() {
  const [path] = useLocation();

  useEffect(() => {
    console.error("404: there is no page at", path);
  }, [path]);

  return (
    <div className="not-found">
      {/* Browsers that force dark colours on a page change the colour of texts, and not of drawings. */}
      <div className="not-found-code" aria-hidden="true">
        <span>4</span>
        <Egg />
        <span>4</span>
      </div>
      <div>
        <h1 tabIndex={-1}>Oops! Page not found</h1>
        <NavLink href="/" className="button">
          Return to Home
        </NavLink>
      </div>
    </div>
  );
}
