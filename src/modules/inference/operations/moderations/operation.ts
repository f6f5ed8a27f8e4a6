import type { WholeOf } from '../../../codecs/provider-operations.js';
import type { CountedResult } from '../../pipeline/answer/result-answer.service.js';
import { promptUsage } from '../../pipeline/attempts/provider-calls.js';
import { MAXIMUM_BYTES_PER_TOKEN } from '../../pipeline/candidates/endpoint-needs.js';
import { either, known, listOf, objectWith, oneOf, TEXT } from '../../pipeline/content/fields/field-readers.js';
import { PICTURE } from '../../pipeline/content/fields/message-fields.js';
import { requestWith } from '../../pipeline/content/fields/request-fields.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { hidesTextInEmbeddedParts } from '../../pipeline/content/hidden-text.js';
import { countedBytes } from '../../pipeline/cost/estimated-tokens.js';
import { mediaTokensOf } from '../../pipeline/cost/media-tokens.js';
import { fieldsFor } from '../../pipeline/request/upstream-request.js';
import type { DocumentOperation } from '../document-operations.service.js';
import type { ModeratedPart, ModerationRequest } from './dto/moderation-request.dto.js';
import type { ModerationResponse } from './dto/moderation-response.dto.js';

const PART = objectWith(known({ type: oneOf('text', 'image_url'), text: TEXT, image_url: PICTURE }));

const TEXTS = new RequestTexts<ModerationRequest>(
  requestWith(known({ input: either(TEXT, listOf(either(TEXT, PART))) })),
  'input',
);

interface Moderated extends CountedResult {
  readonly results: WholeOf<'moderation'>['results'];
}

/** Classification of texts and images as harmful (docs/interface/inference.md#moderations). */
export const MODERATIONS: DocumentOperation<ModerationRequest, 'moderation', Moderated, ModerationResponse> = {
  name: 'moderation',
  absence: 'The protocol of the provider has no moderations.',
  requestFor: (body, candidate, adjustments) => ({
    ...fieldsFor(body, candidate, adjustments),
    input: body.input,
    model: candidate.upstreamModel,
  }),
  reportOf: ({ upstreamId, promptTokens }) => ({
    upstreamId,
    usage: promptTokens === null ? null : promptUsage(promptTokens),
  }),
  resultOf: ({ upstreamId, promptTokens, results }) => ({
    upstreamId,
    usage: promptTokens === null ? null : { prompt_tokens: promptTokens, total_tokens: promptTokens },
    results,
  }),
  documentOf: ({ results }, { request: { id } }, { model }) => ({ id, model: model.row.id, results }),
  isCached: false,
  modelNamesOf: ({ model }) => [model],
  texts: TEXTS,
  hidesText: (body, work) =>
    hidesTextInEmbeddedParts(
      imagesOf(body).map((part) => ({ ...part })),
      work,
    ),
  promptBytesOf: (body) => TEXTS.promptBytesIn(body, countedBytes),
  sizeOf: (body) => {
    const images = imagesOf(body);
    return {
      bytes: TEXTS.promptBytesIn(body),
      messages: Array.isArray(body.input) ? body.input.length : 1,
      units: { input_image: images.length },
      mediaTokens: images.reduce((sum, part) => sum + mediaTokensOf(part, true), 0),
    };
  },
  // Each text is read by itself.
  usageBoundsOf: ({ input }, { endpoint: { row } }) => ({
    prompt: row.contextLength * (Array.isArray(input) ? input.length : 1),
    completion: 0,
  }),
  withLongestAnswer: (body) => body,
  conversationHintsOf: () => undefined,
  loggedInputOf: (body) => ({ prompt: TEXTS.promptIn(body) }),
  needsOf: ({ input }) => ({
    promptTokens: Math.floor(longestBytes(input) / MAXIMUM_BYTES_PER_TOKEN),
    maxTokens: null,
    inputModalities: new Set(partsOf(input).some(isImage) ? ['image'] : []),
    outputModalities: new Set(['moderation']),
    usesTools: false,
    parameters: new Set(),
    preferredParameters: new Set(),
  }),
};

type Input = ModerationRequest['input'];

function partsOf(input: Input): readonly (string | ModeratedPart)[] {
  return typeof input === 'string' ? [input] : input;
}

function isImage(part: string | ModeratedPart): part is Extract<ModeratedPart, { readonly type: 'image_url' }> {
  return typeof part !== 'string' && part.type === 'image_url';
}

function imagesOf({ input }: ModerationRequest): Extract<ModeratedPart, { readonly type: 'image_url' }>[] {
  return partsOf(input).filter(isImage);
}

function longestBytes(input: Input): number {
  return partsOf(input).reduce<number>((most, part) => {
    const text = typeof part === 'string' ? part : part.type === 'text' ? part.text : '';
    return Math.max(most, Buffer.byteLength(text));
  }, 0);
}
