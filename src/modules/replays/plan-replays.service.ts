import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { newUuid } from '../../persistence/identifiers.js';
import { Statements } from '../../persistence/statements.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { ConfiguredKinds } from '../configuration/kinds/configured-kinds.js';
import {
  type CapturedRules,
  type ChangedRule,
  type PlanReplay,
  RecordedTraffic,
} from '../configuration/plan/recorded-traffic.js';
import { ANSWER_PLACES, appliesTo, REQUEST_PLACES } from '../content/content-filters.js';
import { type AssignedGuardrail, GuardrailsService } from '../guardrails/guardrails.service.js';
import { LimitsService } from '../limits/limits.service.js';
import { GuardrailReplays } from './guardrail-replays.service.js';
import { LimitReplay, matchOf } from './limit-replay.js';
import { monthsOf, type RecordSpan, type ReplayWork } from './replay-work.js';
import { RECORDS_OF_BATCH, type ReplayedRecord, ReplaysRepository } from './replays.repository.js';
import { Untried } from './untried.js';

/** How much is looked at while someone waits for the plan. */
const MOST_RECORDS = 100_000;
const MOST_MS = 60_000;

/** How many records are looked at until it is seen how late it is. */
const RECORDS_AT_ONCE = 100;

const MS_OF_HOUR = 3_600_000;

/** A rule as it is to be. */
interface Tried {
  readonly rule: ChangedRule;
  readonly begin: (job: PlanJob) => Replayed;
}

/** A rule that is replayed. */
interface Replayed {
  readonly rule: ChangedRule;
  readonly work: ReplayWork;
  /** What was not tried of it, once all records are read. */
  readonly untried: () => readonly string[];
}

/** Replays what plans of configuration create and change, all at once, as part of the plan (docs/configuration.md#what-it-would-have-refused). */
@Injectable()
export class PlanReplays extends RecordedTraffic {
  override readonly sections = new Set(['guardrails', 'default_guardrails', 'limits', 'inspectors']);

  constructor(
    kinds: ConfiguredKinds,
    private readonly repository: ReplaysRepository,
    private readonly guardrails: GuardrailsService,
    private readonly guardrailReplays: GuardrailReplays,
    private readonly limits: LimitsService,
    private readonly slots: RequestSlots,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {
    super();
    kinds.recordedTraffic = this;
  }

  override async captured(caller: ManagementPrincipal, rules: readonly ChangedRule[]): Promise<CapturedRules> {
    const tried: Tried[] = [];
    for (const rule of rules) {
      if (rule.section === 'limits') tried.push(await this.triedLimit(caller, rule));
      else if (rule.section === 'inspectors') tried.push(await this.triedInspector(caller, rule));
      else tried.push(await this.triedGuardrail(caller, rule));
    }
    return { replay: (hours, signal) => this.replay(caller, tried, hours, signal) };
  }

  private async replay(
    caller: ManagementPrincipal,
    tried: readonly Tried[],
    hours: number,
    signal: AbortSignal,
  ): Promise<PlanReplay> {
    const { organizationId } = caller;
    const to = new Date();
    const job = { organizationId, id: newUuid(), from: new Date(to.getTime() - hours * MS_OF_HOUR), to, sample: 1 };
    const replayed = tried.map(({ begin }) => begin(job));
    let isComplete: boolean;
    try {
      isComplete = await this.readAll(job, replayed, signal);
    } finally {
      await this.recordReading(caller, job, replayed);
    }
    const results = replayed.map((one) => ({ ...one, result: one.work.tally.result }));
    const ids = results.flatMap(({ result }) => result.keys.map(({ keyId }) => keyId));
    const keys = await this.repository.keys(organizationId, [...new Set(ids)]);
    return {
      from: job.from.toISOString(),
      to: to.toISOString(),
      is_complete: isComplete,
      changes: results.map(({ rule: { section, workspace, name }, work: { tally }, result, untried }) => ({
        section,
        workspace,
        name,
        read_count: tally.readCount,
        refused_count: result.refusedCount,
        excluded_count: tally.countOf('excluded'),
        redacted_count: tally.countOf('redacted'),
        undecided_count: result.undecidedCount,
        not_tried: untried(),
        keys: result.keys.map(({ keyId, count }) => {
          const key = keys.get(keyId);
          return { hash: key?.hash ?? null, name: key?.name ?? null, count };
        }),
      })),
    };
  }

  /** A guardrail as it is to be, for the keys that are to have it. */
  private async triedGuardrail(
    { organizationId, permissions }: ManagementPrincipal,
    rule: ChangedRule,
  ): Promise<Tried> {
    // Its inspectors are left out: nothing is asked of their servers.
    const observing = { enforcement: 'observe' as const, inspector_ids: null };
    const { entity, assigned, stored } = await this.guardrails.assignedEntity(organizationId, rule.id, observing);
    const applies = await this.appliesOf(organizationId, assigned);
    const { limitUsd, resetInterval, includeByokInBudgets, contentFilterBuiltins, contentFilters } = entity;
    const filters = [...(contentFilterBuiltins ?? []), ...(contentFilters ?? [])];
    const hasFilters = filters.some((filter) => appliesTo(filter, REQUEST_PLACES));
    const hasFiltersOfAnswers = filters.some((filter) => appliesTo(filter, ANSWER_PLACES));
    const mayReadContents = permissions.has('content_read');
    const hasBudget = limitUsd !== null && resetInterval !== null;
    const guardrail = {
      ...assigned,
      unsaved: assigned.unsaved!,
      id: entity.id,
      // The keys say which requests it is about.
      workspaceId: null,
      budget: hasBudget ? { guardrailId: entity.id, limitUsd, resetInterval, includeByokInBudgets } : null,
      hasFilters: hasFilters && mayReadContents,
    };
    const begin = (job: PlanJob): Replayed => {
      const whole = this.guardrailReplays.workOf(job, guardrail);
      let unlogged = 0;
      const work: ReplayWork = {
        begin: whole.begin,
        tally: whole.tally,
        async take(span, records) {
          const those = records.filter(applies);
          unlogged += those.filter((one) => isTried(job, one) && !one.hasContent).length;
          await whole.take(span, those);
        },
      };
      const untried = (): string[] => {
        const { readCount } = whole.tally;
        const sentences: readonly (readonly [count: number, what: string, why: string])[] = [
          [hasFilters && !mayReadContents ? readCount : 0, 'content filters', 'that takes content_read'],
          [hasFilters && mayReadContents ? unlogged : 0, 'content filters', 'what was in them is not logged'],
          [hasFiltersOfAnswers ? readCount : 0, 'content filters of answers', 'answers are not replayed'],
          [stored.inspectorIds === null ? 0 : readCount, 'inspectors', 'that asks their servers'],
        ];
        return sentences
          .filter(([count]) => count > 0)
          .map(([count, what, why]) => `Its ${what} were not tried on ${count} requests: ${why}.`);
      };
      return { rule, work, untried };
    };
    return { rule, begin };
  }

  /** An inspector, which is never asked: how many requests are of keys whose guardrails are to name it. */
  private async triedInspector({ organizationId }: ManagementPrincipal, rule: ChangedRule): Promise<Tried> {
    const guardrails = await this.guardrails.naming(organizationId, rule.id);
    const applying: ((record: ReplayedRecord) => boolean)[] = [];
    for (const one of guardrails) applying.push(await this.appliesOf(organizationId, one));
    const isAbout = (record: ReplayedRecord): boolean => applying.some((applies) => applies(record));
    return { rule, begin: (job) => untriedWork(job, rule, isAbout, 'that asks its server') };
  }

  /** A limit as it is to be, with its exceptions. */
  private async triedLimit({ organizationId }: ManagementPrincipal, rule: ChangedRule): Promise<Tried> {
    const replayed = await this.limits.tried(organizationId, rule.id, {});
    const { limit } = replayed;
    if (limit.row.measure !== 'concurrent') {
      return { rule, begin: (job) => ({ rule, work: new LimitReplay(job, replayed), untried: () => [] }) };
    }
    const isAbout = (record: ReplayedRecord): boolean => matchOf(limit, record) !== undefined;
    const why = 'records do not say which were answered at the same time';
    return { rule, begin: (job) => untriedWork(job, rule, isAbout, why) };
  }

  /** Which requests a guardrail is to be about: those of the keys that have it, or of its workspace if it is the default one there. */
  private async appliesOf(
    organizationId: string,
    { assignedId, workspaceOfDefault }: AssignedGuardrail,
  ): Promise<(record: ReplayedRecord) => boolean> {
    if (assignedId === null) return ({ workspaceId }) => workspaceId === workspaceOfDefault;
    const having = await this.guardrails.keysHaving(organizationId, assignedId);
    return ({ keyId }) => having.has(keyId);
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
        const records = await this.slots.run(organizationId, () =>
          this.repository.records(organizationId, span.from, span.to, after),
        );
        for (let first = 0; first < records.length; first += RECORDS_AT_ONCE) {
          signal.throwIfAborted();
          if (performance.now() > until) return false;
          await take(replayed, span, records.slice(first, first + RECORDS_AT_ONCE));
        }
        read += records.length;
        if (records.length < RECORDS_OF_BATCH) break;
        if (read >= MOST_RECORDS) return false;
        after = records.at(-1)!.id;
      }
    }
    return true;
  }

  private async recordReading(
    caller: ManagementPrincipal,
    { organizationId, id }: PlanJob,
    replayed: readonly Replayed[],
  ): Promise<void> {
    const contents = replayed.reduce((sum, { work }) => sum + work.tally.contentsRead, 0);
    if (contents === 0) return;
    const event = { action: 'replay.read_contents', targetId: id, changes: { contents: { after: contents } } };
    await this.statements.transaction((tx) => this.audit.record(tx, organizationId, caller, event));
  }
}

/** What of a job a replay needs that is part of a plan. */
type PlanJob = Parameters<GuardrailReplays['workOf']>[0] & { readonly to: Date };

/** Whether a replay is about a request, and not only counts it toward windows. */
function isTried({ from }: PlanJob, { isRefused, createdAt }: ReplayedRecord): boolean {
  return !isRefused && createdAt >= from;
}

/** Counts what a rule would be about that is not tried at all. */
function untriedWork(
  { from }: PlanJob,
  rule: ChangedRule,
  isAbout: (record: ReplayedRecord) => boolean,
  why: string,
): Replayed {
  const work = new Untried(from, isAbout);
  return { rule, work, untried: () => [`It was not tried on ${work.tally.readCount} requests: ${why}.`] };
}

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
