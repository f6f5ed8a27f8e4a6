import type { ApiDialect } from '../../../../config/environment.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { SpeechRequest as UpstreamSpeechRequest } from '../../../codecs/chat/speech.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { SPEECH_REQUEST } from '../../pipeline/content/fields/speech-fields.js';
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

/** The format in which a candidate is asked to speak. @param dialect that of the deployment, which decides where the request names none */
export function formatFor(
  { response_format: named }: SpeechRequest,
  { connection }: Candidate,
  dialect: ApiDialect,
): AudioFormat {
  return named ?? (connection.protocol === 'echo' ? BUILTIN_FORMAT : DEFAULT_FORMATS[dialect]);
}

/**
 * The request for a candidate, without the fields of the gateway.
 *
 * @param format as {@link formatFor} gives it
 * @param adjustments is told what is left out
 */
export function speechRequestFor(
  body: SpeechRequest,
  candidate: Candidate,
  format: AudioFormat,
  adjustments: RequestAdjustments,
): UpstreamSpeechRequest {
  // The answer is audio in any case.
  const { stream_format: _, ...fields } = fieldsWithOptions(body, candidate, adjustments);
  return {
    ...fields,
    input: body.input,
    response_format: format,
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
