import {
  IMAGE_ATTRIBUTES,
  type ImageAttributes,
  type ImagePart,
  type ImageRequest,
  type SentImage,
  type SentImages,
} from '../chat/images.js';
import { ratioOf, sideOf } from '../chat/image-size.js';
import { countOf, listOf, nonEmptyText, objectOf, parsed, wordOf } from '../chat/json-values.js';
import { providerErrorOf } from '../errors/error-object.js';
import { ProviderError } from '../errors/provider-error.js';
import type { EncodedRequest, ServerSentEvent, StreamDecoder, Upstream } from '../upstream-codec.js';
import { imageEditForm } from './image-edits.js';
import { countedUsageOf } from './usage.js';

/** Sides are whole numbers of this many pixels, as models demand it. */
const STEP = 16;

/** What models of this form draw in these ratios where nothing else is asked for. */
const USUAL_SIZES: Readonly<Record<string, string>> = {
  '1:1': '1024x1024',
  '3:2': '1536x1024',
  '2:3': '1024x1536',
  auto: 'auto',
};

/** Writes a request (https://platform.openai.com/docs/api-reference/images/create), with references as a form with files. */
export function imagesRequest(request: ImageRequest, isStreamed: boolean): EncodedRequest {
  const { model, prompt, n, seed, quality, background, output_format, output_compression, further } = request;
  const size = sizeOf(request);
  const fields = {
    ...further,
    model,
    prompt,
    ...(n > 1 && { n }),
    ...(size !== undefined && { size }),
    ...given({ quality, background, output_format, output_compression, seed }),
    ...(isStreamed && { stream: true, ...given({ partial_images: request.partial_images }) }),
  };
  return request.references.length === 0
    ? { path: '/images/generations', body: fields }
    : { path: '/images/edits', body: imageEditForm(fields, request) };
}

/** The pixels of an image, or a word that the form has for them; undefined where the provider chooses. */
function sizeOf({ size, resolution, aspect_ratio: ratio }: ImageRequest): string | undefined {
  if (size !== undefined) return size;
  if (resolution === undefined && (ratio === undefined || Object.hasOwn(USUAL_SIZES, ratio))) {
    return ratio && USUAL_SIZES[ratio];
  }
  const side = sideOf(resolution) ?? 1_024;
  const proportion = Math.sqrt(ratioOf(ratio) ?? 1);
  const [width, height] = [side * proportion, side / proportion].map((pixels) => Math.round(pixels / STEP) * STEP);
  return `${width}x${height}`;
}

/**
 * Reads the images of an answer.
 *
 * @throws ProviderError for one without an image
 */
export function imagesOf(document: unknown): SentImages {
  const answer = objectOf(document);
  const images = listOf(answer?.['data']).map(imageOf);
  if (images.length === 0) throw new ProviderError('invalid', 'The provider’s answer has no image.');
  return {
    upstreamId: wordOf(answer?.['id']) ?? null,
    images,
    usage: countedUsageOf(answer?.['usage'])?.usage ?? null,
  };
}

function imageOf(value: unknown): SentImage {
  const image = objectOf(value);
  const data = nonEmptyText(image?.['b64_json']);
  if (data !== undefined) return { data: withoutDataHead(data) };
  const url = nonEmptyText(image?.['url']);
  if (url === undefined) throw new ProviderError('invalid', 'The provider’s answer has an image without data.');
  return /^data:/i.test(url) ? { data: withoutDataHead(url) } : { url };
}

/** Some servers send a data URL. */
function withoutDataHead(text: string): string {
  return /^data:/i.test(text) ? text.slice(text.indexOf(',') + 1) : text;
}

/** An image of 32 MiB in base64, which is as large as one that is fetched may be, with what is told of it. */
const LONGEST_IMAGE_EVENT = 44 * 1024 * 1024;

/** The events of a streamed answer (https://platform.openai.com/docs/api-reference/images-streaming). */
export class ImageEvents implements StreamDecoder<ImagePart> {
  readonly longestEvent = LONGEST_IMAGE_EVENT;

  private completed = 0;

  /** @param images how many were asked for */
  constructor(
    private readonly images: number,
    private readonly upstream: Upstream,
  ) {}

  read({ data }: ServerSentEvent): ImagePart | undefined {
    if (data === '[DONE]') return undefined;
    const event = objectOf(parsed(data));
    const error = providerErrorOf(event, this.upstream);
    if (error !== undefined) throw error;
    const type = nonEmptyText(event?.['type']);
    const image = nonEmptyText(event?.['b64_json']);
    if (event === undefined || image === undefined) return undefined;
    const said = IMAGE_ATTRIBUTES.flatMap((name) => {
      const word = wordOf(event[name]);
      return word === undefined ? [] : [[name, word]];
    });
    const part = { data: withoutDataHead(image), attributes: Object.fromEntries(said) as ImageAttributes };
    if (type?.endsWith('.partial_image') === true) {
      return { ...part, kind: 'partial', index: countOf(event['partial_image_index']) ?? 0 };
    }
    if (type?.endsWith('.completed') !== true) return undefined;
    this.completed += 1;
    const usage = countedUsageOf(event['usage'])?.usage ?? null;
    return { ...part, kind: 'completed', usage };
  }

  hasAnswerPart(): boolean {
    return true;
  }

  isLast({ data }: ServerSentEvent): boolean {
    return data === '[DONE]' || this.hasFinished();
  }

  hasFinished(): boolean {
    return this.completed >= this.images;
  }

  ended(): void {
    if (this.completed === 0) throw new ProviderError('invalid', 'The provider’s stream ended without an image.');
  }
}

function given(fields: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
