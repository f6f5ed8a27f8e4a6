export const EVENT_STREAM = 'text/event-stream';

/** Events of Amazon's own binary form. */
export const AMAZON_EVENT_STREAM = 'application/vnd.amazon.eventstream';

export const JSON_TYPE = 'application/json';

/** What some servers say of their answers: nothing, or that they are text. Their form shows what they are. */
const UNNAMED: ReadonlySet<string> = new Set(['', 'text/plain']);

/** Whether an answer of this media type, to a request for a stream, is read as one. */
export function mayBeEvents(mediaType: string): boolean {
  return mediaType === EVENT_STREAM || UNNAMED.has(mediaType);
}

/** Whether an answer of this media type, to a request for a document, is read as JSON. */
export function mayBeJson(mediaType: string): boolean {
  return mediaType === JSON_TYPE || mediaType === 'text/json' || mediaType.endsWith('+json') || UNNAMED.has(mediaType);
}

/** What audio is that its server does not name. */
const BYTES = 'application/octet-stream';

/** A media type of audio, with parameters that need no quotes. */
const AUDIO = /^audio\/[\w.+-]{1,64}(?:; ?[\w-]{1,64}=[\w-]{1,64}){0,4}$/i;

/** Whether an answer of this media type, to a request for audio, is read as audio. */
export function mayBeAudio(mediaType: string): boolean {
  return mediaType.startsWith('audio/') || mediaType === BYTES || mediaType === '';
}

/** A Content-Type of audio as it can be handed on; null for any other. */
export function audioTypeOf(header: string | readonly string[] | undefined): string | null {
  const type = String(header ?? '').trim();
  return AUDIO.test(type) ? type : null;
}

/** Reads the media type of a Content-Type, without parameters and in lower case; empty if there is none. */
export function mediaTypeOf(header: string | readonly string[] | undefined): string {
  return String(header ?? '')
    .split(';', 1)[0]!
    .trim()
    .toLowerCase();
}
