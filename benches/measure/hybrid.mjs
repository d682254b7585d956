// Repeats a handshake with X25519MLKEM768, a request, and the end of the connection:
//   node hybrid.mjs URL COUNT
// Needs Node.js with OpenSSL 3.5, as version 24 has it.
import { connect } from "node:tls";

if (Number.parseFloat(process.versions.openssl) < 3.5) {
  console.error("needs Node.js 24 or newer");
  process.exit(1);
}
const [url, count] = process.argv.slice(2);
const { hostname: host, port, pathname } = new URL(url);
const options = { host, port: Number(port), ecdhCurve: "X25519MLKEM768", rejectUnauthorized: false };
const request = `GET ${pathname} HTTP/1.1\r\nHost: ${host}\r\nAccept-Encoding: br\r\nConnection: close\r\n\r\n`;

function visit() {
  /** @type {PromiseWithResolvers<void>} */
  const { promise, resolve, reject } = Promise.withResolvers();
  const socket = connect(options, () => socket.write(request));
  let isPage = false;
  socket.on("data", (data) => {
    isPage ||= data.toString("latin1").startsWith("HTTP/1.1 200");
  });
  socket.on("end", () => (isPage ? resolve() : reject(new Error("no page"))));
  socket.on("error", reject);
  return promise;
}

let left = Number(count);
async function visits() {
  while (left-- > 0) await visit();
}
try {
  await Promise.all(Array.from({ length: 50 }, visits));
} catch (error) {
  console.error(error.reason ?? error.message);
  process.exit(1);
}
