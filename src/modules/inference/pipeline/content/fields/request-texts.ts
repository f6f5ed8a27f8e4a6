import type { ScannedText } from '../../../../content/content-result.js';
import type { FieldReader, TextReader } from './field-readers.js';
import { PlaceInRequest, type Steps } from './place-in-request.js';

/** The place of a text in a request. */
export interface TextPlace {
  /** Names of fields and positions in lists; none for what the request itself has besides the fields that are read. */
  readonly steps: Steps;
  /** Whether the text is there as it is scanned: what is described in JSON is written anew. */
  readonly isVerbatim: boolean;
}

/**
 * The texts of the requests of an operation, as its reader finds them: those that content filters look at, which are all that a
 * provider gets (docs/interface/content-filters.md#what-is-scanned).
 */
export class RequestTexts<Body> {
  /**
   * @param reader goes through the fields of a request
   * @param role who says what stands in it, where the reader knows nothing else
   */
  constructor(
    private readonly reader: FieldReader,
    private readonly role: ScannedText['role'],
  ) {}

  /** The texts that filters look at, in their order, with those in media. */
  scannedIn(body: Body): ScannedText[] {
    const texts: ScannedText[] = [];
    this.readWithMedia(body, (text, kind, { role }, _isVerbatim, lead) => {
      texts.push({ role, text, kind, ...(lead !== undefined && { lead }) });
      return text;
    });
    return texts;
  }

  /** The places of these texts, in the same order (docs/interface/guardrails.md#trying-a-guardrail). */
  placesIn(body: Body): TextPlace[] {
    const places: TextPlace[] = [];
    this.readWithMedia(body, (text, _kind, { steps }, isVerbatim) => {
      places.push({ steps, isVerbatim });
      return text;
    });
    return places;
  }

  /** The body with other texts: as many as {@link scannedIn} gives, in the same order. */
  replacedIn(body: Body, texts: readonly string[]): Body {
    let index = 0;
    return this.readWithMedia(body, () => texts[index++]!);
  }

  /** The texts that a model reads, joined by line ends: neither addresses, nor what is in media. */
  promptIn(body: Body): string {
    const texts: string[] = [];
    const replace: TextReader['replace'] = (text, kind) => {
      if (kind !== 'address') texts.push(text);
      return text;
    };
    this.read(body, { replace, pass: () => undefined });
    return texts.join('\n');
  }

  /**
   * The size of what a model reads of the body, but for images, recordings, files and their addresses: of its texts, and of the names and
   * ids that content filters do not look at.
   *
   * @param sizeOf what a text counts as; by default its bytes of UTF-8
   */
  promptBytesIn(body: Body, sizeOf: (text: string) => number = bytesOf): number {
    let bytes = 0;
    const count = (text: string, kind?: ScannedText['kind']): string => {
      if (kind !== 'address') bytes += sizeOf(text);
      return text;
    };
    this.read(body, { replace: count, pass: count });
    return bytes;
  }

  private readWithMedia(body: Body, replace: TextReader['replace']): Body {
    return this.read(body, { replace, pass: () => undefined, readsMedia: true });
  }

  private read(body: Body, reader: TextReader): Body {
    return this.reader.read(body as never, PlaceInRequest.ofRequest().as(this.role), reader) as Body;
  }
}

function bytesOf(text: string): number {
  return Buffer.byteLength(text);
}
