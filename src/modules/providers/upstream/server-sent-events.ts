import { createParser } from 'eventsource-parser';
import { ProviderError } from '../provider-error.js';

/** UTF-16 code units of one event. */
const LARGEST_EVENT = 8 * 1024 * 1024;

/** Bytes that are parsed at once: the parser searches the rest of what it is given for each line that a CR ends. */
const SLICE = 8 * 1024;

const CARRIAGE_RETURN = 0x0d;

/** An event of a stream (https://html.spec.whatwg.org/multipage/server-sent-events.html). */
export interface ServerSentEvent {
  /** Undefined for a stream that names none. */
  readonly event: string | undefined;
  readonly data: string;
}

/**
 * Reads the events of a stream in the order in which they come. It reads the next piece only when all events of the last one
 * were taken. Comments, ids and retry times are left out, and so is an event that the end of the stream cuts.
 *
 * @param pieces bytes, cut anywhere
 * @throws ProviderError for an event of more than 8 MiB
 */
export async function* serverSentEvents(
  pieces: AsyncIterable<Uint8Array>,
): AsyncGenerator<ServerSentEvent, void, undefined> {
  const decoder = new TextDecoder();
  let events: ServerSentEvent[] = [];
  const overflow = { happened: false };
  const parser = createParser({
    maxBufferSize: LARGEST_EVENT,
    onEvent: ({ event, data }) => events.push({ event, data }),
    onError: ({ type }) => {
      overflow.happened ||= type === 'max-buffer-size-exceeded';
    },
  });
  let last: number | undefined;

  for await (const piece of pieces) {
    for (let start = 0; start < piece.length; start += SLICE) {
      parser.feed(decoder.decode(piece.subarray(start, start + SLICE), { stream: true }));
      if (events.length > 0) {
        const complete = events;
        events = [];
        for (const event of complete) yield event;
      }
      if (overflow.happened) throw new ProviderError('invalid', 'The provider sent an event of more than 8 MiB.');
    }
    last = piece.at(-1) ?? last;
  }
  // The parser waits for the LF that may follow a CR; none will.
  if (last === CARRIAGE_RETURN) parser.feed('\n');
  for (const event of events) yield event;
}
