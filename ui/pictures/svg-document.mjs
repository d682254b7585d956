/** An SVG document. Titles describe the drawing and omit the product's name, which is a setting of the server. */
export function svgDocument({ width, height, title, id = "" }, drawing) {
  return `<svg xmlns="http://www.w3.org/2000/svg"${id && ` id="${id}"`} width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${title}</title>${drawing}</svg>`;
}
