import type { OperationName } from '../../../telemetry/operations.js';
import type { ChatRequest } from '../../codecs/chat/chat-completion.js';
import { imageHeadOf } from '../../codecs/chat/image-head.js';
import type { ImageRequest, SentImage, SentImages } from '../../codecs/chat/images.js';
import { mediaAddressesIn, withMediaEmbedded } from '../../codecs/chat/media-addresses.js';
import { ProviderError, withCounted } from '../../codecs/errors/provider-error.js';
import type { RequestOf, WholeOf } from '../../codecs/provider-operations.js';
import type { FetchedImages } from '../upstream/fetched-images.js';
import { ReferenceImages } from '../upstream/reference-images.js';
import type { Asker } from './provider-client.js';

/** The most addresses of media of one chat that are fetched: as many images as the providers take in one. */
const MAXIMUM_ADDRESSES = 100;

/** Puts the media in a request that are at addresses. @throws ProviderError for an address without an image or a PDF */
type Embeds<Name extends OperationName> = () => Promise<RequestOf<Name>>;

/** What puts media in requests to dialects that take no addresses, by operation. */
type EmbedsOf = {
  readonly [Name in OperationName]?: (request: RequestOf<Name>, asker: Asker) => Embeds<Name> | undefined;
};

/** Fetches what answers have at addresses, by operation. */
type Fetches = { readonly [Name in OperationName]?: (answer: WholeOf<Name>, asker: Asker) => Promise<WholeOf<Name>> };

/** Fetches the media of requests and answers of which only addresses are given (docs/interface/providers.md#media-at-addresses). */
export class MediaAtAddresses {
  private readonly embeds: EmbedsOf = {
    chat: (request, asker) => this.chatWithMedia(request, asker),
    image: (request, asker) => () => this.imageWithMedia(request, asker),
  };

  private readonly fetches: Fetches = { image: (answer, asker) => this.imagesOf(answer, asker) };

  constructor(private readonly images: FetchedImages) {}

  /**
   * What makes a request with its media in it.
   *
   * @returns undefined for one that has no media at addresses
   */
  embedding<Name extends OperationName>(
    operation: Name,
    request: RequestOf<Name>,
    asker: Asker,
  ): Embeds<Name> | undefined {
    const embeds: EmbedsOf[Name] = this.embeds[operation];
    return embeds?.(request, asker);
  }

  /** An answer with its media in it. @throws ProviderError with what the answer counts, for an address without an image */
  async fetched<Name extends OperationName>(
    operation: Name,
    answer: WholeOf<Name>,
    asker: Asker,
  ): Promise<WholeOf<Name>> {
    const fetch: Fetches[Name] = this.fetches[operation];
    return fetch === undefined ? answer : fetch(answer, asker);
  }

  private chatWithMedia(request: ChatRequest, asker: Asker): Embeds<'chat'> | undefined {
    const addresses = mediaAddressesIn(request.messages);
    return addresses.size === 0 ? undefined : () => this.withMedia(addresses, request, asker);
  }

  private async withMedia(addresses: ReadonlySet<string>, request: ChatRequest, asker: Asker): Promise<ChatRequest> {
    if (addresses.size > MAXIMUM_ADDRESSES) {
      const message = `The provider takes media in base64 only, and those at more than ${MAXIMUM_ADDRESSES} addresses are not fetched.`;
      throw new ProviderError('refused', message, { status: 400 });
    }
    const media = new Map<string, string>();
    for (const url of addresses) {
      media.set(url, await this.ofClient(asker, url, () => this.images.mediumAt(url, asker)));
    }
    return { ...request, messages: withMediaEmbedded(request.messages, media) };
  }

  private async imageWithMedia(request: ImageRequest, asker: Asker): Promise<ImageRequest> {
    const embed = async (url: string): Promise<string> => {
      if (/^data:/i.test(url)) return url;
      const data = await this.ofClient(asker, url, () => this.images.at(url, asker));
      return `data:${imageHeadOf(data)!.mediaType};base64,${data}`;
    };
    const references: string[] = [];
    for (const url of request.references) references.push(await embed(url));
    return { ...request, references, ...(request.mask !== undefined && { mask: await embed(request.mask) }) };
  }

  /** Some providers say where their images are. */
  private async imagesOf(answer: SentImages, asker: Asker): Promise<SentImages> {
    const images: SentImage[] = [];
    try {
      for (const image of answer.images) {
        images.push('url' in image ? { data: await this.images.at(image.url, asker) } : image);
      }
    } catch (error) {
      throw withCounted(error, answer.usage === null ? undefined : { usage: answer.usage });
    }
    return { ...answer, images };
  }

  /** What a client has given the address of. @throws ProviderError that refuses the request: no provider has failed */
  private async ofClient(
    { references: kept = new ReferenceImages() }: Asker,
    url: string,
    fetch: () => Promise<string>,
  ): Promise<string> {
    try {
      return await kept.at(url, fetch);
    } catch (error) {
      throw error instanceof ProviderError ? new ProviderError('refused', error.message, { status: 400 }) : error;
    }
  }
}
