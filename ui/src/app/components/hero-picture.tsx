import { preload } from "react-dom";
import words from "../../words.json";

// Half of the size of the file: for pages without styles (PAGE-21), and as the ratio. hero.css sets the width.
const narrow = { width: 215, height: 295 };
const wide = { width: 275, height: 304 };

const files = {
  narrowLight: sitePath(new URL("../../art/hero-narrow-light.svg", import.meta.url)),
  narrowDark: sitePath(new URL("../../art/hero-narrow-dark.svg", import.meta.url)),
  wideLight: sitePath(new URL("../../art/hero-wide-light.svg", import.meta.url)),
  wideDark: sitePath(new URL("../../art/hero-wide-dark.svg", import.meta.url)),
};

/** The windows of hero.css in which the picture is as wide as the window, and all others. */
const [ofNarrow, ofWide] = ["(max-width: 34.99rem) and", "(min-width: 35rem) and"];
const [inLight, inDark] = ["(prefers-color-scheme: light)", "(prefers-color-scheme: dark)"];

/** The browser loads one of the files. */
const sources = [
  { media: `${ofNarrow} ${inLight}`, srcSet: files.narrowLight, ...narrow },
  { media: `${ofNarrow} ${inDark}`, srcSet: files.narrowDark, ...narrow },
  { media: `${ofWide} ${inDark}`, srcSet: files.wideDark, ...wide },
  { media: `${ofWide} ${inLight}`, srcSet: files.wideLight, ...wide },
];

export function HeroPicture() {
  // React does so by itself for a picture with one file only.
  for (const { media, srcSet } of sources) preload(srcSet, { as: "image", fetchPriority: "high", media });
  return (
    <picture className="hero-picture">
      {/* Even if it is printed during the animation, paper shows the last frame (PAGE-34). */}
      <source media="print" srcSet={`${files.wideLight}#end`} {...wide} />
      {sources.map((source) => (
        <source key={source.media} {...source} />
      ))}
      <img src={files.wideLight} {...wide} fetchPriority="high" alt={words.picture} />
    </picture>
  );
}

/**
 * The path of a bundled file on the site. Parcel gives URLs relative to the bundle, and the bundle of the prerender is
 * in another folder than the bundle of the browser. The site has all bundled files in its root.
 */
function sitePath({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/"));
}
