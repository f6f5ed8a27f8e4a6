import { crc32 } from 'node:zlib';
import { Int64, type MessageHeaders } from '@smithy/eventstream-codec';
import fc from 'fast-check';
import {
  amazonMessage,
  chunkMessage,
  errorMessage,
  eventMessage,
  exceptionMessage,
} from '../../../../test/support/network/amazon-messages.js';
import { ProviderError } from '../../codecs/errors/provider-error.js';
import type { ServerSentEvent } from '../../codecs/upstream-codec.js';
import { AmazonEvents } from './amazon-event-stream.js';

/** All events of bytes that come in pieces of some sizes, one after the other, and then end. */
function eventsOf(bytes: Buffer, sizes: readonly number[] = [bytes.length]): ServerSentEvent[] {
  const events = new AmazonEvents();
  const taken: ServerSentEvent[] = [];
  for (let [start, piece] = [0, 0]; start < bytes.length; piece += 1) {
    const end = start + sizes[piece % sizes.length]!;
    events.add(bytes.subarray(start, end));
    for (let event = events.take(); event !== undefined; event = events.take()) taken.push(event);
    start = end;
  }
  expect(events.end()).toBe(false);
  return taken;
}

/** A message with other bytes in it, and checksums that fit. */
function withChecksums(message: Buffer): Buffer {
  const changed = Buffer.from(message);
  changed.writeUInt32BE(crc32(changed.subarray(0, 8)), 8);
  changed.writeUInt32BE(crc32(changed.subarray(0, -4)), changed.length - 4);
  return changed;
}

function refusalOf(bytes: Buffer, sizes?: readonly number[]): unknown {
  try {
    return eventsOf(bytes, sizes);
  } catch (error) {
    return error;
  }
}

const EVENT = eventMessage('messageStop', { stopReason: 'end_turn' });

/** Any headers but those that say what a message is. */
const HEADERS: fc.Arbitrary<MessageHeaders> = fc.dictionary(
  fc.string({ minLength: 1, maxLength: 40 }).map((name) => `x-${name}`),
  fc.oneof(
    fc.boolean().map((value) => ({ type: 'boolean' as const, value })),
    fc.integer({ min: -128, max: 127 }).map((value) => ({ type: 'byte' as const, value })),
    fc.integer({ min: -32_768, max: 32_767 }).map((value) => ({ type: 'short' as const, value })),
    fc.integer().map((value) => ({ type: 'integer' as const, value })),
    fc.integer().map((value) => ({ type: 'long' as const, value: Int64.fromNumber(value) })),
    fc.uint8Array({ maxLength: 300 }).map((value) => ({ type: 'binary' as const, value })),
    fc.string({ unit: 'grapheme', maxLength: 50 }).map((value) => ({ type: 'string' as const, value })),
    fc
      .date({ min: new Date(0), max: new Date(4e12), noInvalidDate: true })
      .map((value) => ({ type: 'timestamp' as const, value })),
    fc.uuid().map((value) => ({ type: 'uuid' as const, value })),
  ),
);

describe('The reader of Amazon’s event streams', () => {
  it('reads what Amazon’s own encoder writes, with all types of headers, wherever the bytes are cut', () => {
    const message = fc.record({ type: fc.string({ minLength: 1 }), payload: fc.string({ unit: 'grapheme' }), HEADERS });
    fc.assert(
      fc.property(
        fc.array(message, { minLength: 1, maxLength: 8 }),
        fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 5 }),
        (messages, sizes) => {
          fc.pre(messages.every(({ type }) => type !== 'chunk'));
          const bytes = messages.map(({ type, payload, HEADERS: others }) =>
            amazonMessage(
              {
                ...others,
                ':message-type': { type: 'string', value: 'event' },
                ':event-type': { type: 'string', value: type },
              },
              Buffer.from(payload),
            ),
          );
          const expected = messages.map(({ type, payload }) => ({ event: type, data: payload }));
          expect(eventsOf(Buffer.concat(bytes), sizes)).toEqual(expected);
        },
      ),
      { numRuns: 100 },
    );
  });

  it('reads the example of the protocol’s description', () => {
    const bytes = Buffer.from(
      '0000009e00000057fe1b824f0b3a6576656e742d74797065070011636f6e74656e74426c6f636b44656c74610d3a636f6e74656e742d747970650700106170706c69636174696f6e2f6a736f6e0d3a6d6573736167652d747970650700056576656e747b22636f6e74656e74426c6f636b496e646578223a302c2264656c7461223a7b2274657874223a224869227d2c2270223a22616263227d9343f010',
      'hex',
    );
    const data = '{"contentBlockIndex":0,"delta":{"text":"Hi"},"p":"abc"}';
    expect(eventsOf(bytes, [1])).toEqual([{ event: 'contentBlockDelta', data }]);
  });

  it('unwraps the events of a model’s own form', () => {
    const event = { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'grüße 😀' } };
    const [{ data }] = eventsOf(chunkMessage(event)) as [ServerSentEvent];
    expect(JSON.parse(data)).toEqual(event);
  });

  it.each([{}, { bytes: '' }, { bytes: 'a b c' }, { bytes: 7 }])('calls a wrapped event of %j invalid', (payload) => {
    expect(refusalOf(eventMessage('chunk', payload))).toMatchObject({ kind: 'invalid' });
  });

  it('makes errors of exceptions and of failures that no operation describes', () => {
    const exception = exceptionMessage('modelStreamErrorException', { message: 'Lost', originalStatusCode: 400 });
    const error = errorMessage('InternalFailure', 'Sorry');
    const words = { message: 'Lost', originalStatusCode: 400, type: 'modelStreamErrorException' };
    expect(eventsOf(Buffer.concat([exception, error])).map(({ event, data }) => [event, JSON.parse(data)])).toEqual([
      ['error', { error: words }],
      ['error', { error: { message: 'Sorry', type: 'InternalFailure' } }],
    ]);
  });

  it('takes an exception whose payload is no JSON for its message', () => {
    const text = { type: 'string' as const, value: 'exception' };
    const [{ data }] = eventsOf(amazonMessage({ ':message-type': text }, Buffer.from('Out of order'))) as [
      ServerSentEvent,
    ];
    expect(JSON.parse(data)).toEqual({ error: { message: 'Out of order' } });
  });

  it('calls a message invalid of which any bit is wrong', () => {
    fc.assert(
      fc.property(fc.nat(EVENT.length * 8 - 1), fc.boolean(), (bit, isLast) => {
        const wrong = Buffer.from(EVENT);
        wrong[bit >> 3]! ^= 1 << (bit & 7);
        const stream = isLast ? Buffer.concat([EVENT, wrong]) : Buffer.concat([wrong, EVENT]);
        expect(refusalOf(stream, [7])).toMatchObject({ kind: 'invalid' });
      }),
    );
  });

  it('calls a stream broken off that ends within a message, wherever it does', () => {
    for (let length = 1; length < EVENT.length; length += 1) {
      const stream = Buffer.concat([EVENT, EVENT.subarray(0, length)]);
      expect(refusalOf(stream)).toMatchObject({
        kind: 'unreachable',
        message: 'The stream of the provider broke off.',
      });
    }
    expect(eventsOf(Buffer.alloc(0))).toEqual([]);
  });

  it('calls messages invalid whose lengths cannot be, before they have come', () => {
    const long = Buffer.alloc(16);
    long.writeUInt32BE(8 * 1024 * 1024 + 1, 0);
    expect(refusalOf(withChecksums(long))).toMatchObject({ kind: 'invalid' });
    for (const [total, headers] of [
      [15, 0],
      [16, 1],
      [0, 0],
      [EVENT.length, EVENT.length],
      [1_000_000, 200_000],
    ] as const) {
      const wrong = Buffer.from(EVENT);
      wrong.writeUInt32BE(total, 0);
      wrong.writeUInt32BE(headers, 4);
      expect(refusalOf(withChecksums(wrong))).toMatchObject({ kind: 'invalid' });
    }
  });

  it('reads any headers and payload, or calls them invalid', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), fc.uint8Array({ maxLength: 60 }), (headers, payload) => {
        const message = Buffer.concat([Buffer.alloc(12), headers, payload, Buffer.alloc(4)]);
        message.writeUInt32BE(message.length, 0);
        message.writeUInt32BE(headers.length, 4);
        expect(refusalOf(withChecksums(message))).toBeInstanceOf(ProviderError);
      }),
    );
  });

  it.each(['event', 'exception', 'error'])('reads any payload of a message of the type %s', (type) => {
    fc.assert(
      fc.property(fc.oneof(fc.json(), fc.string()), fc.option(fc.constantFrom('chunk', 'metadata')), (text, name) => {
        const headers: MessageHeaders = { ':message-type': { type: 'string', value: type } };
        if (name !== null) headers[':event-type'] = { type: 'string', value: name };
        const read = refusalOf(amazonMessage(headers, Buffer.from(text)));
        if (!(read instanceof ProviderError)) expect(read).toHaveLength(1);
      }),
    );
  });

  it('counts what it keeps of a message that has not come whole', () => {
    const events = new AmazonEvents();
    events.add(EVENT.subarray(0, 50));
    expect([events.take(), events.unfinishedLength]).toEqual([undefined, 50]);
    events.add(EVENT.subarray(50));
    expect([events.take()?.event, events.unfinishedLength]).toEqual(['messageStop', 0]);
  });
});
