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
      {/* A drawing, because its width is that of the page whatever the spacing of the text is. The shadow is below its line, at 76. */}
      <svg
        className="not-found-code"
        viewBox="0 -2.5 192 83.5"
        width="64"
        height="27.8"
        fill="currentColor"
        aria-hidden="true"
      >
        <text x="-1" y="56">
          4
        </text>
        <g transform="translate(57.2-2.9)scale(1.73)">
          <Egg />
        </g>
        <text x="137" y="56">
          4
        </text>
      </svg>
      <div>
        <h1 tabIndex={-1}>Oops! Page not found</h1>
        <NavLink href="/" className="button">
          Return to Home
        </NavLink>
      </div>
    </div>
  );
}
