import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { newUuid } from '../../persistence/identifiers.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import { type ChangedRule, type PlanReplay, RecordedTraffic } from '../configuration/plan/recorded-traffic.js';
import { GuardrailsService } from '../guardrails/guardrails.service.js';
import { LimitsService } from '../limits/limits.service.js';
import { GuardrailReplays } from './guardrail-replays.service.js';
import { LimitReplay } from './limit-replay.js';
import { monthsOf, type RecordSpan, type ReplayWork } from './replay-work.js';
import { RECORDS_OF_BATCH, type ReplayedRecord, ReplaysRepository } from './replays.repository.js';

/** How much is looked at while someone waits for the plan. */
const MOST_RECORDS = 100_000;
const MOST_MS = 60_000;

/** Of how many keys it is remembered whether a guardrail applies to them. */
const REMEMBERED_KEYS = 10_000;

const MS_OF_HOUR = 3_600_000;

interface Replayed {
  readonly rule: ChangedRule;
  readonly work: ReplayWork;
}

/** Replays what plans of configuration change, all changes at once, as part of the plan. */
@Injectable()
export class PlanReplays extends RecordedTraffic {
  override readonly sections = new Set(['guardrails', 'default_guardrails', 'limits']);

  constructor(
    kinds: ConfiguredKinds,
    private readonly repository: ReplaysRepository,
    private readonly guardrails: GuardrailsService,
    private readonly guardrailReplays: GuardrailReplays,
    private readonly limits: LimitsService,
    private readonly slots: RequestSlots,
  ) {
    super();
    kinds.recordedTraffic = this;
  }

  override async replay(
    organizationId: string,
    rules: readonly ChangedRule[],
    hours: number,
    signal: AbortSignal,
  ): Promise<PlanReplay> {
    const to = new Date();
    const job = { organizationId, id: newUuid(), from: new Date(to.getTime() - hours * MS_OF_HOUR), to, sample: 1 };
    const replayed: Replayed[] = [];
    for (const rule of rules) {
      const work = rule.section === 'limits' ? await this.limitWork(job, rule) : await this.guardrailWork(job, rule);
      if (work !== undefined) replayed.push({ rule, work });
    }
    const isComplete = await this.readAll(job, replayed, signal);
    const results = replayed.map(({ rule, work }) => ({ rule, tally: work.tally, result: work.tally.result }));
    const ids = results.flatMap(({ result }) => result.keys.map(({ keyId }) => keyId));
    const keys = await this.repository.keys(organizationId, [...new Set(ids)]);
    return {
      from: job.from.toISOString(),
      to: to.toISOString(),
      is_complete: isComplete,
      changes: results.map(({ rule: { section, workspace, name }, tally, result }) => ({
        section,
        workspace,
        name,
        read_count: tally.readCount,
        refused_count: result.refusedCount,
        undecided_count: result.undecidedCount,
        keys: result.keys.map(({ keyId, count }) => {
          const key = keys.get(keyId);
          return { hash: key?.hash ?? null, name: key?.name ?? null, count };
        }),
      })),
    };
  }

  /** The guardrail as it would be, for the keys that have it. Contents are not read. */
  private async guardrailWork(job: PlanJob, { id, changes }: ChangedRule): Promise<ReplayWork> {
    const { organizationId } = job;
    const observing = { ...changes, enforcement: 'observe' as const };
    const { entity, assigned } = await this.guardrails.assignedEntity(organizationId, id, observing);
    const { limitUsd, resetInterval, includeByokInBudgets, workspaceId } = entity;
    const hasBudget = limitUsd !== null && resetInterval !== null;
    const work = this.guardrailReplays.workOf(job, {
      ...assigned,
      unsaved: assigned.unsaved!,
      id: entity.id,
      workspaceId,
      budget: hasBudget ? { guardrailId: entity.id, limitUsd, resetInterval, includeByokInBudgets } : null,
      hasFilters: false,
    });
    // The default guardrail of a workspace applies to all keys there.
    return assigned.assignedId === null ? work : this.ofKeysThatHave(organizationId, entity.id, work);
  }

  private ofKeysThatHave(organizationId: string, guardrailId: string, work: ReplayWork): ReplayWork {
    const known = new LRUCache<string, { readonly has: boolean }>({ max: REMEMBERED_KEYS });
    const has = async (keyId: string): Promise<boolean> => {
      const found = known.get(keyId) ?? { has: await this.guardrails.appliesTo(organizationId, guardrailId, keyId) };
      known.set(keyId, found);
      return found.has;
    };
    return {
      begin: work.begin,
      tally: work.tally,
      async take(span, records) {
        const those: ReplayedRecord[] = [];
        for (const record of records) if (await has(record.keyId)) those.push(record);
        await work.take(span, those);
      },
    };
  }

  /** @returns undefined for one of requests at the same time, which records do not tell */
  private async limitWork(job: PlanJob, { id, changes }: ChangedRule): Promise<ReplayWork | undefined> {
    const tried = await this.limits.tried(job.organizationId, id, changes);
    return tried.limit.row.measure === 'concurrent' ? undefined : new LimitReplay(job, tried);
  }

  /** @returns whether it has come to its end */
  private async readAll(
    { organizationId, to }: PlanJob,
    replayed: readonly Replayed[],
    signal: AbortSignal,
  ): Promise<boolean> {
    if (replayed.length === 0) return true;
    const begin = new Date(Math.min(...replayed.map(({ work }) => work.begin.getTime())));
    const until = performance.now() + MOST_MS;
    let read = 0;
    for (const span of monthsOf({ from: begin, to })) {
      let after = '';
      for (;;) {
        signal.throwIfAborted();
        const records = await this.slots.run(organizationId, () =>
          this.repository.records(organizationId, span.from, span.to, after),
        );
        await take(replayed, span, records);
        read += records.length;
        if (records.length < RECORDS_OF_BATCH) break;
        if (read >= MOST_RECORDS || performance.now() > until) return false;
        after = records.at(-1)!.id;
      }
    }
    return true;
  }
}

/** What of a job a replay needs that is part of a plan. */
type PlanJob = Parameters<GuardrailReplays['workOf']>[0] & { readonly to: Date };

/** Gives records to each replay that they are for. */
async function take(
  replayed: readonly Replayed[],
  span: RecordSpan,
  records: readonly ReplayedRecord[],
): Promise<void> {
  for (const { work } of replayed) {
    const those = records.filter(({ createdAt }) => createdAt >= work.begin);
    if (those.length > 0) await work.take(span, those);
  }
}
