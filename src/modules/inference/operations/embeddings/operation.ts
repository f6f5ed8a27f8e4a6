import { isObject } from '../../../../http/validation/constraints.js';
import type { LongWork } from '../../../../concurrency/long-work.js';
import { capabilitiesOfCandidate } from '../../../codecs/capabilities/translated-request.js';
import { type EmbeddingList, type EmbeddingRequest, inputsOf } from '../../../codecs/chat/embeddings.js';
import { KNOWN_MODEL } from '../../../codecs/chat/known-model.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import { withKnownFields } from '../../../codecs/capabilities/body-fields.js';
import type { EndpointNeeds } from '../../../routing/endpoint-exclusion.js';
import { promptUsage } from '../../pipeline/attempts/provider-calls.js';
import { countedBytes } from '../../pipeline/cost/estimated-tokens.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { EmbeddingsRequest } from './dto/embeddings-request.dto.js';
import type { EmbeddingsResponse } from './dto/embeddings-response.dto.js';
import { vectorOf, vectorSize } from './embedding-encoding.js';
import { mediaTokensOf } from '../../pipeline/cost/media-tokens.js';
import type { RequestSize } from '../../pipeline/request/request-size.js';
import { MAXIMUM_BYTES_PER_TOKEN } from '../../pipeline/candidates/endpoint-needs.js';
import { hidesTextInEmbeddedParts } from '../../pipeline/content/hidden-text.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import type { DocumentOperation } from '../document-operations.service.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { fieldsFor } from '../../pipeline/request/upstream-request.js';
import { DATA_OR_ADDRESS } from '../../pipeline/content/fields/addresses.js';
import {
  either,
  known,
  listOf,
  NUMBER_OR_BOOLEAN,
  objectWith,
  oneOf,
  TEXT,
  unscanned,
} from '../../pipeline/content/fields/field-readers.js';
import { AUDIO_FORMATS, PICTURE } from '../../pipeline/content/fields/message-fields.js';
import { CHECKED_WORD, requestWith } from '../../pipeline/content/fields/request-fields.js';

/** Videos and files, as the providers of models name them. */
const OTHER_FORMATS = [
  ...['mov', 'mpg', 'avi', 'mkv', 'wmv', 'flv', '3gp', '3gpp'],
  ...['pdf', 'doc', 'docx', 'xls', 'xlsx', 'ppt', 'pptx', 'odt', 'ods', 'odp'],
  ...['txt', 'md', 'html', 'csv', 'json', 'xml'],
];

/** A recording, a video or a file. None is looked into, but its address is. */
const MEDIA = objectWith(known({ data: DATA_OR_ADDRESS, format: oneOf(...AUDIO_FORMATS, ...OTHER_FORMATS) }));

const PART = objectWith(
  known({
    type: oneOf('text', 'image_url', 'input_audio', 'input_video', 'input_file'),
    text: TEXT,
    image_url: PICTURE,
    input_audio: MEDIA,
    input_video: MEDIA,
    input_file: MEDIA,
  }),
);

const TOKENS = unscanned((value) => Array.isArray(value) && value.every((token) => typeof token === 'number'));

/** One input: a text, its tokens, or parts. */
const EMBEDDED_INPUT = either(TEXT, TOKENS, objectWith(known({ content: listOf(PART) })));

const EMBEDDINGS_REQUEST = requestWith(
  known({
    input: either(EMBEDDED_INPUT, listOf(EMBEDDED_INPUT)),
    input_type: TEXT,
    dimensions: NUMBER_OR_BOOLEAN,
    encoding_format: CHECKED_WORD,
  }),
);

/** The bytes that a token counts as where a provider reports no usage. */
const BYTES_PER_TOKEN = 4;

/** What each part of an input is, by its type, besides text. */
const MODALITY_BY_PART: Readonly<Record<string, string>> = {
  image_url: 'image',
  input_audio: 'audio',
  input_video: 'video',
  input_file: 'file',
};

const TEXTS = new RequestTexts<EmbeddingsRequest>(EMBEDDINGS_REQUEST, 'input');

const TEXTS_OF_INPUT = new RequestTexts<unknown>(EMBEDDED_INPUT, 'input');

/** The vectors of an answer, in the form that the caller asked for, and what the provider says besides. */
interface Embedded extends Pick<EmbeddingList, 'upstreamId' | 'usage'> {
  readonly data: EmbeddingsResponse['data'];
}

/** Embeddings of texts (docs/interface/inference.md#embeddings). */
export const EMBEDDINGS: DocumentOperation<EmbeddingsRequest, 'embeddings', Embedded, object> = {
  name: 'embeddings',
  absence: 'The protocol of the provider has no embeddings.',
  requestFor,
  reportOf: ({ usage, upstreamId }) => ({
    upstreamId,
    usage: usage && { ...promptUsage(usage.prompt_tokens), total_tokens: usage.total_tokens },
  }),
  resultOf,
  documentOf: ({ data }, { request: { id } }, { model }, { completion_tokens: _none, ...usage }) => ({
    id,
    object: 'list',
    data,
    model: model.row.id,
    usage,
  }),
  isCached: true,
  modelNamesOf: ({ model }) => [model],
  texts: TEXTS,
  hidesText,
  promptBytesOf: (body) => {
    const tokens = inputsOf(body.input).filter(isTokens).flat().length;
    return TEXTS.promptBytesIn(body, countedBytes) + tokens * BYTES_PER_TOKEN;
  },
  sizeOf,
  // Vectors have no length that a caller could choose.
  // Each input is read by itself.
  usageBoundsOf: ({ input }, { endpoint: { row } }) => ({
    prompt: row.contextLength * inputsOf(input).length,
    completion: 0,
  }),
  withLongestAnswer: (body) => body,
  conversationHintsOf: () => undefined,
  loggedInputOf: (body) => ({ prompt: TEXTS.promptIn(body) }),
  needsOf,
};

/** Which form of vectors the provider answers with is its own matter: the answer has the form that the caller asked for. */
function requestFor(body: EmbeddingsRequest, candidate: Candidate, adjustments: RequestAdjustments): EmbeddingRequest {
  const capabilities = capabilitiesOfCandidate(candidate);
  const request = { ...fieldsFor(body, candidate, adjustments), input: body.input, model: candidate.upstreamModel };
  return { ...withKnownFields(request, capabilities, false, adjustments), [KNOWN_MODEL]: capabilities };
}

/** The provider answers for vectors of a wrong form, so that the next candidate is tried. */
async function resultOf(
  { data: embeddings, upstreamId, usage }: EmbeddingList,
  { request: { memory }, decision: { sent: body } }: Exchange<EmbeddingsRequest>,
): Promise<Embedded> {
  const format = body.encoding_format ?? 'float';
  const data: EmbeddingsResponse['data'][number][] = [];
  for (const one of embeddings) {
    const size = vectorSize(one, format);
    if (!memory.tryHold(size)) await memory.hold(size);
    data.push({ object: 'embedding', index: one.index, embedding: vectorOf(one, format) });
  }
  return { upstreamId, usage, data };
}

function isTokens(input: unknown): input is readonly number[] {
  return Array.isArray(input);
}

/** Tokens are a text too, which filters cannot read. */
async function hidesText({ input }: EmbeddingsRequest, work: LongWork): Promise<boolean> {
  const inputs = inputsOf(input);
  return inputs.some(isTokens) || (await hidesTextInEmbeddedParts(partsOf(inputs), work));
}

function sizeOf(body: EmbeddingsRequest): RequestSize {
  const inputs = inputsOf(body.input);
  const media = partsOf(inputs).filter(({ type }) => Object.hasOwn(MODALITY_BY_PART, type));
  const isImage = ({ type }: Part): boolean => MODALITY_BY_PART[type] === 'image';
  return {
    bytes: TEXTS.promptBytesIn(body),
    tokens: inputs.filter(isTokens).flat().length,
    messages: inputs.length,
    units: { input_image: media.filter(isImage).length },
    recordings: media.filter((part) => !isImage(part)).length,
    mediaTokens: media.reduce((sum, part) => sum + mediaTokensOf(part, isImage(part)), 0),
  };
}

interface Part {
  readonly type: string;
  readonly [field: string]: unknown;
}

function partsOf(inputs: readonly unknown[]): Part[] {
  return inputs.flatMap((one) => (isObject(one) ? (one.content as readonly Part[]) : []));
}

function needsOf({ input }: EmbeddingsRequest): EndpointNeeds {
  const inputs = inputsOf(input);
  const modalities = partsOf(inputs).flatMap(({ type }) => MODALITY_BY_PART[type] ?? []);
  return {
    // Each input is read by itself.
    promptTokens: inputs.reduce<number>((most, one) => Math.max(most, leastTokensOf(one)), 0),
    maxTokens: null,
    inputModalities: new Set(modalities),
    outputModalities: new Set(['embeddings']),
    usesTools: false,
    parameters: new Set(),
    preferredParameters: new Set(),
  };
}

function leastTokensOf(input: unknown): number {
  if (isTokens(input)) return input.length;
  return Math.floor(TEXTS_OF_INPUT.promptBytesIn(input) / MAXIMUM_BYTES_PER_TOKEN);
}
