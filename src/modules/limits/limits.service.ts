import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { type NamedPageQuery, toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { Precondition } from '../../http/precondition.js';
import { newUuid } from '../../persistence/identifiers.js';
import { shownTimes } from '../../persistence/rows/wire-fields.js';
import { Statements } from '../../persistence/statements.js';
import { Quotas } from '../organization-limits/quotas.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';
import type {
  CreateLimitRequest,
  CreateLimitResponse,
  DeleteLimitResponse,
  GetLimitResponse,
  Limit,
  LimitPath,
  LimitUse,
  ListLimitsResponse,
  ListLimitUsageQuery,
  ListLimitUsageResponse,
  UpdateLimitRequest,
  UpdateLimitResponse,
} from './dto/limit.dto.js';
import { issuesOfAmount } from './dto/limit-rules.js';
import { CompiledLimit } from './compiled-limit.js';
import type { LimitEntity } from './entities/limit.entity.js';
import { LEAVE_POPULATIONS } from './limit-counters.js';
import { countsByok } from './limit-vocabulary.js';
import { windowEndOf, windowStartOf } from './limit-windows.js';
import { EXCEPTIONS_IN_FORCE, LIMITS, LIMITS_PAGE, USED_COUNTERS, type UsedCounter } from './limits.repository.js';

/** Limits of organizations by condition and group (docs/interface/limits.md). */
@Injectable()
export class LimitsService {
  constructor(
    private readonly workspaces: WorkspaceLookupService,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates a limit. Requests that were admitted before are not refused by it.
   *
   * @throws BadRequestError for a workspace that the organization does not have, and beyond the quota
   */
  async create(caller: ManagementPrincipal, input: CreateLimitRequest): Promise<CreateLimitResponse> {
    const { organizationId } = caller;
    await this.quotas.requireBelowQuota(organizationId, LIMITS.quota);
    const requested = input.workspace_id ?? null;
    const workspaceId = requested === null ? null : await this.workspaces.idFor(organizationId, requested);
    const row = { organizationId, id: newUuid(), ...LIMITS.made(input), workspaceId };
    return shown(await LIMITS.create(this.statements, caller, row));
  }

  /** Lists the limits of the organization, oldest first. */
  async list(caller: ManagementPrincipal, input: NamedPageQuery): Promise<ListLimitsResponse> {
    const page = await this.statements.page(LIMITS_PAGE, [caller.organizationId], toPageRequest(input));
    return toPageResponse(page, toLimitResponse);
  }

  /** @throws LimitNotFound also for an id that is not a UUID */
  async get(caller: ManagementPrincipal, { id }: LimitPath): Promise<GetLimitResponse> {
    return shown(await LIMITS.get(this.statements, caller.organizationId, id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. It holds for each request that comes after the answer.
   *
   * @throws LimitNotFound
   * @throws PreconditionFailed
   * @throws BadRequestError for an amount that does not fit the measure
   */
  async update(
    caller: ManagementPrincipal,
    input: LimitPath & UpdateLimitRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateLimitResponse> {
    const changed = await this.statements.transaction(async (tx) => {
      const before = await LIMITS.hold(tx, caller.organizationId, input.id, precondition);
      requireNoIssues(input.amount === undefined ? [] : issuesOfAmount(before.measure, input.amount));
      return LIMITS.update(tx, caller, before, LIMITS.changed(before, input));
    });
    return shown(changed);
  }

  /**
   * A limit with changes that are not stored, and the amounts of its exceptions that are in force, by their combinations.
   *
   * @throws LimitNotFound
   * @throws BadRequestError for an amount that does not fit the measure
   */
  async tried(
    organizationId: string,
    id: string,
    changes: UpdateLimitRequest,
  ): Promise<{ readonly limit: CompiledLimit; readonly exceptions: ReadonlyMap<string, number> }> {
    const stored = await LIMITS.get(this.statements, organizationId, id);
    requireNoIssues(changes.amount === undefined ? [] : issuesOfAmount(stored.measure, changes.amount));
    const rows = await this.statements.rows(EXCEPTIONS_IN_FORCE, [organizationId, stored.id]);
    return {
      limit: new CompiledLimit(LIMITS.changed(stored, changes)),
      exceptions: new Map(rows.map(({ combination, amount }) => [combination, amount])),
    };
  }

  /** Lists what combinations have used of a limit in the present window, those first that have used most. @throws LimitNotFound */
  async usage(caller: ManagementPrincipal, input: LimitPath & ListLimitUsageQuery): Promise<ListLimitUsageResponse> {
    const limit = await LIMITS.get(this.statements, caller.organizationId, input.id);
    const start = windowStartOf(limit.window, new Date());
    const end = windowEndOf(limit.window, start);
    const values = [caller.organizationId, limit.id, start, countsByok(limit), limit.amount, end] as const;
    const page = await this.statements.page(USED_COUNTERS, [...values], toPageRequest(input));
    return toPageResponse(page, (used) => toUse(used, start, end));
  }

  /** Deletes a limit with its exceptions and what it has counted. @throws LimitNotFound, PreconditionFailed */
  async delete(
    caller: ManagementPrincipal,
    { id }: LimitPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteLimitResponse> {
    await this.statements.bulk.transaction(async (tx) => {
      const limit = await LIMITS.hold(tx, caller.organizationId, id, precondition);
      await tx.write(LEAVE_POPULATIONS, [caller.organizationId, limit.id]);
      await LIMITS.remove(tx, caller, limit.id);
    });
    return { deleted: true };
  }
}

function shown(limit: LimitEntity): GetLimitResponse {
  return withEntityTag({ data: toLimitResponse(limit) }, LIMITS.tagOf(limit));
}

/** What a combination has used in a window. @param end null for a window without one */
function toUse(counter: UsedCounter, start: Date, end: Date | null): LimitUse {
  const { values, amount, lastUsedAt, metAt } = counter;
  const [used, reserved] = [Number(counter.used), Number(counter.reserved)];
  return {
    values,
    amount,
    used,
    reserved,
    left: Math.max(0, amount - used - reserved),
    window_start: end === null ? null : start.toISOString(),
    resets_at: end?.toISOString() ?? null,
    forecast_met_at: metAt?.toISOString() ?? null,
    last_used_at: lastUsedAt.toISOString(),
  };
}

function toLimitResponse(limit: LimitEntity): Limit {
  return { ...LIMITS.shown(limit), ...shownTimes(limit) };
}
