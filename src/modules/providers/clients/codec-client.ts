import {
  type AnswerHead,
  type ChatChunk,
  type ChatCompletion,
  type ChatRequest,
  codecAt,
  type DrawnImages,
  type EncodedRequest,
  imageHeadOf,
  mediaAddressesIn,
  type ImagePart,
  type ImageRequest,
  ProviderError,
  readingFailure,
  type RequestAdjustments,
  type UpstreamCodec,
  type UpstreamDialect,
  withCounted,
  withinWork,
  withMediaEmbedded,
} from '../../codecs/index.js';
import type { FetchedImages } from '../upstream/fetched-images.js';
import { addressed } from '../addresses/operation-address.js';
import { DIALECT_HEADERS } from '../upstream/dialect-headers.js';
import { ReferenceImages } from '../upstream/reference-images.js';
import type { CalledUpstream } from '../upstream/called-upstream.js';
import type { UpstreamCall } from '../upstream/upstream-call.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import type { Asker, ProviderClient } from './provider-client.js';

/** How many calls one request for embeddings makes at once, where the provider takes fewer inputs than it has. */
const CALLS_AT_ONCE = 8;

/** The most addresses of media of one chat that are fetched: as many images as the providers take in one. */
const MAXIMUM_ADDRESSES = 100;

/** Calls providers over HTTP, in one dialect (docs/interface/providers.md). */
export class CodecClient implements ProviderClient {
  /** Absent where the dialect has no embeddings. */
  readonly embed?: NonNullable<ProviderClient['embed']>;
  /** Absent where the dialect ranks nothing. */
  readonly rerank?: NonNullable<ProviderClient['rerank']>;
  /** Absent where the dialect speaks no texts. */
  readonly speak?: NonNullable<ProviderClient['speak']>;
  /** Absent where the dialect writes down no recordings. */
  readonly transcribe?: NonNullable<ProviderClient['transcribe']>;
  /** Absent where the dialect draws no images. */
  readonly draw?: NonNullable<ProviderClient['draw']>;
  /** Absent where the dialect has no streams of images. */
  readonly drawInParts?: NonNullable<ProviderClient['drawInParts']>;

  constructor(
    private readonly dialect: UpstreamDialect,
    private readonly client: UpstreamClient,
    private readonly fetched: FetchedImages,
  ) {
    const { embeddings: ofDialect, rerank, speech, transcription, images } = codecAt(dialect, undefined);
    if (speech !== undefined) {
      this.speak = (upstream, request, asker) =>
        this.client.audio(this.callOf(called(upstream), speech.encode(request), asker, true));
    }
    if (transcription !== undefined) {
      this.transcribe = (upstream, request, asker) =>
        this.decoded(
          this.callOf(called(upstream), transcription.encode(request), asker),
          this.codecFor(upstream),
          (document) => transcription.decode(document, request),
        );
    }
    // Wherever a dialect is spoken it draws them.
    if (images !== undefined) this.draw = (upstream, request, asker) => this.drawn(upstream, request, asker);
    if (images?.streamDecoder !== undefined) {
      this.drawInParts = (upstream, request, asker) => this.drawnInParts(upstream, request, asker);
    }
    if (rerank !== undefined) {
      this.rerank = (upstream, request, asker) => {
        const provider = called({ ...upstream, baseUrl: upstream.rerankBaseUrl ?? upstream.baseUrl });
        return this.decoded(this.callOf(provider, rerank.encode(request), asker), this.codecFor(upstream), (document) =>
          rerank.decode(document, request),
        );
      };
    }
    if (ofDialect === undefined) return;
    this.embed = async (upstream, request, asker) => {
      const codec = this.codecFor(upstream);
      // Wherever a dialect is spoken it has them.
      const embeddings = codec.embeddings!;
      const requests = embeddings.encode(request);
      const answers = await this.documents(called(upstream), requests, asker);
      return decodedFrom(answers, asker, codec, ({ documents, heads }) => embeddings.decode(documents, request, heads));
    };
  }

  async complete(upstream: CalledUpstream, given: ChatRequest, asker: Asker): Promise<ChatCompletion> {
    const provider = called(upstream);
    const codec = this.codecFor(upstream);
    const addresses = addressesToEmbed(codec, given);
    const request = addresses.size === 0 ? given : await this.withMedia(addresses, given, asker);
    const call = this.callOf(provider, codec.encode(request, false, asker.adjustments), asker);
    return this.decoded(call, codec, (document, head) => codec.decode(document, provider, request, head));
  }

  stream(upstream: CalledUpstream, request: ChatRequest, asker: Asker): AsyncIterable<ChatChunk, void> {
    const addresses = addressesToEmbed(this.codecFor(upstream), request);
    if (addresses.size === 0) return this.chunks(upstream, request, asker);
    return this.chunksWithMedia(addresses, upstream, request, asker);
  }

  private async *chunksWithMedia(
    addresses: ReadonlySet<string>,
    upstream: CalledUpstream,
    request: ChatRequest,
    asker: Asker,
  ): AsyncGenerator<ChatChunk, void, undefined> {
    yield* this.chunks(upstream, await this.withMedia(addresses, request, asker), asker);
  }

  private chunks(upstream: CalledUpstream, request: ChatRequest, asker: Asker): AsyncIterable<ChatChunk, void> {
    const provider = called(upstream);
    const codec = this.codecFor(upstream);
    const decoder = codec.streamDecoder(request, provider);
    const call = (): UpstreamCall => ({
      ...this.callOf(provider, codec.encode(request, true, asker.adjustments), asker, true),
      headed: (head) => decoder.headed?.(head),
    });
    return this.client.events(call, decoder);
  }

  streamBody(upstream: CalledUpstream, request: ChatRequest, adjustments: RequestAdjustments): object {
    const encoded = this.codecFor(upstream).encode(request, true, adjustments);
    return addressed(encoded, upstream.address, this.dialect, true).body;
  }

  /** Some providers say where their images are, which are fetched. */
  private async drawn(upstream: CalledUpstream, request: ImageRequest, asker: Asker): Promise<DrawnImages> {
    const provider = called(upstream);
    const codec = this.codecFor(upstream);
    const embedded = await this.embedded(codec, request, asker);
    const answers = await this.documents(provider, codec.images!.encode(embedded, false), asker);
    const sent = decodedFrom(answers, asker, codec, ({ documents }) => codec.images!.decode(documents, provider));
    const images: string[] = [];
    try {
      for (const image of sent.images)
        images.push('url' in image ? await this.fetched.at(image.url, asker) : image.data);
    } catch (error) {
      throw withCounted(error, sent.usage === null ? undefined : { usage: sent.usage });
    }
    return { ...sent, images };
  }

  private async *drawnInParts(
    upstream: CalledUpstream,
    request: ImageRequest,
    asker: Asker,
  ): AsyncGenerator<ImagePart, void, undefined> {
    const provider = called(upstream);
    const codec = this.codecFor(upstream);
    const embedded = await this.embedded(codec, request, asker);
    const call = (): UpstreamCall => this.callOf(provider, codec.images!.encode(embedded, true)[0]!, asker, true);
    yield* this.client.events(call, codec.images!.streamDecoder!(embedded, provider));
  }

  /** A request with the media at addresses in it. @throws ProviderError for an address without an image or a PDF */
  private async withMedia(addresses: ReadonlySet<string>, request: ChatRequest, asker: Asker): Promise<ChatRequest> {
    if (addresses.size > MAXIMUM_ADDRESSES) {
      const message = `The provider takes media in base64 only, and those at more than ${MAXIMUM_ADDRESSES} addresses are not fetched.`;
      throw new ProviderError('refused', message, { status: 400 });
    }
    const media = new Map<string, string>();
    for (const url of addresses) {
      media.set(url, await this.fetchedFor(asker, url, () => this.fetched.mediumAt(url, asker)));
    }
    return { ...request, messages: withMediaEmbedded(request.messages, media) };
  }

  /** What a client has given the address of. @throws ProviderError that refuses the request: no provider has failed */
  private async fetchedFor(
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

  /** A request whose references are in it, where the dialect has no addresses. @throws ProviderError for an address without an image */
  private async embedded({ images }: UpstreamCodec, request: ImageRequest, asker: Asker): Promise<ImageRequest> {
    if (images?.embedsReferences !== true) return request;
    const embed = async (url: string): Promise<string> => {
      if (/^data:/i.test(url)) return url;
      const data = await this.fetchedFor(asker, url, () => this.fetched.at(url, asker));
      return `data:${imageHeadOf(data)!.mediaType};base64,${data}`;
    };
    const references: string[] = [];
    for (const url of request.references) references.push(await embed(url));
    return { ...request, references, ...(request.mask !== undefined && { mask: await embed(request.mask) }) };
  }

  /** A dialect may differ where a cloud speaks it. */
  private codecFor({ address }: CalledUpstream): UpstreamCodec {
    return codecAt(this.dialect, address?.form);
  }

  /** Asks for a document. What an answer has counted that cannot be decoded is told with the error. */
  private async decoded<Answer>(
    call: UpstreamCall,
    codec: UpstreamCodec,
    decode: (document: unknown, head: AnswerHead) => Answer,
  ): Promise<Answer> {
    const answers = new Answers(1);
    await this.answer(answers, 0, call);
    return decodedFrom(answers, call, codec, ({ documents, heads }) => decode(documents[0], heads[0] ?? {}));
  }

  /**
   * Asks for the documents of several requests, a few at a time. The first failure ends those that are under way.
   */
  private async documents(
    upstream: CalledUpstream,
    requests: readonly EncodedRequest[],
    asker: Asker,
  ): Promise<Answers> {
    const failed = new AbortController();
    const signal = requests.length === 1 ? asker.signal : AbortSignal.any([asker.signal, failed.signal]);
    const answers = new Answers(requests.length);
    let next = 0;
    const work = async (): Promise<void> => {
      while (next < requests.length) {
        const place = next++;
        await this.answer(answers, place, this.callOf(upstream, requests[place]!, { ...asker, signal }));
      }
    };
    try {
      await Promise.all(Array.from({ length: Math.min(CALLS_AT_ONCE, requests.length) }, work));
    } catch (error) {
      failed.abort(error);
      throw error;
    }
    return answers;
  }

  private async answer(answers: Answers, place: number, call: UpstreamCall): Promise<void> {
    const headed = (head: AnswerHead): void => void (answers.heads[place] = head);
    const measured = (bytes: number): void => void (answers.bytes += bytes);
    answers.documents[place] = await this.client.document({ ...call, headed, measured });
  }

  private callOf(upstream: CalledUpstream, encoded: EncodedRequest, asker: Asker, isStreamed = false): UpstreamCall {
    const { key, form } = DIALECT_HEADERS[this.dialect];
    const { path, headers, body } = addressed(encoded, upstream.address, this.dialect, isStreamed);
    // Where the address has a form of its own, so has the version.
    const ofDialect = upstream.address === undefined ? form : {};
    return { upstream, path, body, headers: { ...ofDialect, ...headers }, keyHeader: key, ...asker };
  }
}

/** The addresses whose media have to be in the request itself. */
function addressesToEmbed({ embedsMedia }: UpstreamCodec, { messages }: ChatRequest): ReadonlySet<string> {
  return embedsMedia === true ? mediaAddressesIn(messages) : NO_ADDRESSES;
}

const NO_ADDRESSES: ReadonlySet<string> = new Set();

/** A provider for one call, whose messages do not show what is issued for its credential. */
function called(upstream: CalledUpstream): CalledUpstream {
  const { scheme } = upstream.credential ?? {};
  return scheme === undefined || scheme === 'key-header' ? upstream : { ...upstream, issuedSecrets: new Set() };
}

/** The documents of several calls, and their heads, each in the place of its call. */
class Answers {
  readonly documents: unknown[];
  readonly heads: AnswerHead[] = [];
  /** Of all documents. */
  bytes = 0;

  constructor(calls: number) {
    this.documents = new Array<unknown>(calls);
  }
}

/** @throws ProviderError with what the first of the documents counts, if they cannot be decoded, or take more work than their size allows */
function decodedFrom<Answer>(
  answers: Answers,
  { signal }: Pick<Asker, 'signal'>,
  codec: UpstreamCodec,
  decode: (answers: Answers) => Answer,
): Answer {
  try {
    return withinWork(answers.bytes, () => decode(answers));
  } catch (error) {
    throw withCounted(readingFailure(error, signal), codec.countedIn(answers.documents[0]));
  }
}
