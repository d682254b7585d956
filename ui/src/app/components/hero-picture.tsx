import { type RefObject, useEffect, useRef, useState } from "react";
import { preload } from "react-dom";

// Half of the size of the file: for pages without styles (PAGE-21), and as the ratio. hero.css sets the width.
const narrow = { width: 215, height: 295 };
const wide = { width: 275, height: 304 };

const light = sitePath(new URL("../../art/hero-wide-light.svg", import.meta.url));

/** The browser loads one of the files. The widths are those of hero.css. */
const sources = [
  {
    media: "(max-width: 34.99rem) and (prefers-color-scheme: light)",
    srcSet: sitePath(new URL("../../art/hero-narrow-light.svg", import.meta.url)),
    ...narrow,
  },
  {
    media: "(max-width: 34.99rem) and (prefers-color-scheme: dark)",
    srcSet: sitePath(new URL("../../art/hero-narrow-dark.svg", import.meta.url)),
    ...narrow,
  },
  {
    media: "(min-width: 35rem) and (prefers-color-scheme: dark)",
    srcSet: sitePath(new URL("../../art/hero-wide-dark.svg", import.meta.url)),
    ...wide,
  },
  { media: "(min-width: 35rem) and (prefers-color-scheme: light)", srcSet: light, ...wide },
];

export function HeroPicture() {
  const image = useRef<HTMLImageElement>(null);
  const kept = useKeptPicture(image);
  // React does so by itself for a picture with one file only.
  for (const { media, srcSet } of sources) preload(srcSet, { as: "image", fetchPriority: "high", media });
  return (
    <picture className="hero-picture">
      {/* Even if it is printed during the animation, paper shows the last frame (PAGE-34). */}
      {!kept && <source media="print" srcSet={`${light}#end`} {...wide} />}
      {!kept && sources.map((source) => <source key={source.media} {...source} />)}
      <img
        ref={image}
        src={kept || light}
        {...wide}
        fetchPriority="high"
        alt="A paused cooking video of eggs in tomato sauce, and its ingredients on their way to a phone with the recipe: Skillet shakshuka."
      />
    </picture>
  );
}

/**
 * The picture that was seen, once the one that a turned phone or another colour scheme asks for cannot be loaded. Chromium
 * would show none then, without an error event.
 */
function useKeptPicture(image: RefObject<HTMLImageElement | null>): string {
  const [kept, setKept] = useState("");
  useEffect(() => {
    let seen = "";
    const queries = sources.map(({ media, srcSet }) => {
      const query = matchMedia(media);
      if (query.matches) seen = srcSet;
      query.onchange = async () => {
        if (!query.matches) return;
        try {
          // Another use of the picture, by which it could be tried, can stop its animation for good in Chromium.
          await image.current?.decode();
          seen = srcSet;
        } catch {
          setKept(seen);
        }
      };
      return query;
    });
    return () => {
      for (const query of queries) query.onchange = null;
    };
  }, [image]);
  return kept;
}

/**
 * The path of a bundled file on the site. Parcel gives URLs relative to the bundle, and the bundle of the prerender is
 * in another folder than the bundle of the browser. The site has all bundled files in its root.
 */
function sitePath({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/"));
}
