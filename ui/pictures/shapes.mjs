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

/** The path of a closed Catmull-Rom spline through the points, as cubic Bézier curves. */
export function closedCurve(points) {
  const at = (index) => points[(index + points.length) % points.length];
  const segments = points.map((_, index) => {
    const [before, from, to, after] = [at(index - 1), at(index), at(index + 1), at(index + 2)];
    const control1 = from.map((value, axis) => value + (to[axis] - before[axis]) / 6);
    const control2 = to.map((value, axis) => value - (after[axis] - from[axis]) / 6);
    return `C${[...control1, ...control2, ...to].map(round).join(" ")}`;
  });
  return `M${points[0].map(round).join(" ")}${segments.join("")}Z`;
}

/** An irregular disc. `wobble` is the maximum deviation of its edge, as a fraction of the radius. */
export function blob(random, x, y, radius, { points = 9, wobble = 0.12, squash = 1, turn = 0 } = {}) {
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
