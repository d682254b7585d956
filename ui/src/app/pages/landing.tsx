import { HeroPicture } from "../components/hero-picture";
import { Icon } from "../components/icon";
import { NavLink } from "../components/nav-link";
import { useSettings } from "../settings";

/** The social picture shows it, too, and the text alternative of that picture contains it. */
export const headline = "Extract and log your favourite tiktok recipes using AI";

/** PAGE-3 */
export function Landing() {
  const { appStoreUrl, playStoreUrl } = useSettings();
  return (
    <div className="hero">
      <div>
        <h1 tabIndex={-1}>{headline}</h1>
        <p className="hero-subheading">
          Turn your TikTok cooking discoveries into organized recipes with the power of AI
        </p>
        <div className="hero-links">
          <StoreBadge href={appStoreUrl} store="App Store" icon="appStore" />
          <StoreBadge href={playStoreUrl} store="Google Play" icon="play" />
          <NavLink href="/contact" className="button">
            Get in Touch
          </NavLink>
        </div>
      </div>
      <HeroPicture />
    </div>
  );
}

/**
 * A link to the app in a store, if it is there. The space separates it from the link after it (PAGE-21). The prerender
 * searches for the link and the space, and puts both into the section of the setting.
 */
function StoreBadge({ href, store, icon }: { href: string | undefined; store: string; icon: "appStore" | "play" }) {
  if (!href) return null;
  return (
    <>
      <a href={href} className="button store-badge" aria-label={`Install from ${store}`}>
        <Icon shape={icon} />
        {store}
      </a>{" "}
    </>
  );
}
