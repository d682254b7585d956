import { HeroPicture } from "../components/hero-picture";
import { NavLink } from "../components/nav-link";

export function Landing() {
  return (
    <div className="hero">
      <div>
        <h1 tabIndex={-1}>Extract and log your favourite tiktok recipes using AI</h1>
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
