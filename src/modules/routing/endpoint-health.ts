import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReplicaMessages } from '../../limits/replica-messages.js';
import type { EndpointCondition } from './endpoint-order.js';

/** The window that is looked at, in milliseconds, and the number of its parts. */
const WINDOW_MS = 300_000;
const PARTS = 10;

/** Below this number of attempts a share says nothing. */
const ENOUGH_ATTEMPTS = 100;

/** The share of good attempts below which an endpoint is degraded, and below which it is down. */
const NORMAL_SHARE = 0.95;
const DEGRADED_SHARE = 0.8;

/** How long a failure that no success has followed counts as an outage, in milliseconds. */
const OUTAGE_MS = 30_000;

/** More endpoints than catalogs have. */
const MAXIMUM_ENDPOINTS = 10_000;

/** How many endpoints a message to other replicas is about; the others follow in the next one. */
const ENDPOINTS_PER_MESSAGE = 100;

interface Part {
  /** Which part of the time since the epoch it is. */
  number: number;
  good: number;
  bad: number;
}

interface History {
  readonly parts: (Part | undefined)[];
  lastGoodAt: number;
  lastBadAt: number;
}

/** What has become of attempts at an endpoint. */
interface Attempts {
  readonly good: number;
  readonly bad: number;
  readonly isLastGood: boolean;
}

/** The attempts at an endpoint in a message between replicas. */
type AttemptsMessage = readonly [endpoint: string, good: number, bad: number, isLastGood: boolean];

/**
 * How well endpoints have answered in the last five minutes, to this process and, with Redis, to all replicas
 * (docs/scaling.md#messages-between-replicas). It decides about the order of candidates alone, so replicas need not agree.
 */
@Injectable()
export class EndpointHealth {
  private readonly histories = new LRUCache<string, History>({ max: MAXIMUM_ENDPOINTS });
  private readonly unsent = new Map<string, Attempts>();
  private readonly isShared: boolean;

  constructor(replicas: ReplicaMessages) {
    this.isShared = replicas.isShared;
    replicas.open({
      name: 'endpoint-health',
      take: () => this.takeUnsent(),
      receive: (message, at) => this.receive(message, at),
    });
  }

  /**
   * Records an attempt.
   *
   * @param endpoint the model and the tag of the endpoint
   * @param now milliseconds since the epoch
   */
  record(endpoint: string, isGood: boolean, now = Date.now()): void {
    this.add(endpoint, { good: Number(isGood), bad: Number(!isGood), isLastGood: isGood }, now);
    if (!this.isShared || this.unsent.size >= MAXIMUM_ENDPOINTS) return;
    const { good, bad } = this.unsent.get(endpoint) ?? { good: 0, bad: 0 };
    this.unsent.set(endpoint, { good: good + Number(isGood), bad: bad + Number(!isGood), isLastGood: isGood });
  }

  /** @param now milliseconds since the epoch */
  conditionOf(endpoint: string, now = Date.now()): EndpointCondition {
    const history = this.histories.get(endpoint);
    if (history === undefined) return 'normal';
    const oldest = Math.floor(now / (WINDOW_MS / PARTS)) - PARTS + 1;
    const recent = history.parts.filter((part): part is Part => part !== undefined && part.number >= oldest);
    const good = recent.reduce((sum, part) => sum + part.good, 0);
    const all = recent.reduce((sum, part) => sum + part.bad, good);
    if (all >= ENOUGH_ATTEMPTS && good / all < DEGRADED_SHARE) return 'down';
    const isOut = history.lastBadAt > history.lastGoodAt && now - history.lastBadAt < OUTAGE_MS;
    return isOut || (all >= ENOUGH_ATTEMPTS && good / all < NORMAL_SHARE) ? 'degraded' : 'normal';
  }

  private add(endpoint: string, { good, bad, isLastGood }: Attempts, at: number): void {
    const history = this.histories.get(endpoint) ?? { parts: [], lastGoodAt: 0, lastBadAt: 0 };
    this.histories.set(endpoint, history);
    const number = Math.floor(at / (WINDOW_MS / PARTS));
    const part = history.parts[number % PARTS];
    if (part?.number === number) {
      part.good += good;
      part.bad += bad;
    } else if (part === undefined || part.number < number) {
      history.parts[number % PARTS] = { number, good, bad };
    }
    if (isLastGood) history.lastGoodAt = Math.max(history.lastGoodAt, at);
    else history.lastBadAt = Math.max(history.lastBadAt, at);
  }

  private takeUnsent(): readonly AttemptsMessage[] | undefined {
    const sent = [...this.unsent]
      .slice(0, ENDPOINTS_PER_MESSAGE)
      .map(([endpoint, { good, bad, isLastGood }]): AttemptsMessage => [endpoint, good, bad, isLastGood]);
    for (const [endpoint] of sent) this.unsent.delete(endpoint);
    return sent.length === 0 ? undefined : sent;
  }

  private receive(message: unknown, at: number): void {
    if (!Array.isArray(message)) return;
    for (const [endpoint, good, bad, isLastGood] of message.filter(isAttemptsMessage)) {
      this.add(endpoint, { good, bad, isLastGood }, at);
    }
  }
}

function isAttemptsMessage(value: unknown): value is AttemptsMessage {
  if (!Array.isArray(value)) return false;
  const [endpoint, good, bad, isLastGood] = value as readonly unknown[];
  return typeof endpoint === 'string' && isCount(good) && isCount(bad) && typeof isLastGood === 'boolean';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
