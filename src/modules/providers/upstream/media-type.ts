export const EVENT_STREAM = 'text/event-stream';

/** What some servers say of their events: nothing, or that they are text. Their form shows what they are. */
const UNNAMED_EVENTS: ReadonlySet<string> = new Set(['', 'text/plain']);

/** Whether an answer of this media type, to a request for a stream, is read as one. */
export function mayBeEvents(mediaType: string): boolean {
  return mediaType === EVENT_STREAM || UNNAMED_EVENTS.has(mediaType);
}

/** Reads the media type of a Content-Type, without parameters and in lower case; empty if there is none. */
export function mediaTypeOf(header: string | readonly string[] | undefined): string {
  return String(header ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase();
}
