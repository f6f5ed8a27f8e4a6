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

/** How many endpoints other replicas are told of at a time; the others are told of next. */
const TOLD_AT_ONCE = 100;

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

/** Attempts at an endpoint, as replicas tell each other. */
type Told = readonly [endpoint: string, good: number, bad: number, isLastGood: boolean];

/**
 * How well endpoints have answered in the last five minutes: this process and, with Redis, all replicas
 * (docs/scaling.md#what-replicas-tell-each-other). It decides about the order of candidates alone, so replicas need not agree.
 */
@Injectable()
export class EndpointHealth {
  private readonly histories = new LRUCache<string, History>({ max: MAXIMUM_ENDPOINTS });
  private readonly untold = new Map<string, Attempts>();
  private readonly isShared: boolean;

  constructor(replicas: ReplicaMessages) {
    this.isShared = replicas.isShared;
    replicas.open({
      name: 'endpoint-health',
      take: () => this.takeUntold(),
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
    if (!this.isShared || this.untold.size >= MAXIMUM_ENDPOINTS) return;
    const { good, bad } = this.untold.get(endpoint) ?? { good: 0, bad: 0 };
    this.untold.set(endpoint, { good: good + Number(isGood), bad: bad + Number(!isGood), isLastGood: isGood });
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

  private takeUntold(): readonly Told[] | undefined {
    const told = [...this.untold]
      .slice(0, TOLD_AT_ONCE)
      .map(([endpoint, { good, bad, isLastGood }]): Told => [endpoint, good, bad, isLastGood]);
    for (const [endpoint] of told) this.untold.delete(endpoint);
    return told.length === 0 ? undefined : told;
  }

  private receive(message: unknown, at: number): void {
    if (!Array.isArray(message)) return;
    for (const [endpoint, good, bad, isLastGood] of message.filter(isTold)) {
      this.add(endpoint, { good, bad, isLastGood }, at);
    }
  }
}

function isTold(value: unknown): value is Told {
  if (!Array.isArray(value)) return false;
  const [endpoint, good, bad, isLastGood] = value as readonly unknown[];
  return typeof endpoint === 'string' && isCount(good) && isCount(bad) && typeof isLastGood === 'boolean';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
