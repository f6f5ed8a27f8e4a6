import { isObject } from '../../../../http/validation/constraints.js';
import type { AssistantMessage, ChatDelta, ToolCall, ToolCallDelta } from '../../../codecs/chat/chat-completion.js';
import { deliveredBytes } from '../../../codecs/chat/delivered-bytes.js';
import { isThoughtSignature } from '../../../codecs/chat/thought-signatures.js';
import { type JsonObject, listOf } from '../../../codecs/chat/json-values.js';
import type { PixelSize } from '../../../codecs/chat/image-size.js';
import { charactersIn, IMAGE_TOKENS } from '../cost/media-tokens.js';
import { imageSizesIn } from '../cost/answer-images.js';
import { countedBytes, estimatedTokens } from '../cost/estimated-tokens.js';

/** The characters of base64 for a token of uncompressed audio: 50 ms at 24,000 samples of 16 bits a second. */
const CHARACTERS_PER_SAMPLED_TOKEN = 3_200;

/** The characters of base64 for a token of compressed audio, at the lowest bit rates of its formats. */
const CHARACTERS_PER_COMPRESSED_TOKEN = 256;

/** The fields of a message that are known: they are read separately, or no model writes them. */
export const KNOWN_FIELDS: ReadonlySet<string> = new Set([
  'role',
  'content',
  'reasoning',
  'reasoning_details',
  'refusal',
  'tool_calls',
  'audio',
  'images',
  'annotations',
]);

/** The estimated tokens of an answer, for where its provider has not counted them. */
export interface DeliveredTokens {
  readonly texts: number;
  readonly audio: number;
  readonly images: number;
}

/** The tokens of an answer without texts and media, such as vectors. */
export const NOTHING_DELIVERED: DeliveredTokens = { texts: 0, audio: 0, images: 0 };

/** The part of an answer that has come, which is charged if its provider does not count it (docs/interface/inference.md#usage). */
export class DeliveredAnswer {
  /** Of the images, as far as they are known. */
  readonly imageSizes: (PixelSize | undefined)[] = [];
  /** Whether the model has shown its reasoning itself, not only a summary of it. */
  showsReasoning = false;
  private bytes = 0;
  private texts = 0;
  private audioLength = 0;

  /** @param audio what the request says about the audio of its answer: `format` */
  constructor(private readonly audio: unknown) {}

  /** Takes a message, or a part of one. */
  add(said: AssistantMessage | ChatDelta): void {
    const bytes = deliveredBytes(said, countedBytes) + this.unseenBytesOf(said);
    this.bytes += bytes;
    if (bytes > 0) this.texts += 1;
    if ('images' in said) this.imageSizes.push(...imageSizesIn(said));
    const { audio } = said;
    if (isObject(audio) && typeof audio.data === 'string') this.audioLength += audio.data.length;
  }

  /**
   * The tokens of all that has come.
   *
   * @param isComplete whether the provider has finished. An answer that its client has left counts at least one token for each part with text,
   *   because providers send one or more in each: in dense texts these are more than the estimate by bytes.
   */
  tokens(isComplete: boolean): DeliveredTokens {
    const isSampled = isObject(this.audio) && this.audio.format === 'pcm16';
    const perToken = isSampled ? CHARACTERS_PER_SAMPLED_TOKEN : CHARACTERS_PER_COMPRESSED_TOKEN;
    return {
      texts: Math.max(estimatedTokens(this.bytes), isComplete ? 0 : this.texts),
      audio: Math.ceil(this.audioLength / perToken),
      images: this.imageSizes.length * IMAGE_TOKENS,
    };
  }

  /** The bytes of audio transcripts, of reasoning beyond its text, and of fields that the gateway does not know. */
  private unseenBytesOf(said: AssistantMessage | ChatDelta): number {
    let bytes = 0;
    for (const name in said) {
      if (!KNOWN_FIELDS.has(name)) bytes += charactersIn(said[name]);
    }
    for (const call of said.tool_calls ?? []) bytes += unseenBytesOfCall(call);
    const { audio, reasoning } = said;
    if (isObject(audio) && typeof audio.transcript === 'string') bytes += countedBytes(audio.transcript);
    // Nearly no chunk thinks, and every one comes here.
    if (reasoning === undefined && said.reasoning_details === undefined) return bytes;
    // Signatures stand in the calls and texts that they belong to as well.
    const details = listOf(said.reasoning_details).filter(
      (one) => isObject(one) && !isThoughtSignature(one),
    ) as JsonObject[];
    if (details.length > 0) {
      // The text of the reasoning is there twice.
      const ofDetails = details.reduce((sum, { text, summary, data }) => sum + charactersIn([text, summary, data]), 0);
      bytes += Math.max(0, ofDetails - charactersIn(reasoning));
    }
    this.showsReasoning ||=
      typeof reasoning === 'string' && reasoning !== '' && details.every(({ type }) => type === 'reasoning.text');
    return bytes;
  }
}

/** The bytes of the fields of a call, and of its function, that the gateway does not know. */
function unseenBytesOfCall({ id: _id, type: _type, function: called, ...others }: ToolCall | ToolCallDelta): number {
  const { name: _name, arguments: _arguments, ...ofFunction } = called ?? {};
  return charactersIn(ofFunction) + charactersIn(others);
}
