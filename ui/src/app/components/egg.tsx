import mark from "../../art/mark.json";

/** Yolk that runs over the white and its edge. */
const RUN =
  "M24 38c.5 5 2 8.5 5.5 10.5c3 1.7 5.5 1.5 7.5 2.7c1.6 1 1.5 2.8 2 4.3c.6 1.8 3.3 2 4 0c.6-1.9-.4-3.7 .6-5.8c1.6-3.2 2.4-8.7 .4-13.2l-3-4z";

/**
 * The fried egg of the mark, drawn as the eggs of the dish in the hero picture. In a box of another shape, it is at the lower
 * left (contact.css). The yolk of a broken one runs, for a recipe that came out wrong.
 */
export function Egg({ className, broken }: { className?: string; broken?: boolean }) {
  const { white, yolk } = mark;
  return (
    <svg
      className={className}
      viewBox="10 9 47 48"
      width="47"
      height="48"
      preserveAspectRatio="xMinYMax"
      overflow="visible"
      aria-hidden="true"
    >
      {/* Browsers that force dark colours on a page turn light stops black, and keep a flat fill: white is flat, shades are dark. */}
      <radialGradient id="egg-edge" cx=".4" cy=".36" r=".68">
        <stop offset=".6" stopColor="#c9741f00" />
        <stop offset=".82" stopColor="#c9741f1a" />
        <stop offset="1" stopColor="#c9741f99" />
      </radialGradient>
      <radialGradient id="egg-shadow">
        <stop offset=".88" stopColor="#b9732f9e" />
        <stop offset="1" stopColor="#b9732f00" />
      </radialGradient>
      <radialGradient id="egg-yolk" cx=".38" cy=".34" r=".72">
        <stop stopColor="#ffc02100" />
        <stop offset=".4" stopColor="#ffc021" />
        <stop offset=".8" stopColor="#fb9a0d" />
        <stop offset="1" stopColor="#dd6f04" />
      </radialGradient>
      <filter id="egg-blur" x="-1" y="-1" width="3" height="3">
        <feGaussianBlur stdDeviation=".8" />
      </filter>
      <path fill="#2e100066" filter="url(#egg-blur)" transform="translate(.6 1.2)" d={white.path} />
      {/* The browned edge is what the white, moved and turned, leaves of two outlines. */}
      <path fill="#b8752f" stroke="#b8752f" strokeWidth=".5" transform="translate(.05 .4)" d={white.path} />
      <path fill="#dba45c" transform="rotate(2.5 31.5 32.4)translate(.1 .1)scale(.994)" d={white.path} />
      {["var(--color-egg, #fff8ea)", "url(#egg-edge)"].map((fill) => (
        <path key={fill} fill={fill} transform="rotate(-1.5 31.5 32.4)translate(-.1-.25)scale(.994)" d={white.path} />
      ))}
      {/* A blur of 2.4 */}
      <g transform={`translate(${yolk.x - 0.2} ${yolk.y - 0.2})scale(3)`}>
        <circle fill="var(--color-egg, #fffaf0)" filter="url(#egg-blur)" r="5.3" />
      </g>
      <g className="yolk">
        <circle fill="url(#egg-shadow)" cx={yolk.x + 0.9} cy={yolk.y + 1.7} r={yolk.radius + 1.1} />
        {broken && (
          <g className="yolk-run">
            <linearGradient id="egg-run" x1=".35" x2=".6" y2="1">
              <stop offset=".3" stopColor="#ec8c0b" />
              <stop offset=".62" stopColor="#fdaa17" />
              <stop offset="1" stopColor="#ffbf2a" />
            </linearGradient>
            <path fill="#8a4a1080" filter="url(#egg-blur)" transform="translate(.6 .8)" d={RUN} />
            <path fill="url(#egg-run)" d={RUN} />
            <ellipse fill="#fffc" filter="url(#egg-blur)" rx="2.2" ry=".5" transform="translate(33 48.6)rotate(16)" />
          </g>
        )}
        {["#ffe05a", "url(#egg-yolk)"].map((fill) => (
          <circle key={fill} fill={fill} cx={yolk.x} cy={yolk.y} r={yolk.radius} />
        ))}
        <ellipse fill="#fff" filter="url(#egg-blur)" rx="3.2" ry="1.5" transform="translate(28 26.8)rotate(-36)" />
      </g>
      {/* Pepper and paprika */}
      <g strokeWidth=".25" strokeLinejoin="round">
        <path
          fill="#3a0d05"
          stroke="#3a0d05"
          d="M22.7 19.7l.3-.1l.2 .2l-.3 .1zM23.6 16.9l.3-.1l.3 .3l-.4 .2zM47.9 26.4l-.2 .2l-.1-.3zM47.3 28.3l-.1 .2l-.4-.1l.1-.2zM44.8 41.3l.3 .3l-.4 .2l-.1-.2zM25.3 45.5l0-.2l.2 .1zM22.7 45.7l-.2 .3l-.2-.2l.2-.2zM17 29.1l0 .3l-.2-.1zM39.4 17.3l.5-.2l-.1 .4z"
        />
        <path
          fill="#d02410"
          stroke="#d02410"
          d="M20 20.2l.1-.4l.3 .3zM45.3 24.1l.6 .4l-.4 .3l-.4-.1zM43.3 45.4l-.7 .1l-.1-.4l.5-.2zM26.2 48.3l.1-.5l.5 .2l.1 .3zM17.5 25.7l-.3 .3l-.3-.3z"
        />
      </g>
    </svg>
  );
}
