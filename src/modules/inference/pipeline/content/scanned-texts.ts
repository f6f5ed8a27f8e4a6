import type { ScannedText } from '../../../content/index.js';
import type { ClientChatRequest } from '../../../codecs/index.js';
import type { TextReader } from './fields/field-readers.js';
import { REQUEST } from './fields/request-fields.js';
import { PlaceInRequest, type Steps } from './fields/place-in-request.js';

/** The place of a text in a request. */
export interface TextPlace {
  /** Names of fields and positions in lists; none for what the request itself has besides the fields that are read. */
  readonly steps: Steps;
  /** Whether the text is there as it is scanned: what is described in JSON is written anew. */
  readonly isVerbatim: boolean;
}

type Request = Pick<ClientChatRequest, 'messages' | 'prediction' | 'tools' | 'response_format'> &
  Readonly<Record<string, unknown>>;

/**
 * The texts of a request that content filters look at, in their order: texts and parts of every message, its name, reasoning
 * and refusal, the arguments of tool calls, what the answer is predicted to be, what describes tools and the form of the
 * answer, addresses of media and media that are texts, and all else that a provider gets (docs/interface/content-filters.md#what-is-scanned).
 */
export function textsOf(request: Request): ScannedText[] {
  const texts: ScannedText[] = [];
  readWithMedia(request, (text, kind, { role }, _isVerbatim, lead) => {
    texts.push({ role, text, kind, ...(lead !== undefined && { lead }) });
    return text;
  });
  return texts;
}

/** The places of these texts, in the same order (docs/interface/guardrails.md#trying-a-guardrail). */
export function placesOf(request: Request): TextPlace[] {
  const places: TextPlace[] = [];
  readWithMedia(request, (text, _kind, { steps }, isVerbatim) => {
    places.push({ steps, isVerbatim });
    return text;
  });
  return places;
}

/** A request with other texts. @param texts as many as {@link textsOf} gives, in the same order */
export function withTexts(request: ClientChatRequest, texts: readonly string[]): ClientChatRequest {
  let index = 0;
  return readWithMedia(request, () => texts[index++]!);
}

/**
 * The size of what a provider reads of a request, but for images, recordings, files and their addresses: of its texts, and of the names and ids that
 * content filters do not look at.
 *
 * @param sizeOf what a text counts as; by default its bytes of UTF-8
 */
export function textBytesOf(request: Request, sizeOf: (text: string) => number = bytesOf): number {
  let bytes = 0;
  const count = (text: string, kind?: ScannedText['kind']): string => {
    if (kind !== 'address') bytes += sizeOf(text);
    return text;
  };
  read(request, { replace: count, pass: count });
  return bytes;
}

function readWithMedia<Body extends Request>(request: Body, replace: TextReader['replace']): Body {
  return read(request, { replace, pass: () => undefined, readsMedia: true });
}

function read<Body extends Request>(request: Body, reader: TextReader): Body {
  return REQUEST.read(request as never, PlaceInRequest.ofRequest(), reader) as Body;
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
