import { Injectable, type OnApplicationShutdown } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { StandingCallers } from '../../../auth/standing-callers.js';
import { onItsOwn } from '../../../concurrency/request-scope.js';
import { TooManyConcurrentRequests } from '../../../http/errors/request.errors.js';
import { EventAnswer } from '../../../http/event-answer.js';
import { Readiness } from '../../../http/health/readiness.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { RepeatedWork } from '../../../persistence/repeated-work.js';
import { ServiceLogger } from '../../../telemetry/logging/service-logger.js';
import type { ListGenerationsQuery } from './generation-list.dto.js';
import { toListedGeneration } from './generation-list.mapper.js';
import {
  GenerationListRepository,
  type GenerationSearch,
  type ListedGenerationRow,
} from './generation-list.repository.js';
import { periodOf, searchOf } from './generation-list.service.js';

/** How often new records are looked for while someone listens, in milliseconds. */
const ROUND_MS = 2_000;

/** How many listeners there may be: of one credential, and in a process. */
const PER_CREDENTIAL = 5;
const PER_PROCESS = 200;

/** How many new records one look finds at most, the latest. */
const AT_ONCE = 100;

/** How long a request may take until its record is found here, in milliseconds: a record stands where its request began. */
const LONGEST_REQUEST_MS = 600_000;

/** By how much records are looked for again, in milliseconds: times have seconds, and a record is written a moment after its request ended. */
const SLACK_MS = 5_000;

/** How often a caller is looked at again, and how long a stream may be silent, in milliseconds. */
const CALLER_CHECK_MS = 10_000;
const SILENCE_MS = 15_000;

const RETRY_AFTER_SECONDS = 10;

/** Who waits for new records. */
interface Listener {
  readonly caller: ManagementPrincipal;
  readonly request: GatehouseRequest;
  readonly query: ListGenerationsQuery;
  readonly answer: EventAnswer;
  /** The organization and the filters: listeners with the same get what one statement finds. */
  readonly group: string;
  /** Up to when records were looked for, in milliseconds since 1970. */
  since: number;
  /** The ids of the last rounds, with the time from which on they are not found again. */
  readonly sent: Map<string, number>;
  lastSentAt: number;
  lastCheckAt: number;
}

/**
 * New records as server-sent events (docs/interface/generations.md#live). They are read from the database, where the records of all replicas
 * are, and only while someone listens.
 */
@Injectable()
export class LiveGenerationsService implements OnApplicationShutdown {
  private readonly listeners = new Set<Listener>();
  private readonly rounds: RepeatedWork;

  constructor(
    private readonly repository: GenerationListRepository,
    private readonly callers: StandingCallers,
    private readonly readiness: Readiness,
    logger: ServiceLogger,
  ) {
    const failure = 'new records could not be looked for';
    this.rounds = new RepeatedWork(() => this.round(), { intervalMs: ROUND_MS, failure, logger });
  }

  /**
   * Begins a stream of the records of the list that are written from now on, or from where an earlier stream ended.
   *
   * @param lastEventId of the last event of the earlier stream
   * @throws BadRequestError as the list does
   * @throws TooManyConcurrentRequests where the caller, or all callers of this process, have as many streams as may be
   */
  listen(
    caller: ManagementPrincipal,
    query: ListGenerationsQuery,
    request: GatehouseRequest,
    lastEventId: string | undefined,
  ): EventAnswer {
    searchOf(caller, query);
    const own = [...this.listeners].filter((listener) => listener.caller.credentialId === caller.credentialId);
    if (own.length >= PER_CREDENTIAL || this.listeners.size >= PER_PROCESS || this.readiness.isStopping) {
      throw new TooManyConcurrentRequests(RETRY_AFTER_SECONDS);
    }
    const now = Date.now();
    const answer = new EventAnswer(() => this.leave(listener));
    const { cursor: _cursor, limit: _limit, ...filters } = query;
    const listener: Listener = {
      caller,
      request,
      query: filters,
      answer,
      group: JSON.stringify([caller.organizationId, caller.onlyOwn ? caller.userId : null, filters]),
      since: sinceOf(lastEventId, now),
      sent: new Map(),
      lastSentAt: now,
      lastCheckAt: now,
    };
    this.listeners.add(listener);
    if (this.listeners.size === 1) onItsOwn(() => this.rounds.start());
    return answer;
  }

  /** How many listen in this process. */
  get listening(): number {
    return this.listeners.size;
  }

  onApplicationShutdown(): void {
    for (const { answer } of this.listeners) answer.end();
    this.rounds.stop();
  }

  /** Sends each listener what is new to it, and ends streams that must not go on. */
  async round(): Promise<void> {
    if (this.readiness.isStopping) {
      this.onApplicationShutdown();
      return;
    }
    const groups = new Map<string, Listener[]>();
    for (const listener of this.listeners) {
      const group = groups.get(listener.group);
      if (group === undefined) groups.set(listener.group, [listener]);
      else group.push(listener);
    }
    // One after the other: what is shown a moment later must not take the connections of requests.
    for (const group of groups.values()) await this.serve(group);
  }

  private leave(listener: Listener): void {
    if (!this.listeners.delete(listener) || this.listeners.size > 0) return;
    this.rounds.stop();
  }

  private async serve(group: readonly Listener[]): Promise<void> {
    try {
      const now = Date.now();
      const standing = await this.standing(group, now);
      if (standing.length === 0) return;
      const { items, last } = await this.find(standing, now);
      for (const listener of standing) pass(listener, items, last !== null, now);
    } catch (error) {
      // Clients ask again, and get an error with its status while the database is gone.
      for (const { answer } of group) answer.end();
      throw error;
    }
  }

  /** Those who may still listen; the streams of the others are ended. */
  private async standing(group: readonly Listener[], now: number): Promise<Listener[]> {
    const standing: Listener[] = [];
    for (const listener of group) {
      if (listener.request.res?.closed === true) {
        this.leave(listener);
        continue;
      }
      const isDue = now - listener.lastCheckAt >= CALLER_CHECK_MS;
      if (isDue) listener.lastCheckAt = now;
      if (!isDue || (await this.callers.isStill(listener.request, listener.caller, 'usage_read'))) {
        standing.push(listener);
      } else listener.answer.end();
    }
    return standing;
  }

  private async find(
    [first, ...others]: readonly Listener[],
    now: number,
  ): Promise<Awaited<ReturnType<GenerationListRepository['page']>>> {
    const search = searchOf(first!.caller, first!.query);
    if (search === undefined) return { items: [], last: null };
    const since = Math.min(first!.since, ...others.map((listener) => listener.since)) - SLACK_MS;
    return this.repository.page(first!.caller.organizationId, recent(search, since, now), AT_ONCE);
  }
}

/** Records of requests that ended at some time or later, and did not take too long. */
function recent(search: GenerationSearch, since: number, now: number): GenerationSearch {
  const earliest = new Date(Math.max(search.since.getTime(), now - LONGEST_REQUEST_MS));
  const { since: from, fromId } = periodOf({ since: earliest.toISOString() });
  return { ...search, since: from, fromId, endedSince: new Date(since) };
}

/** Sends a listener the records that are new to it, those first whose requests came first. */
function pass(listener: Listener, rows: readonly ListedGenerationRow[], hasMore: boolean, now: number): void {
  const { answer, sent } = listener;
  const fresh = rows.filter((row) => endOf(row) >= listener.since - SLACK_MS && !sent.has(row.id));
  for (const row of fresh.toReversed()) {
    answer.event('generation', String(now), toListedGeneration(row));
    sent.set(row.id, endOf(row) + 2 * SLACK_MS);
  }
  // The rest is in the list.
  if (hasMore && fresh.length === rows.length) answer.event('more', String(now), { shown: fresh.length });
  listener.since = now;
  for (const [id, until] of sent) if (until < now - 2 * SLACK_MS) sent.delete(id);
  if (fresh.length > 0) listener.lastSentAt = now;
  else if (now - listener.lastSentAt >= SILENCE_MS) {
    answer.keepAlive();
    listener.lastSentAt = now;
  }
}

/** When a request ended, in milliseconds since 1970, to a second. */
function endOf({ createdAt, generationMs }: ListedGenerationRow): number {
  return createdAt.getTime() + (generationMs ?? 0);
}

/** From when on records are new: from the time of the last event on, as far as it is not too long ago. */
function sinceOf(lastEventId: string | undefined, now: number): number {
  const time = lastEventId !== undefined && /^\d{13}$/.test(lastEventId) ? Number(lastEventId) : now;
  return Math.min(Math.max(time, now - LONGEST_REQUEST_MS), now);
}
