// Random shapes. The random numbers have a fixed seed, so that each run generates the same bytes.

/** A function that returns pseudo-random numbers in [low, high), from the generator mulberry32. */
export function seededRandom(seed) {
  let state = seed >>> 0;
  const unit = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
  return (low = 0, high = 1) => low + unit() * (high - low);
}

/** Rounds to one decimal, which is less than a device pixel at a device pixel ratio of 3. */
export const round = (value) => Math.round(value * 10) / 10;

/** For outlines without corners, which hide an error of a quarter. */
const toHalves = (value) => Math.round(value * 2) / 2;

/**
 * The path of a closed Catmull-Rom spline through the points, as cubic Bézier curves. The first control point of each is
 * the reflection of the one before it, so `S` leaves it out.
 */
export function closedCurve(points) {
  const at = (index) => points[(index + points.length) % points.length];
  const control = (index, side) =>
    at(index).map((value, axis) => value + (side * (at(index + 1)[axis] - at(index - 1)[axis])) / 6);
  const segments = points.map((_, index) => [control(index + 1, -1), at(index + 1)].flat().map(toHalves).join(" "));
  return `M${points[0].map(toHalves).join(" ")}C${control(0, 1).map(toHalves).join(" ")} ${segments.join("S")}Z`;
}

/**
 * An irregular disc. `wobble` is the maximum deviation of its edge, as a fraction of the radius. Discs of a radius have one
 * outline, which nobody sees and which compresses well.
 */
export function blob(x, y, radius, { points, wobble, squash }) {
  const random = seededRandom(radius);
  const turn = random(0, Math.PI);
  const corners = Array.from({ length: points }, (_, index) => {
    const angle = (index / points) * 2 * Math.PI;
    const reach = radius * (1 + random(-wobble, wobble));
    const [along, across] = [Math.cos(angle) * reach, Math.sin(angle) * reach * squash];
    return [x + along * Math.cos(turn) - across * Math.sin(turn), y + along * Math.sin(turn) + across * Math.cos(turn)];
  });
  return closedCurve(corners);
}

/**
 * A disc with a wavy edge, such as a puddle. Each wave is [number of crests, height as a fraction of the radius].
 */
export function wavyDisc(random, x, y, radius, waves, points = 24) {
  const phases = waves.map(() => random(0, 2 * Math.PI));
  const edge = Array.from({ length: points }, (_, index) => {
    const angle = (index / points) * 2 * Math.PI;
    const swell = waves.reduce(
      (sum, [count, height], wave) => sum + height * Math.cos(count * angle + phases[wave]),
      1,
    );
    return [x + Math.cos(angle) * radius * swell, y + Math.sin(angle) * radius * swell];
  });
  return closedCurve(edge);
}

/** Discs as one path. All have the same direction, so that the fill covers their union. */
export function discs(circles) {
  return circles
    .map(([x, y, radius]) => {
      const across = round(2 * radius);
      return `M${round(x - radius)} ${round(y)}a${radius} ${radius} 0 1 1 ${across} 0a${radius} ${radius} 0 1 1-${across} 0`;
    })
    .join("");
}
