// A name server (RFC 1035) for tests: every name has the address 127.0.0.1, and no IPv6
// address. Prints "ready", and then the names that it is asked for: node name-server.mjs ADDRESS
// [silent]. A silent one never answers.

import { createSocket } from "node:dgram";

const HEADER_BYTES = 12;
const TYPE_A = 1;

const [address, isSilent] = process.argv.slice(2);
const socket = createSocket("udp4");
socket.on("message", (query, client) => {
  let end = HEADER_BYTES;
  const labels = [];
  while (query[end] > 0) {
    labels.push(query.toString("latin1", end + 1, end + 1 + query[end]));
    end += 1 + query[end];
  }
  console.log(labels.join("."));
  if (isSilent) return;
  const hasAddress = query.readUInt16BE(end + 1) === TYPE_A;
  const header = Buffer.alloc(HEADER_BYTES);
  query.copy(header, 0, 0, 2);
  // A response, recursion desired and available; one question.
  header.writeUInt16BE(0x8180, 2);
  header.writeUInt16BE(1, 4);
  header.writeUInt16BE(hasAddress ? 1 : 0, 6);
  const question = query.subarray(HEADER_BYTES, end + 5);
  // The name of the question, type A, class IN, for one minute.
  const answer = Buffer.from([0xc0, HEADER_BYTES, 0, 1, 0, 1, 0, 0, 0, 60, 0, 4, 127, 0, 0, 1]);
  socket.send(Buffer.concat([header, question, ...(hasAddress ? [answer] : [])]), client.port, client.address);
});
socket.bind(53, address, () => console.log("ready"));
