import { Injectable, Optional } from '@nestjs/common';
import { Metrics } from '../../../../telemetry/metrics/metrics.js';
import type { OperationName } from '../../../../telemetry/operations.js';
import { Tracing } from '../../../../telemetry/tracing/tracing.js';
import type { PartOf, RequestOf, WholeOf } from '../../../codecs/provider-operations.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import type { RequestAdjustments } from '../../../codecs/chat/request-adjustments.js';
import type { SpokenAudio } from '../../../codecs/chat/speech.js';
import type { TokenUsage } from '../../../codecs/chat/chat-completion.js';
import type { AnswerKind, Asker, ProviderClient } from '../../../providers/clients/provider-client.js';
import { ProviderClients } from '../../../providers/clients/provider-clients.service.js';
import type { Candidate } from '../request/candidate.js';
import type { CallingRequest } from '../request/inference-request.js';
import type { ProviderCallOf } from '../request/operation.js';
import { ObservedCall } from './observed-call.js';
import { observedParts } from './observed-stream.js';

/** What ends a request to a provider, and what is told when it is sent. */
export type Asking = Required<Pick<Asker, 'signal' | 'sent'>>;

/** Makes the request for a candidate, and notes what it leaves out. */
type Encode<Name extends OperationName> = (adjustments: RequestAdjustments) => RequestOf<Name>;

/**
 * Calls providers, and times them where metrics or traces are on (docs/operations/metrics.md). Each call throws ProviderError, also where
 * the provider's protocol does not have the operation, or the reason of the signal.
 */
@Injectable()
export class ProviderCalls {
  constructor(
    private readonly providers: ProviderClients,
    @Optional() private readonly metrics?: Metrics,
    @Optional() private readonly tracing?: Tracing,
  ) {}

  /** Asks for a whole answer. @param request that the call is for */
  whole<Name extends OperationName>(
    operation: ProviderCallOf<Name>,
    candidate: Candidate,
    encode: Encode<Name>,
    request: CallingRequest,
    asking: Asking,
  ): Promise<WholeOf<Name>> {
    return this.timed(operation, candidate, request, async () => {
      const asker = askerOf(request, asking);
      const client = this.clientFor(operation, 'whole', candidate);
      return client.whole(operation.name, candidate.connection, encode(request.adjustments), asker);
    });
  }

  /** Asks for a stream, which throws as {@link whole} does, before its first part or after any. */
  stream<Name extends OperationName>(
    operation: ProviderCallOf<Name>,
    candidate: Candidate,
    encode: Encode<Name>,
    request: CallingRequest,
    asking: Asking,
  ): AsyncIterable<PartOf<Name>, void> {
    return this.timedStream(operation, candidate, request, () => {
      const asker = askerOf(request, asking);
      const client = this.clientFor(operation, 'stream', candidate);
      return client.stream(operation.name, candidate.connection, encode(request.adjustments), asker);
    });
  }

  /** Asks for an answer of bytes, and waits for its head. */
  async bytes<Name extends OperationName>(
    operation: ProviderCallOf<Name>,
    candidate: Candidate,
    encode: Encode<Name>,
    request: CallingRequest,
    asking: Asking,
  ): Promise<SpokenAudio> {
    const call = this.observed(operation, candidate, request, true);
    try {
      const asker = askerOf(request, asking);
      const client = this.clientFor(operation, 'bytes', candidate);
      const answer = await client.bytes(operation.name, candidate.connection, encode(request.adjustments), asker);
      return call === undefined ? answer : { ...answer, pieces: observedParts(answer.pieces, call) };
    } catch (error) {
      call?.failed(error);
      throw error;
    }
  }

  /** Times a call for a whole answer. @param ask makes the call */
  async timed<Name extends OperationName>(
    operation: ProviderCallOf<Name>,
    candidate: Candidate,
    request: CallingRequest,
    ask: () => Promise<WholeOf<Name>>,
  ): Promise<WholeOf<Name>> {
    const call = this.observed(operation, candidate, request, false);
    if (call === undefined) return ask();
    try {
      const answer = await ask();
      call.report(operation.reportOf?.(answer) ?? {});
      call.answered();
      return answer;
    } catch (error) {
      call.failed(error);
      throw error;
    }
  }

  /** Times a call for a stream. @param ask makes the call */
  timedStream<Name extends OperationName>(
    operation: ProviderCallOf<Name>,
    candidate: Candidate,
    request: CallingRequest,
    ask: () => AsyncIterable<PartOf<Name>, void>,
  ): AsyncIterable<PartOf<Name>, void> {
    const call = this.observed(operation, candidate, request, true);
    try {
      const parts = ask();
      return call === undefined || operation.observed === undefined ? parts : operation.observed(parts, call);
    } catch (error) {
      call?.failed(error);
      throw error;
    }
  }

  private clientFor<Name extends OperationName>(
    { name, absence, streamAbsence = absence }: ProviderCallOf<Name>,
    kind: AnswerKind,
    { connection }: Candidate,
  ): ProviderClient {
    const client = this.providers.of(connection.protocol);
    if (!client.has(name, kind)) throw new ProviderError('invalid', kind === 'stream' ? streamAbsence : absence);
    return client;
  }

  private observed(
    { name: operation }: { readonly name: OperationName },
    { endpoint, model, upstreamModel }: Candidate,
    { id: generationId, clock }: CallingRequest,
    isStreamed: boolean,
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
      endSpan: tracing?.providerCall({ operation, isStreamed, ...names, upstreamModel, generationId }),
      clock,
    });
  }
}

/** The usage of a request whose answer has no tokens. */
export function promptUsage(tokens: number): TokenUsage {
  return { prompt_tokens: tokens, completion_tokens: 0, total_tokens: tokens };
}

/** Who asks for an attempt, which begins with it. */
export function askerOf(request: CallingRequest, { signal, sent }: Asking): Asker {
  request.adjustments.beginAttempt();
  // What an attempt before this one has brought is not used.
  request.releaseAnswer();
  const { organizationId, adjustments, memory, via, references } = request;
  references.holdAgain(memory);
  const repeated = (): void => request.repeated?.();
  return { organizationId, signal, sent, repeated, adjustments, memory, via, references };
}
