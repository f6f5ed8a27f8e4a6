import type { ApiDialect } from '../../../../config/environment.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { SpeechRequest as UpstreamSpeechRequest } from '../../../codecs/chat/speech.js';
import type { ProviderError } from '../../../codecs/errors/provider-error.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { hidesTextInEmbeddedParts } from '../../pipeline/content/hidden-text.js';
import { likelyUse } from '../../pipeline/cost/compared-price.js';
import { countedBytes, estimatedTokens } from '../../pipeline/cost/estimated-tokens.js';
import { mediaTokensOf } from '../../pipeline/cost/media-tokens.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { AskedOperation } from '../../pipeline/request/operation.js';
import { fieldsWithOptions } from '../../pipeline/request/provider-options.js';
import type { RequestSize } from '../../pipeline/request/request-size.js';
import { type AudioFormat, BUILTIN_FORMAT, DEFAULT_FORMATS } from './audio-formats.js';
import type { SpeechRequest } from './dto/speech-request.dto.js';
import { DATA_OR_ADDRESS } from '../../pipeline/content/fields/addresses.js';
import {
  known,
  listOf,
  NUMBER_OR_BOOLEAN,
  objectWith,
  oneOf,
  TEXT,
  OPTIONED_PREFERENCES,
} from '../../pipeline/content/fields/field-readers.js';
import { CHECKED_WORD, requestWith } from '../../pipeline/content/fields/request-fields.js';

/** A recording of a voice, or what is said in it. */
const REFERENCE = objectWith(
  known({
    type: oneOf('input_audio', 'text'),
    text: TEXT,
    input_audio: objectWith(known({ data: DATA_OR_ADDRESS, format: TEXT })),
  }),
);

/** The fields of a request to speak a text. */
const SPEECH_REQUEST = requestWith(
  known({
    input: TEXT,
    instructions: TEXT,
    voice: TEXT,
    response_format: CHECKED_WORD,
    speed: NUMBER_OR_BOOLEAN,
    input_references: listOf(REFERENCE),
    provider: OPTIONED_PREFERENCES,
  }),
);

/** The tokens of audio of a character, as it is usually spoken: 16 characters in a second of 20 tokens. */
const USUAL_TOKENS_PER_CHARACTER = 1.25;

/** The most tokens of audio of a character, slowly spoken, and of an answer besides. */
const TOKENS_PER_CHARACTER = 8;
const FURTHER_TOKENS = 256;

const TEXTS = new RequestTexts<SpeechRequest>(SPEECH_REQUEST, 'input');

/** Texts that are spoken. */
export const SPEECH: AskedOperation<SpeechRequest, 'speech'> = {
  name: 'speech',
  absence: 'The protocol of the provider speaks no texts.',
  isCached: false,
  modelNamesOf: ({ model }) => [model],
  texts: TEXTS,
  hidesText: ({ input_references: references }, work) =>
    hidesTextInEmbeddedParts(
      (references ?? []).map((one) => ({ ...one })),
      work,
    ),
  promptBytesOf,
  sizeOf,
  usageBoundsOf: (body) => {
    const { bytes, mediaTokens = 0, answer } = sizeOf(body);
    return { prompt: bytes + mediaTokens, completion: answer?.namedTokens ?? 0 };
  },
  // It is as long as the text.
  withLongestAnswer: (body) => body,
  conversationHintsOf: () => undefined,
  loggedInputOf: ({ input }) => ({ prompt: input }),
  needsOf: () => ({
    promptTokens: 0,
    maxTokens: null,
    inputModalities: new Set(),
    outputModalities: new Set(['speech']),
    usesTools: false,
    parameters: new Set(),
    preferredParameters: new Set(),
  }),
  likelyUseOf: (body) => {
    const { units = {}, mediaTokens = 0 } = sizeOf(body);
    const spoken = Math.ceil((units.character ?? 0) * USUAL_TOKENS_PER_CHARACTER);
    return likelyUse(estimatedTokens(promptBytesOf(body)) + mediaTokens, spoken, units, {
      completion_tokens_details: { reasoning_tokens: 0, audio_tokens: spoken },
    });
  },
};

/** A refusal of a format, in the words of providers. */
const OF_FORMAT = /\bresponse_?format\b|\b(?:audio|output|response) (?:format|encoding)\b|\bmp3\b/i;

/** The statuses of a refusal for something in the request. */
const OF_THE_REQUEST: ReadonlySet<number> = new Set([400, 415, 422]);

/** The formats in which candidates are asked to speak for one request. */
export class AskedFormats {
  /** The candidates that do not speak the format of requests that name none. */
  private readonly unable = new Set<Candidate>();

  /**
   * @param named that of the request
   * @param dialect that of the deployment, which decides where the request names none
   */
  constructor(
    private readonly named: AudioFormat | undefined,
    private readonly dialect: ApiDialect,
  ) {}

  /** The format for a candidate; undefined for the one that it speaks by itself. */
  for(candidate: Candidate): AudioFormat | undefined {
    if (this.named !== undefined || this.unable.has(candidate)) return this.named;
    return candidate.connection.protocol === 'echo' ? BUILTIN_FORMAT : DEFAULT_FORMATS[this.dialect];
  }

  /** Whether a candidate has refused a format that the client has not asked for, and is to be asked once more without one. */
  isAskedAgain(candidate: Candidate, { kind, status, message }: ProviderError): boolean {
    if (this.named !== undefined || this.unable.has(candidate)) return false;
    if (kind !== 'refused' || !OF_THE_REQUEST.has(status ?? 400) || !OF_FORMAT.test(message)) return false;
    this.unable.add(candidate);
    return true;
  }
}

/**
 * The request for a candidate, without the fields of the gateway.
 *
 * @param format as {@link AskedFormats} gives it
 * @param adjustments is told what is left out
 */
export function speechRequestFor(
  body: SpeechRequest,
  candidate: Candidate,
  format: AudioFormat | undefined,
  adjustments: RequestAdjustments,
): UpstreamSpeechRequest {
  // The answer is audio in any case.
  const { stream_format: _, response_format: _named, ...fields } = fieldsWithOptions(body, candidate, adjustments);
  return {
    ...fields,
    input: body.input,
    ...(format !== undefined && { response_format: format }),
    model: candidate.upstreamModel,
  };
}

function promptBytesOf({ input, instructions }: SpeechRequest): number {
  return countedBytes(input) + countedBytes(instructions ?? '');
}

function sizeOf(body: SpeechRequest): RequestSize {
  const characters = [...body.input].length;
  const recordings = (body.input_references ?? []).filter(({ type }) => type === 'input_audio');
  return {
    bytes: TEXTS.promptBytesIn(body),
    messages: 1,
    units: { character: characters },
    recordings: recordings.length,
    mediaTokens: recordings.reduce((sum, part) => sum + mediaTokensOf(part, false), 0),
    answer: { namedTokens: characters * TOKENS_PER_CHARACTER + FURTHER_TOKENS, hasAudio: true },
  };
}
