// The development server sends the header fields of the executable's documents, but for what Parcel needs to reload a
// page: its code is inline, evaluates text and opens a socket, and styles are files.

const { readFileSync } = require("node:fs");

const lines = readFileSync("../src/site/document-fields.txt", "utf8")
  .replaceAll("\n ", " ")
  .replace("{scripts}", " 'unsafe-inline' 'unsafe-eval'")
  .replace("{styles}", " 'self' 'unsafe-inline'")
  .replace("{connect}", "'self' ws:")
  .replace("{forms}", "'self'")
  .replace(/; (require-)?trusted-types[^;\n]*/g, "")
  .split("\n")
  .filter((line) => line && !line.startsWith("#"));
const fields = new Map(lines.map((line) => line.split(": ")));

module.exports = (server) => {
  server.use((_request, response, next) => {
    response.setHeaders(fields);
    next();
  });
};
