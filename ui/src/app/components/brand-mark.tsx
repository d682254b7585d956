import { Egg } from "./egg";

/** The mark of public/icon.svg, inline: it stands in the first view and must not wait for a request. */
export function BrandMark() {
  return (
    <svg viewBox="0 0 64 64" width="36" height="36" aria-hidden="true">
      <rect className="egg-tile" fill="#b62a14" width="64" height="64" rx="15" />
      <Egg />
      <path
        className="egg-tile"
        fill="#b62a14"
        d="M29.2 26.6v10.8q0 1.9 1.7 1l8.8-5.4q1.5-1 0-2l-8.8-5.4q-1.7-.9-1.7 1"
      />
    </svg>
  );
}
