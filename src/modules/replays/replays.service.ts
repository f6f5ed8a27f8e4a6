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
import { GuardrailsService } from '../guardrails/guardrails.service.js';
import type {
  CancelReplayResponse,
  GetReplayResponse,
  ListReplaysResponse,
  Replay,
  ReplayGuardrailRequest,
  ReplayGuardrailResponse,
} from './dto/replay.dto.js';
import type { ReplayJobEntity } from './entities/replay-job.entity.js';
import { ReplayRunner } from './replay-runner.service.js';
import { INVALID_REPLAY_SPAN, ReplayNotFound } from './replays.errors.js';
import { toReplayResponse } from './replays.mapper.js';
import { CANCEL_REPLAY, INSERT_REPLAY, ReplaysRepository } from './replays.repository.js';

/** The longest span of a replay, in milliseconds: 31 days. */
const LONGEST_SPAN = 31 * 86_400_000;

/** Replays of guardrails over recorded traffic (docs/interface/replays.md). */
@Injectable()
export class ReplaysService {
  constructor(
    private readonly repository: ReplaysRepository,
    private readonly runner: ReplayRunner,
    private readonly guardrails: GuardrailsService,
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
    { from: fromText, to: toText, sample = 1, draft = {} }: ReplayGuardrailRequest,
  ): Promise<ReplayGuardrailResponse> {
    const { organizationId, userId } = caller;
    const [from, to] = [new Date(fromText), new Date(toText)];
    const span = to.getTime() - from.getTime();
    if (span <= 0 || span > LONGEST_SPAN || to.getTime() > Date.now()) {
      throw BadRequestError.of([INVALID_REPLAY_SPAN.at('to')]);
    }
    const observing = { ...draft, enforcement: 'observe' as const };
    const tried = await insideField('draft', this.guardrails.assignedEntity(organizationId, guardrailId, observing));
    const { entity, assigned } = tried;
    const hasFilters = (entity.contentFilterBuiltins?.length ?? 0) + (entity.contentFilters?.length ?? 0) > 0;
    if (hasFilters) requirePermissions(caller, ['content_read']);
    await this.repository.giveUpDead(organizationId);
    const row = { organizationId, id: newUuid(), guardrailId: entity.id, from, to, sample, createdBy: userId };
    const running = { ...row, state: 'running' as const, readCount: 0, result: null, finishedAt: null };
    const job = await this.statements.transaction(async (tx) => {
      const inserted = (await tx.first(INSERT_REPLAY, INSERT_REPLAY.values(running)))!;
      const fields = { guardrail_id: entity.id, from: from.toISOString(), to: to.toISOString(), sample };
      const changes = created({ ...fields, reads_contents: hasFilters });
      await this.audit.record(tx, organizationId, caller, { action: 'replay.create', targetId: row.id, changes });
      return { ...running, ...inserted };
    });
    const { limitUsd, resetInterval, includeByokInBudgets } = entity;
    const hasBudget = limitUsd !== null && resetInterval !== null && sample === 1;
    this.runner.begin(job, {
      ...assigned,
      unsaved: assigned.unsaved!,
      id: entity.id,
      workspaceId: entity.workspaceId,
      budget: hasBudget ? { guardrailId: entity.id, limitUsd, resetInterval, includeByokInBudgets } : null,
      hasFilters,
    });
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
