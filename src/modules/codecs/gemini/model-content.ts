import type { ChatMessage, ToolCall } from '../chat/chat-completion.js';
import { type JsonObject, listOf, nonEmptyText } from '../chat/json-values.js';
import { contentWithName } from '../chat/named-text.js';
import {
  GOOGLE_FORMAT,
  isSignatureOfText,
  isThoughtSignature,
  signatureOf,
  type SignedPlace,
  signedPlaceOf,
  withSignatures,
} from '../chat/thought-signatures.js';
import type { RequestAdjustments } from '../chat/request-adjustments.js';
import { inputOfCall } from '../chat/tool-arguments-reader.js';
import type { GoogleService } from './google-service.js';
import { imagePart, type Part, partsOf } from './parts.js';

/** The `id` of the detail of a signature in an image, by the place of the image among those of its answer. */
export function idOfSignedImage(place: number): string {
  return `image-${place}`;
}

/**
 * Writes a message of the assistant as the parts that it came from. What signs a thought stands in the part that had it: it is refused
 * in another one, and a part with one may not be put together with a part without (https://ai.google.dev/gemini-api/docs/thought-signatures).
 * Thoughts that nothing signs are left out, because nothing demands them.
 *
 * @param adjustments is told of thoughts of other providers, which are left out
 * @throws ProviderError for a kind of part that the form has nothing for
 */
export function modelParts(
  message: ChatMessage,
  service: GoogleService,
  adjustments?: RequestAdjustments,
): readonly Part[] {
  const details = message.reasoning_details ?? [];
  if (details.some(({ format }) => format !== GOOGLE_FORMAT)) {
    adjustments?.leftOut('messages.*.reasoning_details', 'thoughts_of_other_provider');
  }
  const signed = withSignatures(message, details);
  const said = new SaidParts(
    [
      ...partsOf(contentWithName(message), service),
      ...partsOf(nonEmptyText(message['refusal']) === undefined ? null : String(message['refusal']), service),
    ],
    (signed.tool_calls ?? []).map((call) => callPart(call, service)),
  );
  for (const detail of details.filter(isSignatureOfText)) {
    const place = signedPlaceOf(detail);
    if (place !== undefined) said.sign(place, String(detail['data']));
  }
  const hasPlaces = details.some((detail) => isSignatureOfText(detail) && signedPlaceOf(detail) !== undefined);
  const ofText = hasPlaces ? undefined : signatureOf(signed);
  return [
    ...details.flatMap(signedThought),
    ...said.all(ofText),
    ...signedImages(listOf(message['images']), details, service),
  ];
}

function signedThought({ type, format, text, signature }: JsonObject): readonly Part[] {
  const thoughtSignature = nonEmptyText(signature);
  if (type !== 'reasoning.text' || format !== GOOGLE_FORMAT || thoughtSignature === undefined) return [];
  return [{ text: nonEmptyText(text) ?? '', thought: true, thoughtSignature }];
}

function signedImages(
  images: readonly unknown[],
  details: readonly JsonObject[],
  service: GoogleService,
): readonly Part[] {
  if (images.length === 0) return [];
  // The first of an id is the one that counts.
  const signatures = new Map(
    details
      .filter(isThoughtSignature)
      .map(({ id, data }) => [id, data] as const)
      .toReversed(),
  );
  return images.flatMap((image, place) => {
    const part = imagePart(image, service);
    if (part === undefined) return [];
    const signature = signatures.get(idOfSignedImage(place));
    return [{ ...part, ...(signature !== undefined && { thoughtSignature: signature }) }];
  });
}

function callPart(call: ToolCall, { takesCallIds }: GoogleService): Part {
  const signature = signatureOf(call);
  return {
    functionCall: { ...(takesCallIds && { id: call.id }), name: call.function.name, args: inputOfCall(call) },
    ...(signature !== undefined && { thoughtSignature: signature }),
  };
}

/** What a message says and calls, which is divided where a signed part begins and ends. */
class SaidParts {
  private readonly parts: Part[] = [];
  /** UTF-16 units of text, and calls, that are among the parts already. */
  private text = 0;
  private called = 0;
  /** The first of the texts and media that are not, and where what is left of it begins. */
  private next = { part: 0, begin: 0 };

  /** @param said the texts and media in their order */
  constructor(
    private readonly said: readonly Part[],
    private readonly calls: readonly Part[],
  ) {}

  /** Signs the part in a place. One that lies before the part that was signed last is left out: the message was changed since. */
  sign({ text, calls, length }: SignedPlace, thoughtSignature: string): void {
    if (text < this.text || calls < this.called || calls > this.calls.length) return;
    this.parts.push(...this.taken(text - this.text), ...this.calls.slice(this.called, calls));
    this.called = calls;
    const signed = this.taken(length);
    const isText = signed.every((part) => typeof part['text'] === 'string');
    if (isText) this.parts.push({ text: signed.map((part) => String(part['text'])).join(''), thoughtSignature });
    else this.parts.push(...signed);
  }

  /**
   * All parts in their order: what is left of the texts before what is left of the calls.
   *
   * @param thoughtSignature of the last text, where nothing says its place
   */
  all(thoughtSignature: string | undefined): readonly Part[] {
    const texts = [...this.parts, ...this.taken(Infinity)];
    const calls = this.calls.slice(this.called);
    if (thoughtSignature === undefined) return [...texts, ...calls];
    const last = texts.at(-1);
    return typeof last?.['text'] === 'string'
      ? [...texts.slice(0, -1), { ...last, thoughtSignature }, ...calls]
      : [...texts, ...calls, { text: '', thoughtSignature }];
  }

  /** Takes the next parts out, as far as so much text goes. Media between texts count as none, and go with what is before them. */
  private taken(units: number): readonly Part[] {
    const taken: Part[] = [];
    for (let left = units; left > 0 && this.next.part < this.said.length;) {
      const { part, begin } = this.next;
      const whole = this.said[part]!;
      const text = nonEmptyText(whole['text']) ?? '';
      const end = text.length - begin <= left ? text.length : wholeCharacters(text, begin + left);
      taken.push(begin === 0 && end === text.length ? whole : { ...whole, text: text.slice(begin, end) });
      this.next = end === text.length ? { part: part + 1, begin: 0 } : { part, begin: end };
      this.text += end - begin;
      left -= end - begin;
    }
    return taken;
  }
}

/** A place to divide a text, not within a character of two units: a filter may have changed the text since. */
function wholeCharacters(text: string, units: number): number {
  return text.codePointAt(units - 1)! > 0xffff ? units + 1 : units;
}
