const picture = sitePath(new URL("../../art/phone.svg", import.meta.url));

export function HeroPicture() {
  return (
    <img
      className="hero-picture"
      src={picture}
      // For pages without styles (PAGE-21), and as the ratio. hero.css sets the width.
      width="260"
      height="320"
      fetchPriority="high"
      alt="A paused cooking video of eggs in tomato sauce, and a dotted line that carries its ingredients to a phone with the recipe: Skillet shakshuka."
    />
  );
}

/**
 * The path of a bundled file on the site. Parcel gives URLs relative to the bundle, and the bundle of the prerender is
 * in another folder than the bundle of the browser. The site has all bundled files in its root.
 */
function sitePath({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/"));
}
