import type { DomainError } from '../../../../http/errors/domain-error.js';
import { UploadedFile } from '../../../../http/input/uploaded-file.js';
import { type AnswerUsage, DONE, type StreamEvent } from '../../../codecs/client-codec.js';
import { brokenAnswerErrorOf } from '../../../codecs/errors/shown-error.js';
import type { ImageAttributes } from '../../../codecs/chat/images.js';
import { imageHeadOf } from '../../../codecs/chat/image-head.js';
import { TIERS } from '../../../codecs/chat/image-size.js';
import type { ImageGenerationRequest, ImageRequestFields } from './dto/image-request.dto.js';
import type { DrawnImage, ImageGenerationResponse, OpenAiImageResponse } from './dto/image-response.dto.js';
import type { OpenAiImageEditForm, OpenAiImageEditRequest } from './dto/openai-image-edit.dto.js';
import type { OpenAiImageFields } from './dto/openai-image-request.dto.js';
import type { Steps } from '../../pipeline/content/fields/place-in-request.js';
import type { ImageBody } from './image-body.js';
import { imageHeadOfFile } from './image-rules.js';

/** What an answer says, in no form yet. */
export interface ImageAnswer {
  /** Unix time in seconds. */
  readonly created: number;
  /** In base64. */
  readonly images: readonly string[];
  readonly usage: AnswerUsage;
}

/** An image of a stream. */
export interface StreamedImage {
  /** Unix time in seconds. */
  readonly created: number;
  /** In base64. */
  readonly data: string;
  /** As the provider says them, or else the request. */
  readonly attributes: ImageAttributes;
}

/** A finished image of a stream; the last one says what was used. */
export interface FinishedImage extends StreamedImage {
  readonly usage: AnswerUsage | undefined;
}

/** How clients are answered. */
export interface ImageForm {
  readonly whole: (answer: ImageAnswer) => object;
  /** Writes an image of a stream that is not finished. */
  readonly partial: (index: number, image: StreamedImage) => readonly StreamEvent[];
  readonly finished: (image: FinishedImage) => readonly StreamEvent[];
  readonly end: readonly StreamEvent[];
  /** Writes what ends a stream that is not complete. */
  readonly failure: (error: unknown) => readonly StreamEvent[];
}

/** The fields of the form of OpenAI that are handed on, and say nothing that the gateway decides. */
const HANDED_ON = ['style', 'moderation', 'input_fidelity', 'response_format'];

/** The form of `POST /images`. */
export const IMAGES_FORM: ImageForm = {
  whole: ({ created, images, usage }): ImageGenerationResponse =>
    ({ created, data: images.map(shownImage), usage }) as ImageGenerationResponse,
  partial: (index, { data }) => [
    { data: { type: 'image_generation.partial_image', partial_image_index: index, b64_json: data } },
  ],
  finished: ({ created, data, usage }) => [
    { data: { type: 'image_generation.completed', ...shownImage(data), created, ...(usage && { usage }) } },
  ],
  end: [DONE],
  failure: (error) => [{ data: { error: shownFailure(error), type: 'error' } }, DONE],
};

/** The form of OpenAI. @param word what its events are called after */
export function openAiForm(word: 'image_generation' | 'image_edit'): ImageForm {
  const event = (type: string, fields: object): StreamEvent => ({ event: type, data: { type, ...fields } });
  return {
    whole: ({ created, images, usage }): OpenAiImageResponse => ({
      created,
      data: images.map(shownImage),
      usage: openAiUsage(usage),
    }),
    partial: (index, image) => [event(`${word}.partial_image`, { partial_image_index: index, ...openAiImage(image) })],
    finished: ({ usage, ...image }) => [
      event(`${word}.completed`, {
        ...openAiImage(image),
        ...(usage && { usage: openAiUsage(usage) }),
      }),
    ],
    end: [],
    failure: (error) => [event('error', { error: shownFailure(error) })],
  };
}

/** What a request in the form of `POST /images` says. */
export function bodyOf(request: ImageGenerationRequest): ImageBody {
  const { size, resolution, input_references: references } = request;
  const tier = TIERS.find(([name]) => name === size)?.[0];
  return {
    ...commonBody(request, ['aspect_ratio', 'quality', 'output_format', 'seed']),
    ...given({ resolution: tier ?? resolution, size: tier === undefined ? size : undefined }),
    references: (references ?? []).map(({ image_url: { url } }) => url),
  };
}

/** What a request in the form of OpenAI says, with the images that it edits: files, or addresses. */
export function editBodyOf(request: OpenAiImageEditRequest | OpenAiImageEditForm): ImageBody {
  const { image, images, mask } = request;
  const listed = Array.isArray(image) && image[0] instanceof UploadedFile ? image : images;
  return {
    ...openAiBodyOf(request),
    references: (listed as readonly (UploadedFile | { readonly image_url: string })[]).map(addressOf),
    ...(mask !== undefined && mask !== null && { mask: addressOf(mask) }),
  };
}

/** Where a request to draw images has what its body has at a place. */
export function stepsInGeneration(steps: Steps): Steps {
  return stepsOutOf(steps, (index) => ['input_references', index, 'image_url', 'url']);
}

/** Where a request to edit images, within JSON, has what its body has at a place. */
export function stepsInEdit(steps: Steps): Steps {
  return steps[0] === 'mask' ? ['mask', 'image_url'] : stepsOutOf(steps, (index) => ['images', index, 'image_url']);
}

/** Fields that are handed on stand by themselves in a request. */
function stepsOutOf(steps: Steps, ofReference: (index: number) => Steps): Steps {
  const [field, index] = steps;
  if (field === 'references') return ofReference(index as number);
  return field === 'further' ? [] : steps;
}

/** The address of an image: that of a file has all of it. */
function addressOf(image: UploadedFile | { readonly image_url: string }): string {
  if (!(image instanceof UploadedFile)) return image.image_url;
  return `data:${imageHeadOfFile(image)!.mediaType};base64,${Buffer.concat(image.pieces).toString('base64')}`;
}

/** What a request in the form of OpenAI says, but for the images that it edits. */
export function openAiBodyOf(request: OpenAiImageFields): ImageBody {
  const { size } = request;
  const ofSize = size === 'auto' ? {} : given({ size });
  return { ...commonBody(request, ['quality', 'output_format']), ...ofSize, references: [] };
}

function commonBody(request: ImageRequestFields, names: readonly string[]): Omit<ImageBody, 'references'> {
  const { model, prompt, n, stream, provider, user, session_id, trace } = request;
  const known = ['background', 'output_compression', 'partial_images', ...names];
  return {
    ...given(Object.fromEntries(known.map((name) => [name, request[name]]))),
    model,
    prompt,
    n: n ?? 1,
    stream: stream === true,
    further: given(Object.fromEntries(HANDED_ON.map((name) => [name, request[name]]))),
    ...given({ provider, user, session_id, trace }),
  };
}

function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined && value !== null));
}

function shownImage(data: string): DrawnImage {
  const head = imageHeadOf(data);
  return { b64_json: data, ...(head !== undefined && { media_type: head.mediaType }) };
}

function openAiImage({ created, data, attributes }: StreamedImage): object {
  return { b64_json: data, created_at: created, ...attributes };
}

function openAiUsage(usage: AnswerUsage): OpenAiImageResponse['usage'] {
  const { prompt_tokens: input, completion_tokens: output, total_tokens, prompt_tokens_details: details } = usage;
  const images = details?.image_tokens ?? 0;
  return {
    input_tokens: input,
    output_tokens: output,
    total_tokens,
    input_tokens_details: { text_tokens: Math.max(0, input - images), image_tokens: images },
    cost: usage.cost,
    is_byok: usage.is_byok,
    cost_details: usage.cost_details,
  };
}

function shownFailure(error: unknown): object {
  const { status, message } = brokenAnswerErrorOf(error);
  const { reason } = error as Partial<DomainError>;
  return { message, code: String(status), type: typeof reason === 'string' ? reason : null, param: null };
}
