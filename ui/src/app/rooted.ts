/**
 * The address on the site of a file that Parcel names. Parcel gives it relative to
 * the bundle, and the bundle that prerenders lies in another folder than the one
 * that the browser loads; the file's name is the same, and the site is flat.
 */
export function rooted({ pathname }: URL): string {
  return pathname.slice(pathname.lastIndexOf("/"));
}
