import type { Random } from '../random.js';

/** Bytes that mean something to a reader of HTTP. */
const TOKENS: readonly string[] = [
  '\r\n',
  '\n',
  '\r',
  '\r\n\r\n',
  '\0',
  '\xff',
  ' ',
  ':',
  '%00',
  '%',
  '/',
  '?',
  '#',
  'HTTP/1.1',
  'HTTP/9.9',
  'Content-Length: 0\r\n',
  'Content-Length: 5\r\n',
  'Content-Length: -1\r\n',
  'Content-Length: 99999999999999999999\r\n',
  'Transfer-Encoding: chunked\r\n',
  'Transfer-Encoding: identity, chunked\r\n',
  'Expect: 100-continue\r\n',
  'Expect: x\r\n',
  'Upgrade: websocket\r\nConnection: Upgrade\r\n',
  'Connection: close\r\n',
  'Host: \r\n',
  'X: y\r\n y\r\n',
  'Authorization: x\r\n',
  '0\r\n\r\n',
  'ffffffff\r\n',
  '{',
  '}',
  '"',
  '\\u0000',
  '\\ud800',
  '1e999',
  '\xed\xa0\x80',
  '\xef\xbb\xbf',
];

const MAXIMUM_RUN_LENGTH = 32;

type Mutation = (bytes: Buffer, random: Random, other: Buffer) => Buffer;

const MUTATIONS: readonly Mutation[] = [
  // A bit the other way round.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    const index = random.below(copy.length);
    copy[index] = copy[index]! ^ (1 << random.below(8));
    return copy;
  },
  // Another byte.
  (bytes, random) => {
    const copy = Buffer.from(bytes);
    copy[random.below(copy.length)] = random.below(256);
    return copy;
  },
  // A token put in.
  (bytes, random) => splice(bytes, random.below(bytes.length), 0, Buffer.from(random.pick(TOKENS), 'latin1')),
  // A few bytes left out.
  (bytes, random) => splice(bytes, random.below(bytes.length), random.below(MAXIMUM_RUN_LENGTH), Buffer.alloc(0)),
  // A few bytes said twice.
  (bytes, random) => {
    const start = random.below(bytes.length);
    return splice(bytes, start, 0, bytes.subarray(start, start + random.below(MAXIMUM_RUN_LENGTH)));
  },
  // One byte said very often.
  (bytes, random) =>
    splice(bytes, random.below(bytes.length), 0, Buffer.alloc(random.below(20_000), random.below(256))),
  // The end left out.
  (bytes, random) => bytes.subarray(0, 1 + random.below(bytes.length)),
  // Another request behind it, or from the middle on.
  (bytes, _, other) => Buffer.concat([bytes, other]),
  (bytes, random, other) =>
    Buffer.concat([bytes.subarray(0, random.below(bytes.length)), other.subarray(random.below(other.length))]),
];

/** The bytes of a request with one to four things wrong with them. */
export function mutated(bytes: Buffer, other: Buffer, random: Random): Buffer {
  let result = bytes;
  for (let left = 1 + random.below(4); left > 0; left -= 1) {
    if (result.length > 0) result = random.pick(MUTATIONS)(result, random, other);
  }
  return result;
}

function splice(bytes: Buffer, start: number, removed: number, added: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, start), added, bytes.subarray(start + removed)]);
}
