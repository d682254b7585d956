import { HeroPicture } from "../components/hero-picture";
import { Icon } from "../components/icon";
import { NavLink } from "../components/nav-link";
import { WithSetting } from "../settings";

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
        <div className="hero-links">
          <StoreBadge setting="appStoreUrl" store="App Store" icon="appStore" />
          <StoreBadge setting="playStoreUrl" store="Google Play" icon="play" />
          <NavLink href="/contact" className="button">
            Get in Touch
          </NavLink>
        </div>
      </div>
      <HeroPicture />
    </div>
  );
}

interface StoreBadgeProps {
  setting: "appStoreUrl" | "playStoreUrl";
  store: string;
  icon: "appStore" | "play";
}

/** A link to the app in a store, if it is there. The space separates it from the link after it (PAGE-21). */
function StoreBadge({ setting, store, icon }: StoreBadgeProps) {
  return (
    <WithSetting setting={setting}>
      {(href) => (
        <>
          <a href={href} className="button store-badge" aria-label={`Install from ${store}`}>
            <Icon shape={icon} />
            {store}
          </a>{" "}
        </>
      )}
    </WithSetting>
  );
}
