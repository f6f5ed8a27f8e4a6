import {
  type ChatChunk,
  type ChatCompletion,
  type ChatRequest,
  CODECS,
  type EncodedRequest,
  readingFailure,
  type Upstream,
  type UpstreamCodec,
  type UpstreamDialect,
  withCounted,
} from '../../codecs/index.js';
import { credentialHeaders } from '../upstream/credential-headers.js';
import type { UpstreamCall } from '../upstream/upstream-call.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import type { Asker, ProviderClient } from './provider-client.js';

/** Calls providers over HTTP, in one dialect (docs/interface/providers.md). */
export class CodecClient implements ProviderClient {
  /** Absent where the dialect has no embeddings. */
  readonly embed?: NonNullable<ProviderClient['embed']>;
  private readonly codec: UpstreamCodec;

  constructor(
    private readonly dialect: UpstreamDialect,
    private readonly client: UpstreamClient,
  ) {
    this.codec = CODECS[dialect];
    const { embeddings } = this.codec;
    if (embeddings === undefined) return;
    this.embed = (upstream, request, asker) => {
      const call = this.callOf(upstream, embeddings.encode(request), asker);
      return this.decoded(call, (document) => embeddings.decode(document, request));
    };
  }

  complete(upstream: Upstream, request: ChatRequest, asker: Asker): Promise<ChatCompletion> {
    return this.decoded(
      this.callOf(upstream, this.codec.encode(request, false, asker.adjustments), asker),
      (document) => this.codec.decode(document, upstream),
    );
  }

  stream(upstream: Upstream, request: ChatRequest, asker: Asker): AsyncIterable<ChatChunk, void> {
    const call = (): UpstreamCall => this.callOf(upstream, this.codec.encode(request, true, asker.adjustments), asker);
    return this.client.events(call, this.codec.streamDecoder(request, upstream));
  }

  streamBody(_upstream: Upstream, request: ChatRequest): object {
    return this.codec.encode(request, true).body;
  }

  /** Asks for a document. What an answer has counted that cannot be decoded is told with the error. */
  private async decoded<Answer>(call: UpstreamCall, decode: (document: unknown) => Answer): Promise<Answer> {
    const document = await this.client.document(call);
    try {
      return decode(document);
    } catch (error) {
      throw withCounted(readingFailure(error, call.signal), this.codec.countedIn(document));
    }
  }

  private callOf(upstream: Upstream, { path, headers, body }: EncodedRequest, asker: Asker): UpstreamCall {
    const credential = credentialHeaders(this.dialect, upstream.apiKey);
    return {
      upstream,
      path,
      body,
      headers: headers === undefined ? credential : { ...credential, ...headers },
      ...asker,
    };
  }
}
