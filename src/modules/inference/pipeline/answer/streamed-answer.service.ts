import { Readable } from 'node:stream';
import { Injectable, Optional } from '@nestjs/common';
import { BrokenAnswers } from '../../../../http/broken-answers.js';
import { ClientGoneError } from '../../../../http/client-signal.js';
import { Environment } from '../../../../config/environment.js';
import { DomainError } from '../../../../http/errors/domain-error.js';
import { LongWork } from '../../../../concurrency/long-work.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { ServiceLogger } from '../../../../telemetry/logging/service-logger.js';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import type { AnswerUsage, StreamEncoder, StreamEvent } from '../../../codecs/client-codec.js';
import type { ChatChunk } from '../../../codecs/chat/chat-completion.js';
import { AnswerRefused } from '../../../content/answers/answer-text.js';
import { ContentFilterUnavailable, TooManyContentScans } from '../../../content/content.errors.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { brokenAnswerErrorOf } from '../../../codecs/errors/shown-error.js';
import { StickyEndpoints } from '../../../routing/sticky-endpoints.js';
import { AttemptsService } from '../attempts/attempts.service.js';
import { originOf } from './answer-origin.js';
import type { Candidate } from '../request/candidate.js';
import { ChargedAttempts, wasGivenUp } from '../attempts/charged-attempts.service.js';
import { ChatCalls } from '../attempts/chat-calls.js';
import { keepsContentOf } from '../request/decision.js';
import type { ChatExchange } from '../request/exchange.js';
import { SettlementService } from '../settlement/settlement.service.js';
import type { AnswerOutcome } from '../request/answer-outcome.js';
import { cachedAnswer } from '../cache/request-cache.js';
import { AnswerFiltering, refusedBy, shownRefusalOf } from './filters/answer-filtering.js';
import { CandidateStream, type StreamedRequest } from './candidate-stream.js';
import { StartedStream } from './started-stream.js';
import { EventStream } from './event-stream.js';
import { givenUp, isGivingUp } from '../settlement/given-up.js';
import { KeptMemory } from './kept-memory.js';
import { chunkWithoutReasoning, excludesReasoning } from './shown-reasoning.js';
import { ShownRouting } from '../routing-metadata/shown-routing.service.js';
import type { StreamTally } from './stream-tally.js';
import { usesPromptCache } from '../cost/charged-usage.js';
import { sealedChunk } from '../thoughts/sealed-choices.js';
import { ThoughtSeals } from '../thoughts/thought-seals.js';

/** The failure of a provider that ended its answer with the finish reason `error`. */
const gaveUp = (): ProviderError => new ProviderError('refused', 'The provider gave up.');

interface ClientStream {
  readonly events: EventStream;
  readonly encoder: StreamEncoder;
  /** The request bodies that providers were sent, if the client asked to see them. */
  readonly sentBodies: readonly object[];
}

/** A stream of a candidate whose first token has come. */
interface BegunStream {
  readonly asked: CandidateStream;
  readonly chunks: StartedStream;
}

interface StreamEnd {
  /** The error; undefined if the provider finished. */
  readonly failure: unknown;
  readonly isCancelled: boolean;
  /** The indexes of the choices of which filters have seen anything. */
  readonly choices: readonly number[];
}

/** Answers requests with server-sent events (docs/interface/inference.md#streams). */
@Injectable()
export class StreamedAnswerService {
  constructor(
    private readonly attempts: AttemptsService,
    private readonly calls: ChatCalls,
    private readonly charged: ChargedAttempts,
    private readonly settlement: SettlementService,
    private readonly logger: ServiceLogger,
    private readonly environment: Environment,
    private readonly routing: ShownRouting,
    private readonly sticky: StickyEndpoints,
    private readonly turns: LoopTurns,
    private readonly seals: ThoughtSeals,
    private readonly brokenAnswers: BrokenAnswers,
    @Optional() private readonly metrics?: Metrics,
  ) {}

  /**
   * Answers a request, which is charged before the end of the stream is sent.
   *
   * @throws DomainError where no provider answers, and nothing is sent yet
   * @throws ClientGoneError
   */
  async send(exchange: ChatExchange): Promise<void> {
    this.metrics?.gateway.streams(1);
    try {
      await this.answer(exchange);
    } finally {
      this.metrics?.gateway.streams(-1);
    }
  }

  private async answer(exchange: ChatExchange): Promise<void> {
    const { request, response, decision, encoder } = exchange;
    const { sent: body, candidates } = decision;
    const work = new LongWork(this.turns, request.organizationId);
    const events = new EventStream(response, this.environment.apiDialect, encoder.keepAlive, request.memory, work);
    const answeredBy = (candidate: Candidate, selected?: Candidate): StreamEncoder =>
      encoder.stream(originOf(request, candidate, body, () => this.routing.fieldOf(exchange, selected)));
    const sentBodies: object[] = [];
    let begun: BegunStream;
    try {
      begun = (await cachedStream(exchange)) ?? (await this.asked(exchange, events, sentBodies));
    } catch (error) {
      if (!events.hasBegun) throw error;
      await this.settlement.recordRefusal(exchange, error);
      if (error instanceof ClientGoneError) throw error;
      await events.breakOff(answeredBy(candidates.at(-1)!).failure(error), this.brokenAnswers);
      return;
    }
    const { candidate } = begun.asked;
    const clientStream = { events, encoder: answeredBy(candidate, candidate), sentBodies };
    const end = await this.pass(exchange, clientStream, begun);
    await this.finish(exchange, clientStream, begun.asked, end);
  }

  /**
   * Asks candidates until one has begun to answer.
   *
   * @param events are abandoned where none does
   * @param sentBodies receives what each is sent, if the client asked to see that
   */
  private async asked(exchange: ChatExchange, events: EventStream, sentBodies: object[]): Promise<BegunStream> {
    const { request, decision } = exchange;
    const { sent: body, thoughts } = decision;
    const echoesBodies = body.debug?.['echo_upstream_body'] === true;
    const streamed = streamedOf(exchange);
    const { result } = await this.charged.firstAnswer(exchange, {
      attemptAt: (candidate) => new CandidateStream(candidate, streamed),
      ask: async (asked): Promise<BegunStream> => {
        const { candidate, sent } = asked;
        if (echoesBodies) sentBodies.push(this.calls.streamBody(candidate, body, request, { thoughts }));
        const chunks = this.calls.stream(candidate, body, request, { signal: asked.endingSignal(), sent, thoughts });
        try {
          return { asked, chunks: await StartedStream.of(chunks, asked.chunksBeforeToken, request.memory) };
        } catch (error) {
          asked.abandon();
          throw error;
        }
      },
      failed: () => events.abandon(),
    });
    return result;
  }

  /**
   * Passes the chunks of a stream on, as fast as the client reads them. If the client has left, an answer that has ended is still read to
   * its usage.
   */
  private async pass(
    exchange: ChatExchange,
    { events, encoder, sentBodies }: ClientStream,
    { asked: candidateStream, chunks }: BegunStream,
  ): Promise<StreamEnd> {
    const { request, decision, outcome, signal, cache } = exchange;
    const { tally } = candidateStream;
    outcome.answering();
    const shownOf = excludesReasoning(decision.sent) ? chunkWithoutReasoning : (chunk: ChatChunk) => chunk;
    const sealOf = this.sealOf(request.organizationId, candidateStream.candidate, cache);
    const kept = new KeptMemory(request.memory);
    const filtering = AnswerFiltering.of(exchange, candidateStream.candidate);
    const filter = filtering?.stream(decision.sent);
    const isAsked = cache?.hit === undefined;
    let failure: unknown;
    let hasLeft = false;
    const holdKept = (): Promise<void> | undefined =>
      kept.hold((encoder.keptBytes ?? 0) + tally.keptBytes + (filter?.keptBytes ?? 0));
    /** Every wait costs, and nearly no chunk has to. */
    const deliver = (passed: ChatChunk): Promise<void> | undefined => {
      const chunk = sealOf(passed);
      cache?.recording?.chunk(chunk);
      if (hasLeft) return undefined;
      const shown = shownOf(chunk);
      tally.deliver(shown.choices);
      const reading = events.send(encoder.chunk(shown));
      const holding = holdKept();
      return holding === undefined ? reading : Promise.all([reading, holding]).then(() => undefined);
    };
    const deliverAll = async (passed: readonly ChatChunk[]): Promise<void> => {
      for (const chunk of passed) await deliver(chunk);
      // What filters hold takes memory before anything of it leaves.
      if (passed.length === 0) await holdKept();
    };
    try {
      for (const body of sentBodies) await events.send(encoder.echo?.(body) ?? []);
      for await (const came of chunks) {
        if (isAsked) outcome.providerFilters.add(came);
        const chunk = tally.add(came);
        try {
          const delivering =
            filter === undefined || hasLeft
              ? deliver(chunk)
              : deliverAll(await filtering!.timed(() => filter.add(chunk)));
          if (delivering !== undefined) await delivering;
        } catch (error) {
          if (!(error instanceof ClientGoneError)) throw error;
          hasLeft = true;
        }
        if (hasLeft && !candidateStream.isReadOn) throw new ClientGoneError();
      }
      if (filter !== undefined && !hasLeft) await deliverAll(await filtering!.timed(() => filter.end()));
    } catch (error) {
      failure = error;
    }
    await filtering?.note();
    const isCancelled = hasLeft || failure instanceof ClientGoneError || signal.reason instanceof ClientGoneError;
    return { failure, isCancelled, choices: filter?.choiceIndexes ?? [] };
  }

  /** What seals the thoughts in the chunks of a candidate. What was kept in the cache is sealed already. */
  private sealOf(
    organizationId: string,
    { connection }: Candidate,
    cache: ChatExchange['cache'],
  ): (chunk: ChatChunk) => ChatChunk {
    if (cache?.hit !== undefined) return (chunk) => chunk;
    const seal = this.seals.sealerOf(organizationId, connection);
    return (chunk) => sealedChunk(chunk, seal);
  }

  /** Settles a stream, whether the provider, the client or the gateway ended it, and tells the client how it ended. */
  private async finish(
    exchange: ChatExchange,
    { events, encoder }: ClientStream,
    candidateStream: CandidateStream,
    { failure: ofStream, isCancelled, choices }: StreamEnd,
  ): Promise<void> {
    const { candidate, tally } = candidateStream;
    const refusal = isCancelled ? undefined : refusalByFilter(ofStream, events.hasBegun);
    let failure = refusal === undefined ? ofStream : undefined;
    if (!isCancelled && exchange.cache?.hit === undefined) this.countEnd(exchange, candidate, tally, failure);
    if (usesPromptCache(tally.usage)) this.sticky.remember(exchange.decision.conversation, candidate);
    let usage: AnswerUsage | undefined;
    try {
      usage = await this.settlement.settle(
        exchange,
        candidate,
        refusal === undefined
          ? endOf(candidateStream, isCancelled, failure)
          : refusedOutcome(candidateStream, events.hasBegun ? undefined : refusal),
      );
    } catch (error) {
      failure ??= error;
      this.logger.failure(exchange.request.http.requestId, error);
    }
    if (isCancelled) throw new ClientGoneError();
    if (refusal !== undefined && !events.hasBegun) {
      events.abandon();
      throw refusal;
    }
    // It is recorded with the usage that the provider has sent.
    if (tally.finishReason === 'error') failure ??= gaveUp();
    if (failure !== undefined) await events.breakOff(encoder.failure(failure), this.brokenAnswers);
    // Without an error there is what the answer used.
    else {
      const byFilter = refusal === undefined ? [] : endedByFilter(encoder, choices);
      await events.end([...byFilter, ...encoder.end(usage!, tally.serviceTier)]);
    }
  }

  /** Counts for the health of the endpoint. Faults of the gateway itself say nothing about it. */
  private countEnd(
    { request: { organizationId } }: ChatExchange,
    candidate: Candidate,
    { finishReason }: StreamTally,
    failure: unknown,
  ): void {
    if (failure instanceof ProviderError) this.attempts.failed(candidate, organizationId, failure);
    else if (finishReason === 'error') this.attempts.failed(candidate, organizationId, gaveUp());
    else if (failure === undefined) this.attempts.succeeded(candidate, organizationId);
  }
}

/** The stream of an answer that the cache has; undefined where a candidate has to be asked. */
async function cachedStream(exchange: ChatExchange): Promise<BegunStream | undefined> {
  const cached = cachedAnswer(exchange);
  if (cached === undefined) return undefined;
  const chunks = Readable.from(cached.result as readonly ChatChunk[]) as AsyncIterable<ChatChunk, void>;
  return {
    asked: new CandidateStream(cached.candidate, streamedOf(exchange)),
    chunks: await StartedStream.of(chunks),
  };
}

/** What the streams of a request have in common. */
function streamedOf({ decision, signal }: ChatExchange): StreamedRequest {
  const { sent: body, reservation, size } = decision;
  return { body, signal, reservation, size, keepsOutput: keepsContentOf(decision) };
}

/**
 * The error with which filters have ended a stream; undefined for any other end. One that cannot be applied is a failure like others once
 * something of the answer was sent.
 */
function refusalByFilter(failure: unknown, hasBegun: boolean): DomainError | undefined {
  if (failure instanceof AnswerRefused) return shownRefusalOf(failure) as DomainError;
  const isOfFilters = failure instanceof ContentFilterUnavailable || failure instanceof TooManyContentScans;
  return isOfFilters && !hasBegun ? failure : undefined;
}

/** The events that say that a filter has ended an answer. @param choices those of which anything has come */
function endedByFilter(encoder: StreamEncoder, choices: readonly number[]): readonly StreamEvent[] {
  const finish = { delta: {}, finish_reason: 'content_filter', native_finish_reason: null } as const;
  return encoder.chunk({ choices: choices.map((index) => ({ index, ...finish })) });
}

/** The outcome of a stream that a filter has ended: what came is charged. @param shown the error that the client gets in its place; undefined where part of the answer was sent */
function refusedOutcome({ leftOutcome }: CandidateStream, shown: DomainError | undefined): AnswerOutcome {
  return {
    ...leftOutcome,
    isCancelled: false,
    finishReason: 'content_filter',
    finishReasons: ['content_filter'],
    ...(shown !== undefined && refusedBy(shown)),
  };
}

function endOf(candidateStream: CandidateStream, isCancelled: boolean, failure: unknown): AnswerOutcome {
  return isCancelled ? candidateStream.leftOutcome : outcomeOf(candidateStream, failure);
}

/** The outcome of a stream whose client is still there. @param failure undefined if the provider has finished */
function outcomeOf(candidateStream: CandidateStream, failure: unknown): AnswerOutcome {
  const isGivenUp = isGivingUp(failure) || (failure instanceof ProviderError && wasGivenUp(failure));
  if (isGivenUp) return givenUp(candidateStream.leftOutcome, failure);
  const { outcome } = candidateStream.tally;
  if (failure === undefined) return { ...outcome, isCancelled: false, hasFailed: false };
  return { ...outcome, isCancelled: false, hasFailed: true, error: brokenAnswerErrorOf(failure) };
}
