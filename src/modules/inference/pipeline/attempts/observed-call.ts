import { ClientGoneError } from '../../../../http/client-signal.js';
import type { EndpointMetrics } from '../../../../telemetry/metrics/metrics.js';
import type { CallOutcome, ProviderCallEnd } from '../../../../telemetry/provider-call.js';
import type { FinishReason, TokenUsage } from '../../../codecs/chat/chat-completion.js';
import { ProviderError } from '../../../codecs/errors/provider-error.js';
import { withLaterUsage } from '../../../codecs/chat/later-usage.js';
import { ServiceStopping } from '../../inference.errors.js';
import type { RequestClock } from '../request/request-clock.js';

/** What is told of a call. */
export interface CallObservers {
  readonly metrics: EndpointMetrics | undefined;
  readonly endSpan: ((end: ProviderCallEnd) => void) | undefined;
  readonly clock: RequestClock;
}

/** What a provider has said about its answer, besides the content. */
export interface CallReport {
  readonly usage?: TokenUsage | null;
  readonly finishReasons?: readonly (FinishReason | null)[];
  readonly upstreamId?: string | null;
}

/** One call of a provider, timed while it lasts. */
export class ObservedCall {
  private readonly start = performance.now();
  private firstTokenSeconds: number | null = null;
  private usage: TokenUsage | null = null;
  private responseId: string | null = null;
  private readonly finishReasons = new Set<FinishReason>();
  private isEnded = false;

  constructor(private readonly observers: CallObservers) {
    observers.clock.calling();
  }

  /** Whether the first token of a stream has come. */
  get hasBegun(): boolean {
    return this.firstTokenSeconds !== null;
  }

  /** Records that the first token of a stream has come. */
  begun(): void {
    this.firstTokenSeconds = this.secondsSinceStart;
    this.observers.metrics?.firstToken(this.firstTokenSeconds);
  }

  /** Records a wait for the next part of a stream that has begun. */
  waited(milliseconds: number): void {
    this.observers.metrics?.gap(milliseconds / 1000);
  }

  /** Takes what an answer, or a part of one, reports. */
  report({ usage, finishReasons = [], upstreamId }: CallReport): void {
    if (usage) this.usage = withLaterUsage(this.usage ? { usage: this.usage } : undefined, { usage }).usage;
    this.responseId ??= upstreamId ?? null;
    for (const reason of finishReasons) if (reason !== null) this.finishReasons.add(reason);
  }

  /** Ends the observation of a complete answer. */
  answered(): void {
    this.end(this.finishReasons.has('error') ? 'refused' : 'answered', 200);
  }

  /** Ends the observation of a call that failed with an error or, without one, was abandoned by its reader. */
  failed(error?: unknown): void {
    if (error instanceof ProviderError) this.end(error.kind, error.status);
    else this.end(error === undefined || isGivenUp(error) ? 'abandoned' : 'failed', null);
  }

  private end(outcome: CallOutcome, status: number | null): void {
    if (this.isEnded) return;
    this.isEnded = true;
    const { observers, usage, firstTokenSeconds, responseId } = this;
    observers.clock.called();
    observers.metrics?.upstream(outcome, this.secondsSinceStart);
    observers.endSpan?.({
      outcome,
      status,
      firstTokenSeconds,
      responseId,
      finishReasons: [...this.finishReasons],
      inputTokens: usage?.prompt_tokens ?? null,
      outputTokens: usage?.completion_tokens ?? null,
      cachedTokens: usage?.prompt_tokens_details?.cached_tokens ?? null,
      reasoningTokens: usage?.completion_tokens_details?.reasoning_tokens ?? null,
    });
  }

  private get secondsSinceStart(): number {
    return (performance.now() - this.start) / 1000;
  }
}

/** Whether the answer is no longer wanted: the client has left, or the process stops. */
function isGivenUp(error: unknown): boolean {
  return error instanceof ClientGoneError || error instanceof ServiceStopping;
}
