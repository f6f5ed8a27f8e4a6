import type { TokenUsage } from '../chat/chat-completion.js';
import type { ImageRequest, SentImage, SentImages } from '../chat/images.js';
import { pixelsOf, ratioOf, tierOf } from '../chat/image-size.js';
import { listOf, nonEmptyText, objectOf } from '../chat/json-values.js';
import { ProviderError } from '../errors/provider-error.js';
import type { EncodedRequest, Upstream } from '../upstream-codec.js';
import { completionOf } from './answer-decoder.js';
import type { GoogleService } from './google-service.js';
import { modelPath } from './model-path.js';
import { partsOf } from './parts.js';

/** The ratios that models of this form draw in (https://ai.google.dev/gemini-api/docs/image-generation). */
const RATIOS = ['1:1', '1:4', '1:8', '2:3', '3:2', '3:4', '4:1', '4:3', '4:5', '5:4', '8:1', '9:16', '16:9', '21:9'];

/** How an image in base64 begins in the form of chats. */
const DATA_HEAD = /^data:[^,]*;base64,/;

/** Writes a request, as one for each image: an answer has one. Images that repeat a seed would be the same. */
export function imagesRequests(request: ImageRequest, service: GoogleService): readonly EncodedRequest[] {
  const { model, prompt, n, references, seed, further } = request;
  const images = references.map((url) => ({ type: 'image_url', image_url: { url } }) as const);
  const parts = partsOf([...images, { type: 'text', text: prompt }], service);
  const imageConfig = configOf(request);
  return Array.from({ length: n }, (_, place) => ({
    path: modelPath(model, 'generateContent'),
    body: {
      ...further,
      contents: [{ role: 'user', parts }],
      generationConfig: {
        responseModalities: ['IMAGE'],
        ...(seed !== undefined && { seed: seed + place }),
        ...(Object.keys(imageConfig).length > 0 && { imageConfig }),
      },
    },
  }));
}

function configOf({ size, resolution, aspect_ratio: ratio }: ImageRequest): Readonly<Record<string, string>> {
  const pixels = pixelsOf(size);
  const aspectRatio = pixels === undefined ? ratio : nearestRatio(pixels.width / pixels.height);
  const imageSize = pixels === undefined ? resolution : tierOf(pixels);
  return {
    ...(aspectRatio !== undefined && aspectRatio !== 'auto' && { aspectRatio }),
    ...(imageSize !== undefined && { imageSize }),
  };
}

function nearestRatio(proportion: number): string {
  const distanceTo = (ratio: string): number => Math.abs(Math.log(proportion / ratioOf(ratio)!));
  return RATIOS.reduce((nearest, ratio) => (distanceTo(ratio) < distanceTo(nearest) ? ratio : nearest));
}

/**
 * Reads the images of the answers.
 *
 * @throws ProviderError for an answer without an image, as refused where the provider says that it filters it
 */
export function imagesOfContents(documents: readonly unknown[], upstream: Upstream): SentImages {
  const answers = documents.map((document) => completionOf(document, upstream));
  const images = answers.flatMap(({ choices }) => {
    const found = choices.flatMap(({ message }) => listOf(message['images']).flatMap(imageOf));
    if (found.length > 0) return found;
    const [choice] = choices;
    if (choice?.finish_reason !== 'content_filter') {
      throw new ProviderError('invalid', 'The provider’s answer has no image.');
    }
    throw new ProviderError('refused', `The provider draws nothing for this prompt (${choice.native_finish_reason}).`, {
      status: 400,
      code: 'content_policy_violation',
    });
  });
  const usages = answers.map(({ usage }) => usage);
  return {
    upstreamId: answers[0]?.upstreamId ?? null,
    images,
    usage: usages.reduce((sum, usage) => (sum && usage ? sumOf(sum, usage) : null)) ?? null,
  };
}

function imageOf(value: unknown): readonly SentImage[] {
  const url = nonEmptyText(objectOf(objectOf(value)?.['image_url'])?.['url']);
  return url === undefined ? [] : [{ data: url.replace(DATA_HEAD, '') }];
}

function sumOf(one: TokenUsage, other: TokenUsage): TokenUsage {
  return {
    prompt_tokens: one.prompt_tokens + other.prompt_tokens,
    completion_tokens: one.completion_tokens + other.completion_tokens,
    total_tokens: one.total_tokens + other.total_tokens,
    prompt_tokens_details: sumOfCounts(one.prompt_tokens_details, other.prompt_tokens_details),
    completion_tokens_details: sumOfCounts(one.completion_tokens_details, other.completion_tokens_details),
  };
}

function sumOfCounts<Counts extends object>(one: Counts | null | undefined, other: Counts | null | undefined): Counts {
  const counts: Record<string, number> = {};
  for (const [name, count] of [...Object.entries(one ?? {}), ...Object.entries(other ?? {})]) {
    counts[name] = (counts[name] ?? 0) + Number(count ?? 0);
  }
  return counts as Counts;
}
