// The SVG document around a drawing. The title says what is drawn, never the product's name:
// that is the operator's to choose.

export function picture({ width, height, title }, drawing) {
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}"><title>${title}</title>${drawing}</svg>`;
}
