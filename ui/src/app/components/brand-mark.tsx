import mark from "../../art/mark.json";

/** The mark as in public/icon.svg. It is inline because it is in the first view, where a request would delay it. */
export function BrandMark() {
  const { tile, white, yolk, play } = mark;
  return (
    <svg viewBox="0 0 64 64" width="36" height="36" aria-hidden="true">
      <rect fill={tile.color} width="64" height="64" rx={tile.radius} />
      <path fill={white.color} d={white.path} />
      <circle fill={yolk.color} cx={yolk.x} cy={yolk.y} r={yolk.radius} />
      <path fill={tile.color} d={play.path} />
    </svg>
  );
}
