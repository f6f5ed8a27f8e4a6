import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { requirePermissions } from '../../auth/required-rights.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { insideField } from '../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { Statements } from '../../persistence/statements.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created } from '../audit/audited-event.js';
import { appliesTo, REQUEST_PLACES } from '../content/content-filters.js';
import { GuardrailsService } from '../guardrails/guardrails.service.js';
import { LimitsService } from '../limits/limits.service.js';
import type {
  CancelReplayResponse,
  GetReplayResponse,
  ListReplaysResponse,
  Replay,
  ReplayGuardrailRequest,
  ReplayGuardrailResponse,
  ReplayLimitRequest,
  ReplayLimitResponse,
} from './dto/replay.dto.js';
import type { ReplayJobEntity } from './entities/replay-job.entity.js';
import { GuardrailReplays } from './guardrail-replays.service.js';
import { LimitReplay } from './limit-replay.js';
import { ReplayRunner } from './replay-runner.service.js';
import { ConcurrentLimitNotReplayable, INVALID_REPLAY_SPAN, ReplayNotFound } from './replays.errors.js';
import { toReplayResponse } from './replays.mapper.js';
import { CANCEL_REPLAY, INSERT_REPLAY, ReplaysRepository } from './replays.repository.js';

/** The longest span of a replay, in milliseconds: 31 days. */
const LONGEST_SPAN = 31 * 86_400_000;

/** Replays of guardrails and limits over recorded traffic (docs/interface/replays.md). */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly repository: ReplaysRepository,
    private readonly runner: ReplayRunner,
    private readonly guardrails: GuardrailsService,
    private readonly guardrailReplays: GuardrailReplays,
    private readonly limits: LimitsService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Begins a replay of a guardrail, as it is stored or with changes.
   *
   * @throws GuardrailNotFound, and ReplayRunning while one of the organization runs
   * @throws PermissionMissing for content filters without that to read contents
   * @throws BadRequestError for a span that is not one of the past, and for changes that an update would refuse
   */
  async begin(
    caller: ManagementPrincipal,
    guardrailId: string,
    { from, to, sample = 1, draft = {} }: ReplayGuardrailRequest,
  ): Promise<ReplayGuardrailResponse> {
    const { organizationId } = caller;
    const span = spanOf(from, to);
    const observing = { ...draft, enforcement: 'observe' as const };
    const tried = await insideField('draft', this.guardrails.assignedEntity(organizationId, guardrailId, observing));
    const { entity, assigned } = tried;
    // Answers are not replayed.
    const filters = [...(entity.contentFilterBuiltins ?? []), ...(entity.contentFilters ?? [])];
    const hasFilters = filters.some((filter) => appliesTo(filter, REQUEST_PLACES));
    if (hasFilters) requirePermissions(caller, ['content_read']);
    const subject = { guardrailId: entity.id, limitId: null };
    const job = await this.inserted(caller, { ...subject, ...span, sample }, { reads_contents: hasFilters });
    const { limitUsd, resetInterval, includeByokInBudgets } = entity;
    const hasBudget = limitUsd !== null && resetInterval !== null && sample === 1;
    const work = this.guardrailReplays.workOf(job, {
      ...assigned,
      unsaved: assigned.unsaved!,
      id: entity.id,
      workspaceId: entity.workspaceId,
      budget: hasBudget ? { guardrailId: entity.id, limitUsd, resetInterval, includeByokInBudgets } : null,
      hasFilters,
    });
    this.runner.begin(job, work);
    return { data: await this.shown(job) };
  }

  /**
   * Begins a replay of a limit by condition and group, as it is stored or with changes.
   *
   * @throws LimitNotFound, and ReplayRunning while one of the organization runs
   * @throws ConcurrentLimitNotReplayable
   * @throws BadRequestError for a span that is not one of the past, and for changes that an update would refuse
   */
  async beginOfLimit(
    caller: ManagementPrincipal,
    limitId: string,
    { from, to, sample = 1, draft = {} }: ReplayLimitRequest,
  ): Promise<ReplayLimitResponse> {
    const span = spanOf(from, to);
    const replayed = await insideField('draft', this.limits.tried(caller.organizationId, limitId, draft));
    const { id, measure } = replayed.limit.row;
    if (measure === 'concurrent') throw new ConcurrentLimitNotReplayable();
    const job = await this.inserted(caller, { guardrailId: null, limitId: id, ...span, sample });
    this.runner.begin(job, new LimitReplay(job, replayed));
    return { data: await this.shown(job) };
  }

  async list({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListReplaysResponse> {
    await this.repository.giveUpDead(organizationId);
    const page = await this.repository.page(organizationId, toPageRequest(input));
    const ids = page.items.flatMap(({ result }) => result?.keys.map(({ keyId }) => keyId) ?? []);
    const keys = await this.repository.keys(organizationId, ids);
    return toPageResponse(page, (job) => toReplayResponse(job, keys));
  }

  /** @throws ReplayNotFound also for an id that is not a UUID */
  async get({ organizationId }: ManagementPrincipal, id: string): Promise<GetReplayResponse> {
    await this.repository.giveUpDead(organizationId);
    return { data: await this.shown(await this.find(organizationId, id)) };
  }

  /** Cancels a replay; one that has ended stays as it is. @throws ReplayNotFound */
  async cancel(caller: ManagementPrincipal, id: string): Promise<CancelReplayResponse> {
    const { organizationId } = caller;
    await this.find(organizationId, id);
    await this.statements.transaction(async (tx) => {
      if ((await tx.write(CANCEL_REPLAY, [organizationId, id])) === 0) return;
      await this.audit.record(tx, organizationId, caller, { action: 'replay.cancel', targetId: id });
    });
    return { data: await this.shown(await this.find(organizationId, id)) };
  }

  /** Inserts a job that runs. @param audited what the audit trail says of it besides @throws ReplayRunning */
  private async inserted(
    caller: ManagementPrincipal,
    job: Pick<ReplayJobEntity, 'guardrailId' | 'limitId' | 'from' | 'to' | 'sample'>,
    audited: object = {},
  ): Promise<ReplayJobEntity> {
    const { organizationId, userId } = caller;
    await this.repository.giveUpDead(organizationId);
    const row = { organizationId, id: newUuid(), ...job, createdBy: userId };
    const running = { ...row, state: 'running' as const, readCount: 0, result: null, finishedAt: null };
    return this.statements.transaction(async (tx) => {
      const inserted = (await tx.first(INSERT_REPLAY, INSERT_REPLAY.values(running)))!;
      const { guardrailId, limitId, from, to, sample } = job;
      const fields = {
        guardrail_id: guardrailId,
        limit_id: limitId,
        from: from.toISOString(),
        to: to.toISOString(),
        sample,
      };
      const changes = created({ ...fields, ...audited });
      await this.audit.record(tx, organizationId, caller, { action: 'replay.create', targetId: row.id, changes });
      return { ...running, ...inserted };
    });
  }

  private async find(organizationId: string, id: string): Promise<ReplayJobEntity> {
    const job = isUuid(id) ? await this.repository.find(organizationId, id) : undefined;
    if (job === undefined) throw new ReplayNotFound();
    return job;
  }

  private async shown(job: ReplayJobEntity): Promise<Replay> {
    const ids = job.result?.keys.map(({ keyId }) => keyId) ?? [];
    return toReplayResponse(job, await this.repository.keys(job.organizationId, ids));
  }
}

/** @throws BadRequestError for a span that is not one of the past, or too long */
function spanOf(fromText: string, toText: string): Pick<ReplayJobEntity, 'from' | 'to'> {
  const [from, to] = [new Date(fromText), new Date(toText)];
  const span = to.getTime() - from.getTime();
  if (span > 0 && span <= LONGEST_SPAN && to.getTime() <= Date.now()) return { from, to };
  throw BadRequestError.of([INVALID_REPLAY_SPAN.at('to')]);
}
