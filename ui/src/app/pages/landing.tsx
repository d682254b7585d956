import { HeroPicture } from "../components/hero-picture";
import { NavLink } from "../components/nav-link";

/** The social picture shows it, too, and the text alternative of that picture contains it. */
export const headline = "Extract and log your favourite tiktok recipes using AI";

/** PAGE-3 */
export function Landing() {
  return (
    <div className="hero">
      <div>
        <h1 tabIndex={-1}>{headline}</h1>
        <p className="hero-subheading">
          Turn your TikTok cooking discoveries into organized recipes with the power of AI
        </p>
        <NavLink href="/contact" className="button">
          Get in Touch
        </NavLink>
      </div>
      <HeroPicture />
    </div>
  );
}
