import type { TokenUsage } from './chat-completion.js';

/** A request to draw images as a provider gets it (docs/interface/images.md). */
export interface ImageRequest {
  readonly model: string;
  readonly prompt: string;
  /** How many images are drawn. */
  readonly n: number;
  /** Pixels, as `1024x768`; undefined where nothing is said. */
  readonly size?: string | undefined;
  /** A tier: `512`, `1K`, `1.5K`, `2K` or `4K`. */
  readonly resolution?: string | undefined;
  /** As `16:9`, or `auto`. */
  readonly aspect_ratio?: string | undefined;
  readonly quality?: string | undefined;
  readonly background?: string | undefined;
  readonly output_format?: string | undefined;
  readonly output_compression?: number | undefined;
  readonly seed?: number | undefined;
  /** How many unfinished images a stream shows. */
  readonly partial_images?: number | undefined;
  /** The images that are edited or followed: data URLs, or addresses. */
  readonly references: readonly string[];
  /** What of the first reference is edited, as one of them. */
  readonly mask?: string | undefined;
  /** Fields for this provider alone, which are handed on as they are. */
  readonly further: Readonly<Record<string, unknown>>;
}

/** An image as a provider sends it: in base64, or at an address. */
export type SentImage = { readonly data: string } | { readonly url: string };

/** What a provider has drawn. */
export interface SentImages {
  readonly upstreamId: string | null;
  readonly images: readonly SentImage[];
  /** Null where the provider reported nothing. */
  readonly usage: TokenUsage | null;
}

/** What an image of a stream says of itself, in the words of OpenAI's form. */
export const IMAGE_ATTRIBUTES = ['size', 'quality', 'background', 'output_format'] as const;

export type ImageAttributes = Readonly<Partial<Record<(typeof IMAGE_ATTRIBUTES)[number], string>>>;

/** A part of a streamed answer: an image that is not finished, or one that is. Absent attributes are those that a provider does not say. */
export type ImagePart = { readonly data: string; readonly attributes?: ImageAttributes } & (
  | { readonly kind: 'partial'; readonly index: number }
  | { readonly kind: 'completed'; readonly usage: TokenUsage | null }
);
