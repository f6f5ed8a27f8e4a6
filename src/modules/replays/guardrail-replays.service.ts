import { Injectable } from '@nestjs/common';
import { LRUCache } from 'lru-cache';
import { DomainError } from '../../http/errors/domain-error.js';
import { RequestSlots } from '../../http/request-limits/request-slots.js';
import { EncryptedContents } from '../generations/content/encrypted-contents.js';
import type { UnsavedGuardrail } from '../guardrails/effective-policy/unsaved-guardrail.js';
import type { AssignedGuardrail } from '../guardrails/guardrails.service.js';
import { type PastDecision, PastRequests } from '../inference/evaluation/past-requests.service.js';
import { windowStartOf } from '../limits/limit-windows.js';
import { isInShare } from '../observability/delivery/selection/share.js';
import { unitsOf } from '../spend/decimal-amount.js';
import { type Done, ReplayTally } from './replay-tally.js';
import type { RecordSpan, ReplayedSpan, ReplayWork } from './replay-work.js';
import { ReplayedBudget } from './replayed-budget.js';
import { CONTENTS_OF_BATCH, type ReplayedRecord, ReplaysRepository } from './replays.repository.js';

/** A guardrail as it is replayed, and whose records count. */
export type ReplayedGuardrail = AssignedGuardrail & {
  readonly unsaved: UnsavedGuardrail;
  readonly id: string;
  /** Null for all workspaces: of a guardrail from before there were any. */
  readonly workspaceId: string | null;
  /** Null where it has none, or only some of the records are looked at. */
  readonly budget: ConstructorParameters<typeof ReplayedBudget>[0] | null;
  readonly hasFilters: boolean;
};

/** Of how many keys and models it is remembered what the guardrail does to their requests. */
const REMEMBERED_DECISIONS = 10_000;

/** What a replay of a guardrail has found so far. */
class Run {
  readonly tally = new ReplayTally();
  readonly decisions = new LRUCache<string, { readonly value: PastDecision | null }>({ max: REMEMBERED_DECISIONS });
  readonly budget: ReplayedBudget | null;

  constructor(
    readonly job: ReplayedSpan,
    readonly guardrail: ReplayedGuardrail,
  ) {
    this.budget = guardrail.budget && new ReplayedBudget(guardrail.budget);
  }
}

/** Says what guardrails would have done to recorded requests (docs/interface/replays.md#guardrails). */
@Injectable()
export class GuardrailReplays {
  constructor(
    private readonly repository: ReplaysRepository,
    private readonly past: PastRequests,
    private readonly contents: EncryptedContents,
    private readonly slots: RequestSlots,
  ) {}

  /** The work of a replay of a guardrail. */
  workOf(job: ReplayedSpan, guardrail: ReplayedGuardrail): ReplayWork {
    const run = new Run(job, guardrail);
    return {
      begin: guardrail.budget === null ? job.from : windowStartOf(guardrail.budget.resetInterval, job.from),
      tally: run.tally,
      take: (span, records) => this.replay(run, span, records),
    };
  }

  private async replay(run: Run, span: RecordSpan, records: readonly ReplayedRecord[]): Promise<void> {
    const { job, guardrail } = run;
    const ofGuardrail = records.filter(
      ({ id, workspaceId, isRefused }) =>
        !isRefused &&
        (guardrail.workspaceId === null || workspaceId === guardrail.workspaceId) &&
        isInShare(`${job.id}:${id}`, job.sample),
    );
    for (let first = 0; first < ofGuardrail.length; first += CONTENTS_OF_BATCH) {
      const some = ofGuardrail.slice(first, first + CONTENTS_OF_BATCH);
      const decided: { record: ReplayedRecord; decision: PastDecision | null }[] = [];
      for (const record of some) decided.push({ record, decision: await this.decisionOf(run, record) });
      const found = await this.contentOutcomes(run, span, decided);
      for (const { record, decision } of decided) this.add(run, record, decision, found.get(record.id));
    }
  }

  private async decisionOf(run: Run, record: ReplayedRecord): Promise<PastDecision | null> {
    const { job, guardrail, decisions } = run;
    const name = `${record.keyId} ${record.apiType} ${record.requestedModel}`;
    const known = decisions.get(name);
    if (known !== undefined) return known.value;
    const value = await this.slots.run(job.organizationId, () =>
      this.past.decide(job.organizationId, guardrail, record),
    );
    decisions.set(name, { value });
    return value;
  }

  /** What the filters of the guardrail do to those requests whose content is logged, by the ids of their records. */
  private async contentOutcomes(
    { job, guardrail, tally }: Run,
    span: RecordSpan,
    decided: readonly { readonly record: ReplayedRecord; readonly decision: PastDecision | null }[],
  ): Promise<ReadonlyMap<string, Done>> {
    const outcomes = new Map<string, Done>();
    const asked = decided.filter(
      ({ record, decision }) => decision !== null && record.hasContent && isOfSpan(job, record),
    );
    if (!guardrail.hasFilters || asked.length === 0) return outcomes;
    const byId = new Map(asked.map((one) => [one.record.id, one]));
    const { organizationId } = job;
    const rows = await this.slots.run(organizationId, () =>
      this.repository.contents(organizationId, span.from, span.to, [...byId.keys()]),
    );
    for (const row of rows) {
      const { record, decision } = byId.get(row.id)!;
      const { input } = this.contents.decrypted({ organizationId, ...row });
      tally.contentsRead += 1;
      const outcome = await this.contentOutcome(decision!, this.past.textsOf(record.apiType, input));
      if (outcome === 'unknown') tally.undecided += 1;
      else if (outcome !== null) outcomes.set(row.id, { outcome, reason: 'content' });
    }
    return outcomes;
  }

  private async contentOutcome(
    { observer }: PastDecision,
    texts: ReturnType<PastRequests['textsOf']>,
  ): Promise<'refused' | 'redacted' | 'unknown' | null> {
    try {
      const { blocked, findings } = await observer.content.inspect(texts);
      if (blocked !== null) return 'refused';
      return findings.some(({ action }) => action === 'redact') ? 'redacted' : null;
    } catch (error) {
      // Too many scans at a time, or an analyzer that does not answer.
      if (error instanceof DomainError) return 'unknown';
      throw error;
    }
  }

  private add(run: Run, record: ReplayedRecord, decision: PastDecision | null, content: Done | undefined): void {
    const { job, tally, budget } = run;
    const cost = { total: unitsOf(record.costUsd), byok: unitsOf(record.byokCostUsd) };
    const regions = decision?.observer.rules.allowedDataRegions.value ?? null;
    const done: Done[] = [
      ...(regions === null || regions.includes(record.dataRegion)
        ? []
        : [{ outcome: 'refused', reason: 'data_region' } as const]),
      ...(content === undefined ? [] : [content]),
      ...(decision?.models ? [decision.models] : []),
    ];
    const isRefused = done.some(({ outcome }) => outcome === 'refused');
    const isMet = decision !== null && budget?.isMet(record.keyId, record.createdAt, cost, isRefused) === true;
    // What came before only counts toward the budget.
    if (!isOfSpan(job, record)) return;
    if (decision === null) tally.undecided += 1;
    const refusal: Done[] = isMet ? [{ outcome: 'refused', reason: 'budget' }] : [];
    tally.add({ id: record.id, keyId: record.keyId, cost: cost.total }, [...refusal, ...done]);
  }
}

function isOfSpan({ from }: ReplayedSpan, { createdAt }: ReplayedRecord): boolean {
  return createdAt >= from;
}
