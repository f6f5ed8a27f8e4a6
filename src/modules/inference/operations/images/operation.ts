import type { ImageRequest } from '../../../codecs/chat/images.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { CatalogEndpoint, ImageOffer } from '../../../catalog/catalog-endpoint.js';
import type { EndpointNeeds } from '../../../routing/endpoint-exclusion.js';
import { observedParts } from '../../pipeline/attempts/observed-stream.js';
import { MAXIMUM_BYTES_PER_TOKEN } from '../../pipeline/candidates/endpoint-needs.js';
import { RequestTexts } from '../../pipeline/content/fields/request-texts.js';
import { hidesTextInEmbeddedParts } from '../../pipeline/content/hidden-text.js';
import { likelyUse } from '../../pipeline/cost/compared-price.js';
import { pricedEndpoint } from '../../pipeline/cost/image-prices.js';
import { countedBytes, estimatedTokens } from '../../pipeline/cost/estimated-tokens.js';
import { IMAGE_TOKENS } from '../../pipeline/cost/media-tokens.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { ResultOperation } from '../../pipeline/request/operation.js';
import { optionsFor } from '../../pipeline/request/provider-options.js';
import type { RequestSize } from '../../pipeline/request/request-size.js';
import type { ImageBody } from './image-body.js';
import { ADDRESS } from '../../pipeline/content/fields/addresses.js';
import {
  JSON_TEXT,
  known,
  listOf,
  NUMBER_OR_BOOLEAN,
  objectWith,
  TEXT,
  unscanned,
} from '../../pipeline/content/fields/field-readers.js';
import { CHECKED_WORD, requestWith } from '../../pipeline/content/fields/request-fields.js';

/** Which providers are asked, which none of them is told. */
const CHECKED = unscanned(() => true);

/** Fields for one provider are sent to it, so they are read; all else decides about providers. */
const PROVIDER = objectWith({ get: (name) => (name === 'options' ? JSON_TEXT : CHECKED) });

/** The fields of a request to draw images. */
const IMAGES_REQUEST = requestWith(
  known({
    prompt: TEXT,
    references: listOf(ADDRESS),
    mask: ADDRESS,
    n: NUMBER_OR_BOOLEAN,
    partial_images: NUMBER_OR_BOOLEAN,
    output_compression: NUMBER_OR_BOOLEAN,
    size: CHECKED_WORD,
    resolution: CHECKED_WORD,
    aspect_ratio: CHECKED_WORD,
    quality: CHECKED_WORD,
    background: CHECKED_WORD,
    output_format: CHECKED_WORD,
    further: JSON_TEXT,
    provider: PROVIDER,
  }),
);

/** The most tokens of an image of an answer, with what a model thinks before: far more than any has today. */
const MOST_TOKENS = 16_384;

/** The fields that an endpoint may or may not know, by the names that the catalog has for them too. */
const PARAMETERS = [
  'resolution',
  'aspect_ratio',
  'quality',
  'background',
  'output_format',
  'output_compression',
  'seed',
] as const satisfies readonly (keyof ImageBody)[];

/** What no field for one provider alone may say: it would change what is drawn, and so what is charged, or what was scanned. */
const DECIDED_FIELDS: ReadonlySet<string> = new Set([
  ...PARAMETERS,
  ...[
    'model',
    'prompt',
    'n',
    'size',
    'stream',
    'partial_images',
    'image',
    'images',
    'mask',
    'input_references',
    'user',
  ],
  ...['contents', 'generationConfig', 'generation_config', 'systemInstruction', 'system_instruction', 'cachedContent'],
]);

const TEXTS = new RequestTexts<ImageBody>(IMAGES_REQUEST, 'input');

/** Drawing of images. */
export const IMAGES: ResultOperation<ImageBody, 'image'> = {
  name: 'image',
  absence: 'The protocol of the provider draws no images.',
  streamAbsence: 'The protocol of the provider streams no images.',
  requestFor,
  reportOf: ({ usage, upstreamId }) => ({ usage, upstreamId }),
  observed: (parts, call) =>
    observedParts(parts, call, (part) => (part.kind === 'completed' ? { usage: part.usage } : {})),
  isCached: false,
  mediaOf: (body) => ({ images: referencesOf(body).length, recordings: 0 }),
  modelNamesOf: ({ model }) => [model],
  endpointsOf: ({ imageEndpoints }, body) =>
    imageEndpoints.map(({ isListed, ...endpoint }) => pricedEndpoint(endpoint, isListed, body)),
  texts: TEXTS,
  hidesText: (body, work) =>
    hidesTextInEmbeddedParts(
      referencesOf(body).map((url) => ({ type: 'image_url', image_url: { url } })),
      work,
    ),
  promptBytesOf: (body) => TEXTS.promptBytesIn(body, countedBytes),
  sizeOf,
  usageBoundsOf: ({ n }, { endpoint: { row } }) => ({ prompt: row.contextLength * n, completion: MOST_TOKENS * n }),
  // An image has no length that could be bounded.
  withLongestAnswer: (body) => body,
  conversationHintsOf: () => undefined,
  loggedInputOf: ({ prompt }) => ({ prompt }),
  needsOf,
  likelyUseOf: (body) => {
    const sent = referencesOf(body).length;
    const seen = tokensOfImages(sent);
    return likelyUse(
      estimatedTokens(TEXTS.promptBytesIn(body, countedBytes)) + seen,
      tokensOfImages(body.n),
      { input_image: sent, image: body.n },
      { prompt_tokens_details: { image_tokens: seen } },
    );
  },
};

/** The tokens that images count as where a provider counts none. @param images how many */
export function tokensOfImages(images: number): number {
  return images * IMAGE_TOKENS;
}

/** Without what the endpoint of the candidate does not know. */
function requestFor(body: ImageBody, candidate: Candidate, adjustments: RequestAdjustments): ImageRequest {
  const { endpoint, upstreamModel } = candidate;
  const { prompt, n, size, partial_images, references, mask } = body;
  const isKnown = (name: string): boolean => isParameterOf(endpoint, name);
  const sent = PARAMETERS.flatMap((name) => {
    if (body[name] === undefined) return [];
    if (!isKnown(name)) adjustments.leftOut(name, 'not_supported_by_endpoint');
    return isKnown(name) ? [[name, body[name]] as const] : [];
  });
  return {
    ...Object.fromEntries(sent),
    model: upstreamModel,
    prompt,
    n,
    size,
    partial_images,
    references,
    mask,
    further: furtherFor(body, candidate, adjustments),
  };
}

/** The fields that are handed on as they are: those for the provider alone, and those of the form of OpenAI, which go before them. */
function furtherFor(
  body: ImageBody,
  candidate: Candidate,
  adjustments: RequestAdjustments,
): Readonly<Record<string, unknown>> {
  const passed = candidate.endpoint.image?.allowedPassthroughParameters ?? [];
  const given = Object.entries({ ...optionsFor(body, candidate), ...body.further });
  const handedOn = given.filter(([name]) => {
    if (name === RESPONSE_FORMAT && refusesResponseFormat(candidate)) {
      adjustments.leftOut([name], 'refused_by_model');
      return false;
    }
    const isSent = !DECIDED_FIELDS.has(name) && (passed.length === 0 || passed.includes(name));
    if (!isSent) adjustments.leftOut([name], 'not_supported_by_endpoint');
    return isSent;
  });
  return Object.fromEntries(handedOn);
}

/** The field of OpenAI's interface that says whether images come as addresses or in base64. */
const RESPONSE_FORMAT = 'response_format';

/** The names of OpenAI's models that always answer in base64, such as `gpt-image-1` and `gpt-5.4-image-2`. */
const GPT_IMAGE = /(?:^|[/.-])(?:chat)?gpt-(?:[\w.]+-)*image/;

/** Whether a model refuses {@link RESPONSE_FORMAT}, by its name here or at its provider. */
function refusesResponseFormat({ model: { row }, upstreamModel }: Candidate): boolean {
  return GPT_IMAGE.test(row.id) || GPT_IMAGE.test(upstreamModel);
}

/** An endpoint of which nothing is known takes everything. */
function isParameterOf({ image }: CatalogEndpoint, name: string): boolean {
  const parameters = image?.supportedParameters ?? {};
  return Object.keys(parameters).length === 0 || Object.hasOwn(parameters, name);
}

/** Whether what an endpoint knows of a parameter has room for a value. */
function allows({ supportedParameters }: ImageOffer, name: string, value: string | number | undefined): boolean {
  const parameter = Object.hasOwn(supportedParameters, name) ? supportedParameters[name] : undefined;
  if (value === undefined || value === 'auto' || parameter === undefined) return true;
  if (parameter.type === 'enum') return parameter.values.includes(String(value));
  return parameter.type !== 'range' || (Number(value) >= parameter.min && Number(value) <= parameter.max);
}

function referencesOf({ references, mask }: ImageBody): readonly string[] {
  return mask === undefined ? references : [...references, mask];
}

/** A provider may be asked for each image by itself. */
function sizeOf(body: ImageBody): RequestSize {
  const images = referencesOf(body).length;
  return {
    bytes: TEXTS.promptBytesIn(body) * body.n,
    messages: body.n,
    units: { input_image: images },
    mediaTokens: tokensOfImages(images) * body.n,
    answer: { namedTokens: MOST_TOKENS, choices: body.n, hasImages: true },
  };
}

function needsOf(body: ImageBody): EndpointNeeds {
  const { prompt, references } = body;
  return {
    promptTokens: Math.floor(Buffer.byteLength(prompt) / MAXIMUM_BYTES_PER_TOKEN),
    maxTokens: null,
    inputModalities: new Set(references.length > 0 ? ['image'] : []),
    outputModalities: new Set(['image']),
    usesTools: false,
    parameters: new Set(),
    preferredParameters: new Set(),
    isAble: ({ image }) =>
      image === undefined ||
      (PARAMETERS.every((name) => allows(image, name, body[name])) &&
        allows(image, 'n', body.n) &&
        allows(image, 'input_references', references.length)),
  };
}
