import { Injectable, Optional } from '@nestjs/common';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import type { ProviderCall } from '../../../../telemetry/provider-call.js';
import { Tracing } from '../../../../telemetry/tracing/tracing.js';
import {
  capabilitiesOfCandidate,
  type ChatChunk,
  type ChatCompletion,
  type ClientChatRequest,
  type DrawnImages,
  type EmbeddingList,
  type EmbeddingRequest,
  type ImagePart,
  type ImageRequest,
  ProviderError,
  type RankedDocuments,
  RequestAdjustments,
  type RerankRequest,
  type TokenUsage,
  type SpeechRequest,
  type SpokenAudio,
  type Transcription,
  type TranscriptionRequest,
  translatedRequest,
  type TranslatedRequest,
  KNOWN_MODEL,
  withKnownFields,
} from '../../../codecs/index.js';
import { type Asker, ProviderClients } from '../../../providers/index.js';
import type { Decision } from '../request/decision.js';
import type { InferenceRequest } from '../request/inference-request.js';
import { upstreamRequestFor } from '../request/upstream-request.js';
import type { Candidate } from '../request/candidate.js';
import { type CallReport, ObservedCall } from './observed-call.js';
import { AnsweredCalls, NamedStream, withOwnCalls } from './named-calls.js';
import { ObservedStream } from './observed-stream.js';

/** What ends a request to a provider, and what is told when it is sent. */
type Asking = Required<Pick<Asker, 'signal' | 'sent'>>;

/** How a chat is asked for, and the thoughts of earlier turns that it carries. */
type AskingChat = Asking & Pick<Decision<unknown>, 'thoughts'>;

/** Calls providers, and times them where metrics or traces are on (docs/operations/metrics.md). */
@Injectable()
export class ProviderCalls {
  constructor(
    private readonly providers: ProviderClients,
    @Optional() private readonly metrics?: Metrics,
    @Optional() private readonly tracing?: Tracing,
  ) {}

  /**
   * Asks for a whole answer.
   *
   * @param request that the call is for
   * @throws ProviderError, or the reason of the signal
   */
  async complete(
    candidate: Candidate,
    body: ClientChatRequest,
    request: InferenceRequest,
    asking: AskingChat,
  ): Promise<ChatCompletion> {
    const ask = async (): Promise<ChatCompletion> => {
      const asker = askerOf(request, asking);
      const given = withOwnThoughts(body, candidate, asking, request.adjustments);
      const { dialect, request: translated, names } = this.translated(candidate, given, request.adjustments);
      const answer = await this.providers.of(dialect).complete(candidate.connection, translated, asker);
      return withOwnCalls(answer, new AnsweredCalls(names, body.messages));
    };
    const reportOf = ({ choices, ...answer }: ChatCompletion): CallReport => ({
      ...answer,
      finishReasons: choices.map(({ finish_reason: reason }) => reason),
    });
    return this.whole(this.observed(candidate, request, { operation: 'chat', isStreamed: false }), ask, reportOf);
  }

  /** Asks for a stream, which throws as {@link complete} does. */
  stream(
    candidate: Candidate,
    body: ClientChatRequest,
    request: InferenceRequest,
    asking: AskingChat,
  ): AsyncIterable<ChatChunk, void> {
    const call = this.observed(candidate, request, { operation: 'chat', isStreamed: true });
    const asker = askerOf(request, asking);
    const given = withOwnThoughts(body, candidate, asking, request.adjustments);
    const { dialect, request: translated, names } = this.translated(candidate, given, request.adjustments);
    const streamed = this.providers.of(dialect).stream(candidate.connection, translated, asker);
    const calls = new AnsweredCalls(names, body.messages);
    const chunks = calls.areUnchanged ? streamed : new NamedStream(streamed, calls);
    return call === undefined ? chunks : new ObservedStream(chunks, call);
  }

  /** The body with which {@link stream} asks a candidate. @throws ProviderError */
  streamBody(
    candidate: Candidate,
    body: ClientChatRequest,
    { bodyBytes }: InferenceRequest,
    asking: Pick<AskingChat, 'thoughts'>,
  ): object {
    const { connection } = candidate;
    const adjustments = new RequestAdjustments(bodyBytes);
    const given = withOwnThoughts(body, candidate, asking, adjustments);
    const { dialect, request } = this.translated(candidate, given, adjustments);
    return this.providers.of(dialect).streamBody(connection, request, adjustments);
  }

  /**
   * Asks for embeddings.
   *
   * @param encode makes the request for the candidate, and notes what it leaves out
   * @throws ProviderError, also where the provider's protocol has none
   */
  async embed(
    candidate: Candidate,
    encode: (adjustments: RequestAdjustments) => EmbeddingRequest,
    request: InferenceRequest,
    asking: Asking,
  ): Promise<EmbeddingList> {
    const ask = async (): Promise<EmbeddingList> => {
      const provider = this.providers.of(candidate.connection.protocol);
      const asker = askerOf(request, asking);
      const { adjustments } = request;
      const capabilities = capabilitiesOfCandidate(candidate);
      const known = withKnownFields(encode(adjustments), capabilities, false, adjustments);
      const asked = { ...known, [KNOWN_MODEL]: capabilities };
      const answer = await provider.embed?.(candidate.connection, asked, asker);
      if (answer === undefined) throw new ProviderError('invalid', 'The protocol of the provider has no embeddings.');
      return answer;
    };
    const reportOf = ({ usage, upstreamId }: EmbeddingList): CallReport => ({
      upstreamId,
      usage: usage && { ...promptUsage(usage.prompt_tokens), total_tokens: usage.total_tokens },
    });
    const call = this.observed(candidate, request, { operation: 'embeddings', isStreamed: false });
    return this.whole(call, ask, reportOf);
  }

  /**
   * Asks for documents to be ranked.
   *
   * @param encode makes the request for the candidate, and notes what it leaves out
   * @throws ProviderError, also where the provider's protocol ranks nothing
   */
  async rerank(
    candidate: Candidate,
    encode: (adjustments: RequestAdjustments) => RerankRequest,
    request: InferenceRequest,
    asking: Asking,
  ): Promise<RankedDocuments> {
    const ask = async (): Promise<RankedDocuments> => {
      const provider = this.providers.of(candidate.connection.protocol);
      const asker = askerOf(request, asking);
      const answer = await provider.rerank?.(candidate.connection, encode(request.adjustments), asker);
      if (answer === undefined) throw new ProviderError('invalid', 'The protocol of the provider ranks no documents.');
      return answer;
    };
    const reportOf = ({ totalTokens, upstreamId }: RankedDocuments): CallReport => ({
      upstreamId,
      usage: totalTokens === null ? null : promptUsage(totalTokens),
    });
    return this.whole(this.observed(candidate, request, { operation: 'rerank', isStreamed: false }), ask, reportOf);
  }

  /**
   * Asks for a text to be spoken, and waits for the head of the answer.
   *
   * @param encode makes the request for the candidate, and notes what it leaves out
   * @throws ProviderError, also where the provider's protocol has none of it
   */
  async speak(
    candidate: Candidate,
    encode: (adjustments: RequestAdjustments) => SpeechRequest,
    request: InferenceRequest,
    asking: Asking,
  ): Promise<SpokenAudio> {
    const call = this.observed(candidate, request, { operation: 'speech', isStreamed: true });
    try {
      const provider = this.providers.of(candidate.connection.protocol);
      const asker = askerOf(request, asking);
      const spoken = await provider.speak?.(candidate.connection, encode(request.adjustments), asker);
      if (spoken === undefined) throw new ProviderError('invalid', 'The protocol of the provider speaks no texts.');
      return call === undefined ? spoken : { ...spoken, pieces: observedPieces(spoken.pieces, call) };
    } catch (error) {
      call?.failed(error);
      throw error;
    }
  }

  /**
   * Asks for a recording to be written down.
   *
   * @param encode makes the request for the candidate, and notes what it leaves out
   * @throws ProviderError, also where the provider's protocol has none of it
   */
  async transcribe(
    candidate: Candidate,
    encode: (adjustments: RequestAdjustments) => TranscriptionRequest,
    request: InferenceRequest,
    asking: Asking,
  ): Promise<Transcription> {
    const ask = async (): Promise<Transcription> => {
      const provider = this.providers.of(candidate.connection.protocol);
      const asker = askerOf(request, asking);
      const answer = await provider.transcribe?.(candidate.connection, encode(request.adjustments), asker);
      if (answer === undefined)
        throw new ProviderError('invalid', 'The protocol of the provider has no transcriptions.');
      return answer;
    };
    const reportOf = ({ usage, upstreamId }: Transcription): CallReport => ({ upstreamId, usage });
    return this.whole(
      this.observed(candidate, request, { operation: 'transcription', isStreamed: false }),
      ask,
      reportOf,
    );
  }

  /**
   * Asks for images.
   *
   * @param encode makes the request for the candidate, and notes what it leaves out
   * @throws ProviderError, also where the provider's protocol draws none
   */
  async draw(
    candidate: Candidate,
    encode: (adjustments: RequestAdjustments) => ImageRequest,
    request: InferenceRequest,
    asking: Asking,
  ): Promise<DrawnImages> {
    const ask = async (): Promise<DrawnImages> => {
      const provider = this.providers.of(candidate.connection.protocol);
      const asker = askerOf(request, asking);
      const answer = await provider.draw?.(candidate.connection, encode(request.adjustments), asker);
      if (answer === undefined) throw new ProviderError('invalid', 'The protocol of the provider draws no images.');
      return answer;
    };
    const call = this.observed(candidate, request, { operation: 'image', isStreamed: false });
    return this.whole(call, ask, ({ usage, upstreamId }) => ({ usage, upstreamId }));
  }

  /** Asks for images as a stream, which throws as {@link draw} does. */
  async *drawInParts(
    candidate: Candidate,
    encode: (adjustments: RequestAdjustments) => ImageRequest,
    request: InferenceRequest,
    asking: Asking,
  ): AsyncGenerator<ImagePart, void, undefined> {
    const call = this.observed(candidate, request, { operation: 'image', isStreamed: true });
    try {
      const provider = this.providers.of(candidate.connection.protocol);
      const asker = askerOf(request, asking);
      const parts = provider.drawInParts?.(candidate.connection, encode(request.adjustments), asker);
      if (parts === undefined) throw new ProviderError('invalid', 'The protocol of the provider streams no images.');
      for await (const part of parts) {
        if (call?.hasBegun === false) call.begun();
        if (part.kind === 'completed') call?.report({ usage: part.usage });
        yield part;
      }
      call?.answered();
    } catch (error) {
      call?.failed(error);
      throw error;
    } finally {
      // Its reader has left, if it has not ended.
      call?.failed();
    }
  }

  /** The request for a candidate, as its model and provider take it. */
  private translated(
    candidate: Candidate,
    body: ClientChatRequest,
    adjustments: RequestAdjustments,
  ): TranslatedRequest {
    return translatedRequest(upstreamRequestFor(body, candidate, adjustments), candidate, adjustments);
  }

  private async whole<Answer>(
    call: ObservedCall | undefined,
    ask: () => Promise<Answer>,
    reportOf: (answer: Answer) => CallReport,
  ): Promise<Answer> {
    if (call === undefined) return ask();
    try {
      const answer = await ask();
      call.report(reportOf(answer));
      call.answered();
      return answer;
    } catch (error) {
      call.failed(error);
      throw error;
    }
  }

  private observed(
    { endpoint, model, upstreamModel }: Candidate,
    { id: generationId, clock }: InferenceRequest,
    kind: Pick<ProviderCall, 'operation' | 'isStreamed'>,
  ): ObservedCall | undefined {
    const { metrics, tracing } = this;
    if (metrics === undefined && tracing === undefined) {
      // Answers say how long the provider has taken, whether or not anybody observes it.
      clock.calling();
      return undefined;
    }
    const names = { provider: endpoint.provider.slug, model: model.row.id, endpoint: endpoint.row.tag };
    return new ObservedCall({
      metrics: metrics?.gateway.ofEndpoint(names.provider, names.model),
      endSpan: tracing?.providerCall({ ...kind, ...names, upstreamModel, generationId }),
      clock,
    });
  }
}

/** A body with the thoughts that a candidate may have. */
function withOwnThoughts(
  body: ClientChatRequest,
  { connection }: Candidate,
  { thoughts }: Pick<AskingChat, 'thoughts'>,
  adjustments: RequestAdjustments,
): ClientChatRequest {
  return thoughts === undefined ? body : thoughts.bodyFor(body, connection, adjustments);
}

/** Pieces of audio that are timed as they are read. */
async function* observedPieces(
  pieces: AsyncIterable<Uint8Array>,
  call: ObservedCall,
): AsyncGenerator<Uint8Array, void, undefined> {
  try {
    for await (const piece of pieces) {
      if (!call.hasBegun) call.begun();
      yield piece;
    }
    call.answered();
  } catch (error) {
    call.failed(error);
    throw error;
  } finally {
    // Its reader has left, unless it has ended already.
    call.failed();
  }
}

/** The usage of a request whose answer has no tokens. */
function promptUsage(tokens: number): TokenUsage {
  return { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
}

/** Who asks for an attempt, which begins with it. */
function askerOf(request: InferenceRequest, { signal, sent }: Asking): Asker {
  request.adjustments.beginAttempt();
  // What an attempt before this one has brought is not used.
  request.releaseAnswer();
  const { organizationId, adjustments, memory, via, references } = request;
  references.holdAgain(memory);
  const repeated = (): void => request.repeated?.();
  return { organizationId, signal, sent, repeated, adjustments, memory, via, references };
}
