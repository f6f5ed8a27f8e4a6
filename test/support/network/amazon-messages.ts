import { EventStreamCodec, type MessageHeaders } from '@smithy/eventstream-codec';

/** Amazon's own encoder of its event streams. */
const CODEC = new EventStreamCodec(
  (bytes) => Buffer.from(bytes as Uint8Array).toString(),
  (text) => Buffer.from(text),
);

const JSON_CONTENT: MessageHeaders = { ':content-type': { type: 'string', value: 'application/json' } };

/** The media type of Amazon's event streams. */
export const AMAZON_EVENTS = 'application/vnd.amazon.eventstream';

/** A message of Amazon's event streams, with any headers and bytes. */
export function amazonMessage(headers: MessageHeaders, body: Uint8Array): Buffer {
  return Buffer.from(CODEC.encode({ headers, body }));
}

/** An event. */
export function eventMessage(type: string, payload: object): Buffer {
  return jsonMessage({ ':message-type': 'event', ':event-type': type }, payload);
}

/** A failure after the head of an answer. @param type begins with a small letter */
export function exceptionMessage(type: string, payload: object): Buffer {
  return jsonMessage({ ':message-type': 'exception', ':exception-type': type }, payload);
}

/** A failure that no operation describes, which has no payload. */
export function errorMessage(code: string, message: string): Buffer {
  const words = { ':message-type': 'error', ':error-code': code, ':error-message': message };
  return amazonMessage(textHeaders(words), Buffer.alloc(0));
}

/** An event of a model's own form, as `InvokeModelWithResponseStream` wraps it. */
export function chunkMessage(event: object): Buffer {
  return eventMessage('chunk', { bytes: Buffer.from(JSON.stringify(event)).toString('base64'), p: 'abcdefgh' });
}

function jsonMessage(words: Readonly<Record<string, string>>, payload: object): Buffer {
  return amazonMessage({ ...textHeaders(words), ...JSON_CONTENT }, Buffer.from(JSON.stringify(payload)));
}

function textHeaders(words: Readonly<Record<string, string>>): MessageHeaders {
  return Object.fromEntries(Object.entries(words).map(([name, value]) => [name, { type: 'string', value }]));
}
