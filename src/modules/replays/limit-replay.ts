import { LRUCache } from 'lru-cache';
import type { CompiledLimit, CounterPlace } from '../limits/compiled-limit.js';
import { windowStartOf } from '../limits/limit-windows.js';
import { isInShare } from '../observability/delivery/selection/share.js';
import { unitsOf } from '../spend/decimal-amount.js';
import { type Done, ReplayTally } from './replay-tally.js';
import type { RecordSpan, ReplayedSpan, ReplayWork } from './replay-work.js';
import type { ReplayedRecord } from './replays.repository.js';
import { WindowAmounts } from './window-amounts.js';

/** A limit by condition and group as it is replayed. */
export interface ReplayedLimit {
  readonly limit: CompiledLimit;
  /** The amounts of its exceptions, by their combinations. */
  readonly exceptions: ReadonlyMap<string, number>;
}

/** Of how many combinations it is known what they have used: those that came last. */
const REMEMBERED_COMBINATIONS = 100_000;

/** What a limit would have done to recorded requests (docs/interface/replays.md#limits). */
export class LimitReplay implements ReplayWork {
  readonly begin: Date;
  readonly tally = new ReplayTally();
  private readonly used = new WindowAmounts(new LRUCache({ max: REMEMBERED_COMBINATIONS }));

  constructor(
    private readonly job: ReplayedSpan,
    private readonly replayed: ReplayedLimit,
  ) {
    const { window } = replayed.limit.row;
    const hasEnd = window !== 'lifetime' && window !== 'session';
    this.begin = hasEnd ? windowStartOf(window, job.from) : job.from;
  }

  take(_: RecordSpan, records: readonly ReplayedRecord[]): Promise<void> {
    for (const record of records) if (!record.isRefused) this.takeOne(record);
    return Promise.resolve();
  }

  private takeOne(record: ReplayedRecord): void {
    const { limit } = this.replayed;
    const match = matchOf(limit, record);
    if (match === undefined) return;
    if ('missing' in match) {
      this.count(record, { outcome: 'refused', reason: 'limit' });
      return;
    }
    if (!isInShare(`${this.job.id}:${match.combination}`, this.job.sample)) return;
    const isMet = this.isMet(record, match);
    this.count(record, isMet ? { outcome: limit.isOfCandidates ? 'excluded' : 'refused', reason: 'limit' } : undefined);
  }

  /** Counts a request, in the order of time. @returns whether the limit was met before it */
  private isMet(record: ReplayedRecord, { combination, windowStart }: CounterPlace): boolean {
    const { limit, exceptions } = this.replayed;
    const amount = unitsOf(String(exceptions.get(combination) ?? limit.row.amount));
    return this.used.isMet(combination, windowStart, amount, usedBy(record, limit));
  }

  /** What came before the span of the job is not counted. */
  private count(record: ReplayedRecord, done: Done | undefined): void {
    if (record.createdAt < this.job.from) return;
    const request = { id: record.id, keyId: record.keyId, cost: unitsOf(record.costUsd) };
    this.tally.add(request, done === undefined ? [] : [done]);
  }
}

/** Where a limit counts a request, if it does. */
export function matchOf(limit: CompiledLimit, record: ReplayedRecord): ReturnType<CompiledLimit['match']> {
  return limit.match(requestOf(record), candidateOf(record), record.createdAt);
}

/** What a request has used in the measure of a limit, in units of 1e-18. */
function usedBy(record: ReplayedRecord, { row: { measure, includeByok } }: CompiledLimit): bigint {
  if (measure === 'requests') return unitsOf('1');
  if (measure === 'tokens') return includeByok || !record.isByok ? unitsOf(record.tokens) : 0n;
  return unitsOf(record.costUsd) - (includeByok ? 0n : unitsOf(record.byokCostUsd));
}

function requestOf(record: ReplayedRecord): Parameters<CompiledLimit['match']>[0] {
  return {
    api_key: record.keyHash ?? '',
    workspace: record.workspaceId,
    member: record.userId,
    operation: record.apiType,
    user: record.externalUser,
    session: record.sessionId,
    server: record.mcpServer,
    tool: record.mcpTool === null ? null : `${record.mcpServer}/${record.mcpTool}`,
    labels: record.labels ?? {},
  };
}

/** The candidate that has answered. */
function candidateOf({ model, provider }: ReplayedRecord): Parameters<CompiledLimit['match']>[1] {
  return { model, author: model.split('/', 1)[0]!, provider: provider ?? '' };
}
