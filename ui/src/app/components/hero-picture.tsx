import { rooted } from "../rooted";

const picture = rooted(new URL("../../art/phone.svg", import.meta.url));

/** The product's moment: a short cooking video turning into a recipe on a phone. */
export function HeroPicture() {
  return (
    <img
      className="hero-picture"
      src={picture}
      width="520"
      height="640"
      fetchPriority="high"
      alt="A paused cooking video of eggs in tomato sauce, and beside it a phone with the recipe that it became, Skillet shakshuka: 25 minutes, serves 2, five ingredients with amounts and ticks, numbered steps, and the clip that it was saved from. A dotted line carries 4 eggs, 2 tsp paprika and 60 g feta from the one to the other."
    />
  );
}
