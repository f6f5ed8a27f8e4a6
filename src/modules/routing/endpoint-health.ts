import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { ReplicaMessages } from '../../concurrency/replica-messages.js';
import type { EndpointCondition } from './endpoint-order.js';
import {
  type FailureCounts,
  countedFailures,
  Failures,
  isCount,
  isFailureCounts,
  ownFailures,
  SEVERAL,
} from './failures.js';

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

/** How long after a failure another one belongs to the same outage, in milliseconds: longer than who asks again is told to wait. */
const SAME_OUTAGE_MS = 60_000;

/** Of how many organizations the last failures are kept: those of several are an outage for each other one. */
const LAST_FAILURES = 8;

/** How long after a success of its own an organization sees no failures of others, in milliseconds. */
const OWN_SUCCESS_MS = 30_000;

/** Of how many pairs of an organization and an endpoint the last success is kept. */
const MAXIMUM_OWN_SUCCESSES = 50_000;

/** More endpoints than catalogs have. */
const MAXIMUM_ENDPOINTS = 10_000;

/** How many endpoints a message to other replicas is about; the others follow in the next one. */
const ENDPOINTS_PER_MESSAGE = 100;

class Attempts {
  good = 0;
  readonly bad = new Failures();
  isLastGood = false;

  add(good: number, bad: FailureCounts, isLastGood: boolean): void {
    this.good += good;
    for (const [organizationId, count] of bad) this.bad.add(organizationId, count);
    this.isLastGood = isLastGood;
  }
}

interface Part {
  /** Which part of the time since the epoch it is. */
  readonly number: number;
  readonly attempts: Attempts;
}

/** What the own attempts of an organization at an endpoint were, as far as this process knows. Times are milliseconds since the epoch. */
export interface OwnAttempts {
  /** How many have failed in the window that is looked at. */
  readonly failed: number;
  /** The last that has succeeded; null if it is not known, or one has failed since. */
  readonly lastSuccessAt: number | null;
  /** The last that has failed; null if it is not known. */
  readonly lastFailureAt: number | null;
}

/** Failures of an organization that no success has interrupted, the first and the last, in milliseconds since the epoch. */
interface Outage {
  readonly since: number;
  readonly lastAt: number;
}

interface History {
  readonly parts: (Part | undefined)[];
  lastGoodAt: number;
  /** The last failures of each organization, those of the latest failure at the end. */
  readonly outages: Map<string, Outage>;
}

/**
 * The attempts at an endpoint in a message between replicas. Older replicas look at the number of failures alone, and send no
 * organizations.
 */
type AttemptsMessage = readonly [
  endpoint: string,
  good: number,
  bad: number,
  isLastGood: boolean,
  badOf?: FailureCounts,
];

/**
 * How well endpoints have answered in the last five minutes, to this process and, with Redis, to all replicas
 * (docs/scaling.md#messages-between-replicas). It decides about the order of candidates alone, so replicas need not agree. What one
 * or two organizations fail with says little to others, because they may have caused that (docs/interface/inference.md#order).
 */
@Injectable()
export class EndpointHealth {
  private readonly histories = new LRUCache<string, History>({ max: MAXIMUM_ENDPOINTS });
  /** When an organization has succeeded at an endpoint that has not failed for it since, in this process. */
  private readonly ownSuccesses = new LRUCache<string, number>({ max: MAXIMUM_OWN_SUCCESSES });
  private readonly unsent = new Map<string, Attempts>();
  /** Since when attempts are counted. */
  readonly observedSince = new Date();
  /** Whether the attempts of other replicas count. */
  readonly isShared: boolean;

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
   * @param organizationId whose request it was
   * @param now milliseconds since the epoch
   */
  record(endpoint: string, organizationId: string, isGood: boolean, now = Date.now()): void {
    const bad: FailureCounts = isGood ? [] : [[organizationId, 1]];
    this.add(endpoint, { good: Number(isGood), bad, isLastGood: isGood }, now);
    if (isGood) this.ownSuccesses.set(pairOf(endpoint, organizationId), now);
    else this.ownSuccesses.delete(pairOf(endpoint, organizationId));
    if (!this.isShared || this.unsent.size >= MAXIMUM_ENDPOINTS) return;
    const unsent = this.unsent.get(endpoint) ?? new Attempts();
    unsent.add(Number(isGood), bad, isGood);
    this.unsent.set(endpoint, unsent);
  }

  /**
   * How well an endpoint has answered, as far as that says something to an organization.
   *
   * @param now milliseconds since the epoch
   */
  conditionOf(endpoint: string, organizationId: string, now = Date.now()): EndpointCondition {
    const history = this.histories.get(endpoint);
    if (history === undefined) return 'normal';
    const recent = recentParts(history, now);
    const good = recent.reduce((sum, { attempts }) => sum + attempts.good, 0);
    const failures = recent.map(({ attempts }) => attempts.bad);
    const succeededAt = this.ownSuccesses.get(pairOf(endpoint, organizationId));
    const seesOthers = succeededAt === undefined || now - succeededAt >= OWN_SUCCESS_MS;
    const bad = seesOthers ? countedFailures(failures, organizationId) : ownFailures(failures, organizationId);
    const all = good + bad;
    if (all >= ENOUGH_ATTEMPTS && good / all < DEGRADED_SHARE) return 'down';
    const isOut = isOutFor(organizationId, history, now);
    return isOut || (all >= ENOUGH_ATTEMPTS && good / all < NORMAL_SHARE) ? 'degraded' : 'normal';
  }

  /**
   * What an organization knows of an endpoint by itself.
   *
   * @param now milliseconds since the epoch
   * @returns undefined where this process knows of no attempt of it
   */
  ownAttempts(endpoint: string, organizationId: string, now = Date.now()): OwnAttempts | undefined {
    // Who looks does not use the endpoint, so nothing is remembered longer for that.
    const history = this.histories.peek(endpoint);
    const lastSuccessAt = this.ownSuccesses.peek(pairOf(endpoint, organizationId)) ?? null;
    const lastFailureAt = history?.outages.get(organizationId)?.lastAt ?? null;
    const failures = history === undefined ? [] : recentParts(history, now).map(({ attempts }) => attempts.bad);
    const failed = ownFailures(failures, organizationId);
    if (failed === 0 && lastSuccessAt === null && lastFailureAt === null) return undefined;
    return { failed, lastSuccessAt, lastFailureAt };
  }

  /**
   * How long an organization should wait before it asks an endpoint again at which its own attempts fail: as long as they have failed already,
   * so that waits double, and at most as long as one failure counts as an outage.
   *
   * @param now milliseconds since the epoch
   * @returns milliseconds; 0 where its last attempt has not failed, or is its first failure
   */
  waitFor(endpoint: string, organizationId: string, now = Date.now()): number {
    const history = this.histories.peek(endpoint);
    const outage = history?.outages.get(organizationId);
    if (history === undefined || outage === undefined || outage.lastAt <= history.lastGoodAt) return 0;
    return Math.min(OUTAGE_MS, Math.max(0, now - outage.since));
  }

  private add(
    endpoint: string,
    { good, bad, isLastGood }: { readonly good: number; readonly bad: FailureCounts; readonly isLastGood: boolean },
    at: number,
  ): void {
    const history = this.histories.get(endpoint) ?? { parts: [], lastGoodAt: 0, outages: new Map<string, Outage>() };
    this.histories.set(endpoint, history);
    const number = Math.floor(at / (WINDOW_MS / PARTS));
    let part = history.parts[number % PARTS];
    if (part === undefined || part.number < number) {
      part = { number, attempts: new Attempts() };
      history.parts[number % PARTS] = part;
    }
    if (part.number === number) part.attempts.add(good, bad, isLastGood);
    if (isLastGood) history.lastGoodAt = Math.max(history.lastGoodAt, at);
    else for (const [organizationId] of bad) failedAt(history, organizationId, at);
  }

  private takeUnsent(): readonly AttemptsMessage[] | undefined {
    const sent = [...this.unsent]
      .slice(0, ENDPOINTS_PER_MESSAGE)
      .map(([endpoint, { good, bad, isLastGood }]): AttemptsMessage => [
        endpoint,
        good,
        bad.sum,
        isLastGood,
        bad.counts,
      ]);
    for (const [endpoint] of sent) this.unsent.delete(endpoint);
    return sent.length === 0 ? undefined : sent;
  }

  private receive(message: unknown, at: number): void {
    if (!Array.isArray(message)) return;
    for (const [endpoint, good, sum, isLastGood, badOf] of message.filter(isAttemptsMessage)) {
      const bad = badOf ?? (sum > 0 ? [[Failures.OF_SEVERAL, sum] as const] : []);
      this.add(endpoint, { good, bad, isLastGood }, at);
    }
  }
}

/** The parts of the window that is looked at. */
function recentParts({ parts }: History, now: number): Part[] {
  const oldest = Math.floor(now / (WINDOW_MS / PARTS)) - PARTS + 1;
  return parts.filter((part): part is Part => part !== undefined && part.number >= oldest);
}

/** Notes a failure. Of those of many organizations the latest are enough. */
function failedAt({ outages, lastGoodAt }: History, organizationId: string, at: number): void {
  const known = outages.get(organizationId);
  const goesOn = known !== undefined && known.lastAt > lastGoodAt && at - known.lastAt < SAME_OUTAGE_MS;
  const since = goesOn ? Math.min(at, known.since) : at;
  outages.delete(organizationId);
  outages.set(organizationId, { since, lastAt: Math.max(at, known?.lastAt ?? 0) });
  if (outages.size <= LAST_FAILURES) return;
  const [oldest] = outages.keys();
  outages.delete(oldest!);
}

function pairOf(endpoint: string, organizationId: string): string {
  return `${organizationId} ${endpoint}`;
}

/** Whether nothing has succeeded lately since the organization has failed, or since several others have. */
function isOutFor(organizationId: string, { lastGoodAt, outages }: History, now: number): boolean {
  const failing = [...outages]
    .filter(([, { lastAt }]) => lastAt > lastGoodAt && now - lastAt < OUTAGE_MS)
    .map(([whose]) => whose);
  return (
    failing.length >= SEVERAL || failing.some((whose) => whose === organizationId || whose === Failures.OF_SEVERAL)
  );
}

function isAttemptsMessage(value: unknown): value is AttemptsMessage {
  if (!Array.isArray(value)) return false;
  const [endpoint, good, bad, isLastGood, badOf] = value as readonly unknown[];
  const isOfOrganizations = badOf === undefined || isFailureCounts(badOf);
  return (
    typeof endpoint === 'string' &&
    isCount(good) &&
    isCount(bad) &&
    typeof isLastGood === 'boolean' &&
    isOfOrganizations
  );
}
