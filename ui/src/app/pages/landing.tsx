import words from "../../words.json";
import { HeroPicture } from "../components/hero-picture";
import { Icon } from "../components/icon";
import { NavLink } from "../components/nav-link";
import { WithSetting } from "../settings";

/** PAGE-3 */
export function Landing() {
  return (
    <div className="hero">
      <div>
        {/* Beside the picture, a longer headline would leave no room for the button. */}
        <h1 tabIndex={-1} className={words.headline.length > 60 ? "long" : undefined}>
          {words.headline}
        </h1>
        <p className="hero-subheading">{words.subheading}</p>
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
