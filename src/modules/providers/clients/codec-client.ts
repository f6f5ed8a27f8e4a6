import type { OperationName } from '../../../telemetry/operations.js';
import type {
  AnswerHead,
  CodecOperation,
  CodecOperations,
  EncodedRequest,
  UpstreamCodec,
} from '../../codecs/upstream-codec.js';
import type { ChatRequest } from '../../codecs/chat/chat-completion.js';
import { codecAt, type UpstreamDialect } from '../../codecs/upstream-codecs.js';
import type { PartOf, RequestOf, WholeOf } from '../../codecs/provider-operations.js';
import { readingFailure, withCounted } from '../../codecs/errors/provider-error.js';
import type { RequestAdjustments } from '../../codecs/chat/request-adjustments.js';
import type { SpokenAudio } from '../../codecs/chat/speech.js';
import { withinWork } from '../../codecs/chat/answer-work.js';
import type { FetchedImages } from '../upstream/fetched-images.js';
import { addressed } from '../addresses/operation-address.js';
import { DIALECT_HEADERS } from '../upstream/dialect-headers.js';
import type { CalledUpstream } from '../upstream/called-upstream.js';
import type { UpstreamCall } from '../upstream/upstream-call.js';
import type { UpstreamClient } from '../upstream/upstream-client.js';
import { MediaAtAddresses } from './media-at-addresses.js';
import type { AnswerKind, Asker, ProviderClient } from './provider-client.js';

/** How many calls one request makes at once, where an answer has only a part of what it asks for. */
const CALLS_AT_ONCE = 8;

/** Calls providers over HTTP, in one dialect (docs/interface/providers.md). */
export class CodecClient implements ProviderClient {
  private readonly media: MediaAtAddresses;

  constructor(
    private readonly dialect: UpstreamDialect,
    private readonly client: UpstreamClient,
    fetched: FetchedImages,
  ) {
    this.media = new MediaAtAddresses(fetched);
  }

  has(name: OperationName, kind?: AnswerKind): boolean {
    // Wherever a dialect is spoken it has the operation.
    const { operations } = codecAt(this.dialect, undefined);
    const operation = operations[name];
    return operation !== undefined && (kind !== 'stream' || operation.streamDecoder !== undefined);
  }

  async whole<Name extends OperationName>(
    name: Name,
    upstream: CalledUpstream,
    given: RequestOf<Name>,
    asker: Asker,
  ): Promise<WholeOf<Name>> {
    const provider = called(name, upstream);
    const codec = this.codecFor(upstream);
    const operation = operationOf(codec, name);
    const embed = operation.embedsMedia === true ? this.media.embedding(name, given, asker) : undefined;
    const request = embed === undefined ? given : await embed();
    const answers = await this.documents(provider, operation.encode(request, false, asker.adjustments), asker);
    const answer = decodedFrom(answers, asker, codec, ({ documents, heads }) =>
      operation.decode!(documents, request, provider, heads),
    );
    return this.media.fetched(name, answer, asker);
  }

  stream<Name extends OperationName>(
    name: Name,
    upstream: CalledUpstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): AsyncIterable<PartOf<Name>, void> {
    const { embedsMedia } = operationOf(this.codecFor(upstream), name);
    const embed = embedsMedia === true ? this.media.embedding(name, request, asker) : undefined;
    if (embed === undefined) return this.parts(name, upstream, request, asker);
    return this.partsWithMedia(name, upstream, embed, asker);
  }

  bytes<Name extends OperationName>(
    name: Name,
    upstream: CalledUpstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): Promise<SpokenAudio> {
    const [encoded] = operationOf(this.codecFor(upstream), name).encode(request, true, asker.adjustments);
    return this.client.audio(this.callOf(called(name, upstream), encoded!, asker, true));
  }

  streamBody(upstream: CalledUpstream, request: ChatRequest, adjustments: RequestAdjustments): object {
    const [encoded] = this.codecFor(upstream).operations.chat.encode(request, true, adjustments);
    return addressed(encoded!, upstream.address, this.dialect, true).body;
  }

  private async *partsWithMedia<Name extends OperationName>(
    name: Name,
    upstream: CalledUpstream,
    embed: () => Promise<RequestOf<Name>>,
    asker: Asker,
  ): AsyncGenerator<PartOf<Name>, void, undefined> {
    yield* this.parts(name, upstream, await embed(), asker);
  }

  private parts<Name extends OperationName>(
    name: Name,
    upstream: CalledUpstream,
    request: RequestOf<Name>,
    asker: Asker,
  ): AsyncIterable<PartOf<Name>, void> {
    const provider = called(name, upstream);
    const operation = operationOf(this.codecFor(upstream), name);
    const decoder = operation.streamDecoder!(request, provider);
    const call = (): UpstreamCall => ({
      ...this.callOf(provider, operation.encode(request, true, asker.adjustments)[0]!, asker, true),
      headed: (head) => decoder.headed?.(head),
    });
    return this.client.events(call, decoder);
  }

  /** A dialect may differ where a cloud speaks it. */
  private codecFor({ address }: CalledUpstream): UpstreamCodec {
    return codecAt(this.dialect, address?.form);
  }

  /**
   * Asks for the documents of several requests, a few at a time. The first failure ends those that are under way.
   */
  private async documents(
    upstream: CalledUpstream,
    requests: readonly EncodedRequest[],
    asker: Asker,
  ): Promise<Answers> {
    const answers = new Answers(requests.length);
    if (requests.length === 1) {
      await this.answer(answers, 0, this.callOf(upstream, requests[0]!, asker));
      return answers;
    }
    const failed = new AbortController();
    const signal = AbortSignal.any([asker.signal, failed.signal]);
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

/** An operation that a dialect has. */
function operationOf<Name extends OperationName>({ operations }: UpstreamCodec, name: Name): CodecOperation<Name> {
  const all: CodecOperations = operations;
  return all[name]!;
}

/** A provider for one call, whose messages do not show what is issued for its credential. */
function called(operation: OperationName, given: CalledUpstream): CalledUpstream {
  const { rerankBaseUrl } = given;
  const upstream = operation === 'rerank' && rerankBaseUrl !== undefined ? { ...given, baseUrl: rerankBaseUrl } : given;
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
