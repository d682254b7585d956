import mark from "../../art/mark.json";

/** The fried egg of the mark without the play button, for an `<svg>` with a width of 64 units. */
export function Egg() {
  const { white, yolk } = mark;
  return (
    <>
      <path fill={white.color} d={white.path} />
      <circle fill={yolk.color} cx={yolk.x} cy={yolk.y} r={yolk.radius} />
    </>
  );
}
