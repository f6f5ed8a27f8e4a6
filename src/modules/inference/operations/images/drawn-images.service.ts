import { Injectable } from '@nestjs/common';
import { imageHeadOf } from '../../../codecs/chat/image-head.js';
import type { ImagePart, ImageRequest, SentImages } from '../../../codecs/chat/images.js';
import type { PixelSize } from '../../../codecs/chat/image-size.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { CountedMedia } from '../../pipeline/answer/result-answer.service.js';
import { NOTHING_DELIVERED } from '../../pipeline/answer/delivered-answer.js';
import { ProviderCalls } from '../../pipeline/attempts/provider-calls.js';
import type { Candidate } from '../../pipeline/request/candidate.js';
import type { Exchange } from '../../pipeline/request/exchange.js';
import type { ImageBody } from './image-body.js';
import { IMAGES, tokensOfImages } from './operation.js';
import { pricingOfDrawn } from '../../pipeline/cost/image-prices.js';

/** Images in base64. */
interface DrawnImages extends Omit<SentImages, 'images'> {
  readonly images: readonly string[];
}

/** Asks candidates for images, and says what images are charged. */
@Injectable()
export class DrawnImagesService {
  constructor(private readonly calls: ProviderCalls) {}

  /** Asks for all images at once. @param sent is told when the candidate has the whole request @throws ProviderError */
  async whole(
    { request, decision: { sent: body }, signal }: Exchange<ImageBody>,
    candidate: Candidate,
    sent: () => void,
  ): Promise<DrawnImages> {
    const encode = (adjustments: RequestAdjustments): ImageRequest => IMAGES.requestFor(body, candidate, adjustments);
    const drawn = await this.calls.whole(IMAGES, candidate, encode, request, { signal, sent });
    const images = drawn.images.map((image) => ('data' in image ? image.data : image.url));
    for (const image of images) requireImage(image);
    // More than were asked for are neither charged nor answered.
    return { ...drawn, images: images.slice(0, body.n) };
  }

  /** Asks for a stream. An endpoint without streams has one of finished images alone. */
  async *inParts(
    exchange: Exchange<ImageBody>,
    candidate: Candidate,
    sent: () => void,
  ): AsyncGenerator<ImagePart, void, undefined> {
    const { request, decision, signal } = exchange;
    if (candidate.endpoint.image?.supportsStreaming !== true) {
      const { images, usage } = await this.whole(exchange, candidate, sent);
      for (const [place, data] of images.entries()) {
        yield { kind: 'completed', data, usage: place === images.length - 1 ? usage : null };
      }
      return;
    }
    const encode = (adjustments: RequestAdjustments): ImageRequest =>
      IMAGES.requestFor(decision.sent, candidate, adjustments);
    let finished = 0;
    for await (const part of this.calls.stream(IMAGES, candidate, encode, request, { signal, sent })) {
      requireImage(part.data);
      if (part.kind === 'completed') finished += 1;
      if (finished <= decision.sent.n) yield part;
    }
  }
}

/** What images are charged. @param sizes of each image, as far as its head says it */
export function countedImages(
  { decision: { sent: body } }: Exchange<ImageBody>,
  { endpoint }: Candidate,
  sizes: readonly (PixelSize | undefined)[],
): CountedMedia {
  return {
    units: { image: sizes.length },
    delivered: { ...NOTHING_DELIVERED, images: tokensOfImages(sizes.length) },
    pricing: pricingOfDrawn(endpoint, body, sizes),
  };
}

/** All images that were asked for, which are charged where a call ends without any: the provider may still draw them. */
export function askedImages(exchange: Exchange<ImageBody>, candidate: Candidate): CountedMedia {
  const { n } = exchange.decision.sent;
  return countedImages(
    exchange,
    candidate,
    Array.from({ length: n }, () => undefined),
  );
}

/** The pixels of an image in base64. */
export function sizeOfImage(data: string): PixelSize | undefined {
  return imageHeadOf(data)?.pixels;
}

/** @throws ProviderError for what is no image in base64 */
function requireImage(data: string): void {
  if (imageHeadOf(data) === undefined) {
    throw new ProviderError('invalid', 'The provider’s answer has something else than an image.');
  }
}
