import mark from "../../art/mark.json";

/** The fried egg of the mark, in the light of the dish in the hero picture. The box ends where the egg ends, below. */
export function Egg({ className }: { className: string }) {
  const { white, yolk } = mark;
  return (
    <svg className={className} viewBox="10 10 45 44.25" width="45" height="44.25" overflow="visible" aria-hidden="true">
      <radialGradient id="egg-white" cx=".44" cy=".42" r=".58">
        <stop offset=".5" stopColor="#fffdf8" />
        <stop offset=".84" stopColor="#fff3e0" />
        <stop offset=".96" stopColor="#f6cfa8" />
        <stop offset="1" stopColor="#dca06a" />
      </radialGradient>
      <radialGradient id="egg-shade">
        <stop offset=".8" stopColor="#d98c3fa6" />
        <stop offset="1" stopColor="#d98c3f00" />
      </radialGradient>
      <radialGradient id="egg-yolk" cx=".38" cy=".34" r=".72">
        <stop stopColor="#ffe46b" />
        <stop offset=".4" stopColor="#ffc021" />
        <stop offset=".8" stopColor="#fb9a0d" />
        <stop offset="1" stopColor="#dd6f04" />
      </radialGradient>
      <radialGradient id="egg-gleam">
        <stop stopColor="#fffffff2" />
        <stop offset="1" stopColor="#ffffff00" />
      </radialGradient>
      <filter id="egg-blur">
        <feGaussianBlur stdDeviation=".7" />
      </filter>
      <path fill="#8a4a0059" filter="url(#egg-blur)" transform="translate(.4 .9)" d={white.path} />
      <path fill="url(#egg-white)" d={white.path} />
      <circle fill="url(#egg-shade)" cx="33.5" cy="33.8" r="14.5" />
      <g className="yolk">
        <circle fill="url(#egg-yolk)" cx={yolk.x} cy={yolk.y} r={yolk.radius} />
        <ellipse fill="url(#egg-gleam)" rx="5.5" ry="3.5" transform="translate(28 26.8)rotate(-34)" />
        <path
          fill="none"
          stroke="#ffe9a880"
          strokeWidth=".8"
          strokeLinecap="round"
          d="M36 41.8A9.8 9.8 0 0 0 42.3 35.5"
        />
      </g>
    </svg>
  );
}
