import { onItsOwn } from '../../../../concurrency/request-scope.js';
import type { Metrics, DropReason } from '../../../../telemetry/metrics/metrics.js';
import type { DestinationConfig } from '../../config-mask.js';
import type {
  BodyEncoding,
  DeliveryTarget,
  DeliveryVerdict,
  DestinationAdapter,
  ReceiverTransport,
} from '../destination-adapter.js';
import type { OutgoingGeneration } from '../generation-event.js';
import { signingSecretsOf } from './webhook-messages.service.js';
import { verdictOfError } from '../verdicts.js';
import {
  type DeliveryRepository,
  type Lease,
  type LeasedQueue,
  type PartialDelivery,
  type SendingDestination,
  type StoredEvent,
  WHOLE,
} from './delivery.repository.js';
import { waitingTime } from './waiting-time.js';

/** What stands for the type of a destination that is deleted, in metrics. */
export const DELETED_TYPE = 'deleted';

/** How many failures in a row open the breaker: from then on one generation alone tries whether the receiver works again. */
export const FAILURES_TO_OPEN = 5;

/** How long a paused destination waits before one generation tries whether it works again, in milliseconds. */
export const PAUSE_MS = 900_000;

/** How long a gone destination waits: until it is changed. A hundred years. */
const FOREVER_MS = 100 * 365 * 86_400_000;

/** How often a receiver may fail on one generation while it takes others. */
const MAXIMUM_TRIES = 5;

/** How long generations wait that a receiver has failed on while it took others, in milliseconds. */
const RETRY_MS = 5_000;

/** How much is read at once: bytes of events, and rows. */
const ROUND_BYTES = 4 * 1_048_576;
const ROUND_ROWS = 1_000;

/** When a round begins no further batch, in milliseconds: so that little is sent again if the process is killed. */
const ROUND_MS = 5_000;

/** How often a lease is renewed, in milliseconds. */
const RENEW_MS = 20_000;

/** What a drain works with. */
export interface DrainMeans {
  readonly repository: DeliveryRepository;
  readonly adapter: (type: SendingDestination['type']) => DestinationAdapter;
  readonly transport: ReceiverTransport;
  readonly metrics: Metrics | undefined;
  /** How long a generation waits at most, in milliseconds. */
  readonly retentionMs: number;
  /** @returns undefined when it cannot be decrypted */
  readonly configOf: (destination: SendingDestination) => Promise<DestinationConfig | undefined>;
  /** What is sent of a stored event to the destination as it is now; null for nothing. @throws Error for one that cannot be read */
  readonly outgoing: (destination: SendingDestination, stored: StoredEvent) => Promise<OutgoingGeneration | null>;
  /** Is told when a destination pauses. */
  readonly paused: (destination: SendingDestination, reason: Stop) => Promise<void>;
  /** Is told of an error that no receiver has caused. */
  readonly unexpected: (error: unknown) => void;
  readonly isStopping: () => boolean;
}

/** An event that is being sent. */
interface Sending {
  readonly stored: StoredEvent;
  readonly generation: OutgoingGeneration;
}

/** Why a round ends before everything is sent. */
export type Stop = Exclude<DeliveryVerdict, { outcome: 'delivered' | 'refused' | 'unsupported_encoding' }>;

/** A generation that a receiver does not take. */
interface Refused {
  readonly id: string;
  readonly status: number | null;
  readonly message: string;
}

/**
 * Sends what waits for one destination, as long as the process has its lease (docs/adr/0019-broadcast-outbox.md): in rounds, each of
 * which reads some generations, sends them in batches, and deletes what has arrived.
 */
export class DestinationDrain {
  private delivered: string[] = [];
  private refused: Refused[] = [];
  private failed: StoredEvent[] = [];
  /** What the receiver has said of what it did not keep of this round. */
  private partial: PartialDelivery = WHOLE;
  /** Failures on single generations, without one that the receiver has taken between them. */
  private failedInARow = 0;
  private stop: Stop | undefined;
  private encoding: BodyEncoding | null;
  private failures: number;
  private isProbing: boolean;
  private hasLease = true;
  private roundEndsAt = 0;

  constructor(
    private readonly lease: Lease,
    private readonly queue: LeasedQueue,
    private readonly means: DrainMeans,
  ) {
    this.encoding = queue.encoding;
    this.failures = queue.failures;
    this.isProbing = queue.state === 'paused' || queue.state === 'gone' || queue.failures >= FAILURES_TO_OPEN;
  }

  /** Sends until nothing waits, the destination fails, or the process stops. */
  async run(): Promise<void> {
    const { repository, isStopping } = this.means;
    const renewal = onItsOwn(() => setInterval(() => void this.renew(), RENEW_MS));
    try {
      await this.dropOfEarlierAddress();
      let goesOn = true;
      while (goesOn && this.hasLease && !isStopping()) goesOn = await this.round();
      await repository.release(this.lease);
    } finally {
      clearInterval(renewal);
    }
  }

  /** What was enqueued for an earlier address goes, also when a process was ended before it had done so. */
  private async dropOfEarlierAddress(): Promise<void> {
    const { dropBefore } = this.queue;
    if (dropBefore === null) return;
    const destination = await this.means.repository.destination(this.lease);
    let dropped: number;
    do {
      dropped = await this.means.repository.drop(this.lease, dropBefore, ROUND_ROWS);
      await this.lost(destination, 'not_wanted', dropped, 'The address of the destination has changed.');
    } while (dropped === ROUND_ROWS);
  }

  /** Another process has the lease when this one could not renew it in time. */
  private async renew(): Promise<void> {
    this.hasLease = await this.means.repository.renew(this.lease).catch(() => false);
  }

  /** @returns whether to go on */
  private async round(): Promise<boolean> {
    const { repository } = this.means;
    const destination = await repository.destination(this.lease);
    if (destination === undefined) {
      const dropped = await repository.drop(this.lease, null, ROUND_ROWS);
      await this.lost(destination, 'not_wanted', dropped, 'The destination was deleted.');
      return dropped === ROUND_ROWS;
    }
    // What waits is sent when it is on again, unless it has become too old then.
    if (!destination.enabled || !destination.isBroadcasting) return false;
    const stored = await repository.next(this.lease, this.isProbing ? 1 : ROUND_ROWS, ROUND_BYTES);
    if (stored.length === 0) return false;
    const config = await this.means.configOf(destination);
    if (config === undefined) {
      await this.fail(destination, misconfigured('The configuration cannot be decrypted.'));
      return false;
    }
    const sending = await this.wanted(destination, stored);
    await this.send(destination, config, sending);
    return this.record(destination);
  }

  /** The events that the destination still gets; the others are dropped. */
  private async wanted(destination: SendingDestination, all: readonly StoredEvent[]): Promise<Sending[]> {
    const oldest = Date.now() - this.means.retentionMs;
    const sending: Sending[] = [];
    const dropped: Record<'age' | 'unreadable' | 'not_wanted', string[]> = { age: [], unreadable: [], not_wanted: [] };
    for (const stored of all) {
      if (stored.enqueuedAt.getTime() < oldest) dropped.age.push(stored.id);
      else {
        try {
          const generation = await this.means.outgoing(destination, stored);
          if (generation === null) dropped.not_wanted.push(stored.id);
          else sending.push({ stored, generation });
        } catch {
          dropped.unreadable.push(stored.id);
        }
      }
    }
    await this.give(destination, 'age', dropped.age, 'A generation has waited too long.');
    await this.give(destination, 'unreadable', dropped.unreadable, 'A generation cannot be decrypted.');
    await this.means.repository.finish(this.lease, dropped.not_wanted);
    return sending;
  }

  private async send(
    destination: SendingDestination,
    config: DestinationConfig,
    sending: readonly Sending[],
  ): Promise<void> {
    const adapter = this.means.adapter(destination.type);
    const signingSecrets = signingSecretsOf(config);
    const batches = batchesOf(sending, adapter);
    this.roundEndsAt = performance.now() + ROUND_MS;
    const worker = async (): Promise<void> => {
      for (let batch = batches.shift(); batch !== undefined; batch = batches.shift()) {
        if (this.isOver) return;
        const target = { destinationId: destination.id, config, encoding: this.encoding, signingSecrets };
        await this.deliver(batch, adapter, target, destination.type);
      }
    };
    await Promise.all(Array.from({ length: adapter.limits.concurrency }, worker));
  }

  /** Whether the round begins no further batch. */
  private get isOver(): boolean {
    return (
      this.stop !== undefined || !this.hasLease || this.means.isStopping() || performance.now() >= this.roundEndsAt
    );
  }

  /** Sends a batch, in halves if the receiver does not take it as it is. */
  private async deliver(
    batch: readonly Sending[],
    adapter: DestinationAdapter,
    target: DeliveryTarget,
    type: string,
  ): Promise<void> {
    if (this.stop !== undefined || !this.hasLease) return;
    const verdict = await this.attempt(batch, adapter, target, type);
    switch (verdict.outcome) {
      case 'delivered':
        this.delivered.push(...batch.map(({ stored }) => stored.id));
        this.told(verdict, type);
        this.failedInARow = 0;
        return;
      case 'refused':
      case 'failed':
        if (batch.length > 1) {
          const middle = Math.ceil(batch.length / 2);
          await this.deliver(batch.slice(0, middle), adapter, target, type);
          await this.deliver(batch.slice(middle), adapter, target, type);
          return;
        }
        this.single(batch[0]!.stored, verdict);
        return;
      case 'unsupported_encoding':
        this.stop ??= misconfigured(verdict.message, verdict.status);
        return;
      default:
        this.stop ??= verdict;
    }
  }

  /** Notes what the receiver says that it did not keep of a batch. */
  private told({ note, rejectedSpans = 0 }: Extract<DeliveryVerdict, { outcome: 'delivered' }>, type: string): void {
    if (note === undefined) return;
    this.partial = { note, rejectedSpans: this.partial.rejectedSpans + rejectedSpans };
    this.means.metrics?.deliveries.rejectedSpans(type, rejectedSpans);
  }

  /** The receiver did not take one generation alone. */
  private single(stored: StoredEvent, verdict: Extract<DeliveryVerdict, { outcome: 'refused' | 'failed' }>): void {
    this.failedInARow += 1;
    if (verdict.outcome === 'refused') {
      this.refused.push({ id: stored.id, status: verdict.status, message: verdict.message });
      // A receiver that refuses everything is not told what it wants: that is the configuration, and not the generations.
      if (this.failures + this.failedInARow >= FAILURES_TO_OPEN && this.delivered.length === 0) {
        this.stop ??= misconfigured(verdict.message, verdict.status);
      }
      return;
    }
    this.failed.push(stored);
    // The second one in a row is the receiver's failure, and not that of the generations.
    if (this.failedInARow > 1) this.stop ??= { ...verdict, outcome: 'unavailable' };
  }

  private async attempt(
    batch: readonly Sending[],
    adapter: DestinationAdapter,
    target: DeliveryTarget,
    type: string,
  ): Promise<DeliveryVerdict> {
    const generations = batch.map(({ generation }) => generation);
    const verdict = await this.verdictOf(() => adapter.deliver(generations, target, this.means.transport), type);
    if (verdict.outcome !== 'unsupported_encoding') return verdict;
    const other: BodyEncoding = target.encoding === 'protobuf' ? 'json' : 'protobuf';
    const second = await this.verdictOf(() => adapter.deliver(generations, target, this.means.transport, other), type);
    if (second.outcome === 'delivered') this.encoding = other;
    return second;
  }

  private async verdictOf(deliver: () => Promise<DeliveryVerdict>, type: string): Promise<DeliveryVerdict> {
    const begun = performance.now();
    const verdict = await deliver()
      .catch(verdictOfError)
      .catch((error: unknown): DeliveryVerdict => {
        this.means.unexpected(error);
        return { outcome: 'refused', status: null, message: 'A generation cannot be written for this type.' };
      });
    this.means.metrics?.deliveries.request(type, verdict.outcome, (performance.now() - begun) / 1000);
    return verdict;
  }

  /** Writes down what has become of a round. @returns whether to go on */
  private async record(destination: SendingDestination): Promise<boolean> {
    const { repository, metrics } = this.means;
    const { delivered, refused, failed, stop, partial } = this;
    const hasDelivered = delivered.length > 0;
    [this.delivered, this.refused, this.failed, this.stop, this.partial] = [[], [], [], undefined, WHOLE];
    if (hasDelivered) {
      await repository.finish(this.lease, delivered);
      await repository.succeeded(this.lease, delivered.length, this.encoding, partial);
      metrics?.deliveries.delivered(destination.type, delivered.length);
      this.failures = 0;
      this.isProbing = false;
    }
    // What a receiver refuses that refuses everything is kept, until its configuration is right.
    if (stop?.outcome !== 'misconfigured') {
      for (const { id, status, message } of refused) await this.give(destination, 'refused', [id], message, status);
    }
    if (hasDelivered) await this.countTries(destination, failed);
    if (stop !== undefined) {
      if (!this.means.isStopping()) await this.fail(destination, stop);
      return false;
    }
    if (failed.length > 0) {
      const message = 'The receiver fails on a generation while it takes others.';
      if (hasDelivered) await repository.failed(this.lease, { ...RETRYING, message });
      else await this.fail(destination, { outcome: 'unavailable', status: null, message: 'The receiver fails.' });
      return false;
    }
    if (refused.length === 0 || hasDelivered) return true;
    const { status, message } = refused.at(-1)!;
    await repository.failed(this.lease, { state: 'active', failures: this.failures + 1, waitMs: 0, status, message });
    return false;
  }

  /** Gives up generations that a receiver has failed on too often while it took others. */
  private async countTries(destination: SendingDestination, failed: readonly StoredEvent[]): Promise<void> {
    await this.means.repository.countTries(this.lease, idsOf(failed));
    const givenUp = failed.filter(({ tries }) => tries + 1 >= MAXIMUM_TRIES);
    await this.give(destination, 'refused', idsOf(givenUp), 'The receiver fails on a generation again and again.');
  }

  private async fail(destination: SendingDestination, stop: Stop): Promise<void> {
    const { repository, paused } = this.means;
    const { status, message } = stop;
    const failures = this.failures + (stop.outcome === 'throttled' ? 0 : 1);
    switch (stop.outcome) {
      case 'misconfigured':
      case 'gone': {
        const state = stop.outcome === 'gone' ? 'gone' : 'paused';
        const waitMs = stop.outcome === 'gone' ? FOREVER_MS : PAUSE_MS;
        await repository.failed(this.lease, { state, failures, waitMs, status, message });
        if (this.queue.state !== state) await paused(destination, stop);
        return;
      }
      default: {
        const waitMs = waitingTime(Math.max(1, failures), stop.retryAfterMs);
        const state = this.queue.state === 'paused' ? 'paused' : 'retrying';
        await repository.failed(this.lease, { state, failures, waitMs, status, message });
      }
    }
  }

  private async give(
    destination: SendingDestination,
    reason: DropReason,
    ids: readonly string[],
    message: string,
    status: number | null = null,
  ): Promise<void> {
    if (ids.length === 0) return;
    await this.means.repository.finish(this.lease, ids);
    await this.lost(destination, reason, ids.length, message, status);
  }

  private async lost(
    destination: SendingDestination | undefined,
    reason: DropReason,
    count: number,
    message: string,
    status: number | null = null,
  ): Promise<void> {
    if (count === 0) return;
    this.means.metrics?.deliveries.dropped(destination?.type ?? DELETED_TYPE, reason, count);
    await this.means.repository.dropped(this.lease, count, { status, message });
  }
}

const RETRYING = { state: 'active', failures: 0, waitMs: RETRY_MS, status: null } as const;

function idsOf(stored: readonly StoredEvent[]): string[] {
  return stored.map(({ id }) => id);
}

function misconfigured(message: string, status: number | null = null): Stop {
  return { outcome: 'misconfigured', status, message };
}

/** Splits events into batches as large as a type takes. */
function batchesOf(sending: readonly Sending[], adapter: DestinationAdapter): Sending[][] {
  const { limits } = adapter;
  const batches: Sending[][] = [];
  let batch: Sending[] = [];
  let bytes = 0;
  for (const one of sending) {
    const size = adapter.bytesOf(one.generation);
    if (batch.length > 0 && (batch.length >= limits.generations || bytes + size > limits.bytes)) {
      batches.push(batch);
      [batch, bytes] = [[], 0];
    }
    batch.push(one);
    bytes += size;
  }
  if (batch.length > 0) batches.push(batch);
  return batches;
}
