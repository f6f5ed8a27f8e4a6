import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { Environment } from '../../config/environment.js';
import type { IssueWithReason } from '../../http/errors/issue.js';
import { requireNoIssues } from '../../http/errors/require-all.js';
import { toPageRequest, toPageResponse } from '../../http/pagination/pagination.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { Statements } from '../../persistence/statements.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { created, deleted } from '../audit/audited-event.js';
import { Quotas } from '../organization-limits/quotas.js';
import { combinationOf } from './combination.js';
import type {
  CreateLimitExceptionRequest,
  CreateLimitExceptionResponse,
  DeleteLimitExceptionResponse,
  LimitException,
  LimitExceptionPath,
  LimitPath,
  ListLimitExceptionsQuery,
  ListLimitExceptionsResponse,
} from './dto/limit.dto.js';
import { issuesOfAmount } from './dto/limit-rules.js';
import type { LimitEntity, LimitExceptionEntity } from './entities/limit.entity.js';
import { LimitExceptionNotFound } from './limits.errors.js';
import {
  COUNT_EXCEPTIONS,
  DELETE_EXCEPTION,
  INSERT_EXCEPTION,
  LIMIT_EXCEPTIONS_PAGE,
  LIMITS,
  RENEW_LIMIT_VERSION,
} from './limits.repository.js';

/** Other amounts for some combinations of limits, also for a time (docs/interface/limits.md#exceptions). */
@Injectable()
export class LimitExceptionsService {
  constructor(
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly environment: Environment,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates an exception, which holds for each request that comes after the answer.
   *
   * @throws LimitNotFound
   * @throws BadRequestError for values that are not those of the keys the limit groups by, an end that is past, and beyond the quota
   * @throws LimitExceptionExists
   */
  async create(
    caller: ManagementPrincipal,
    input: LimitPath & CreateLimitExceptionRequest,
  ): Promise<CreateLimitExceptionResponse> {
    const { organizationId } = caller;
    const most = this.environment.quotas.limit_exceptions;
    const made = await this.statements.transaction(async (tx) => {
      const limit = await LIMITS.hold(tx, organizationId, input.id);
      requireNoIssues(issuesOf(limit, input));
      const { count } = (await tx.first(COUNT_EXCEPTIONS, [organizationId, limit.id, most]))!;
      this.quotas.requireCountBelowQuota(count, 'limit_exceptions');
      const exception = {
        organizationId,
        id: newUuid(),
        limitId: limit.id,
        combination: combinationOf(limit.groupBy, input.values),
        values: input.values,
        amount: input.amount,
        until: input.until == null ? null : new Date(input.until),
      };
      const times = (await tx.first(INSERT_EXCEPTION, INSERT_EXCEPTION.values(exception)))!;
      await tx.write(RENEW_LIMIT_VERSION, [organizationId, limit.id]);
      await this.audit.record(tx, organizationId, caller, {
        action: 'limit_exception.create',
        targetId: exception.id,
        changes: created(auditedFieldsOf(exception)),
      });
      return { ...exception, ...times };
    });
    return { data: toExceptionResponse(made) };
  }

  /** Lists the exceptions of a limit, oldest first. @throws LimitNotFound */
  async list(
    caller: ManagementPrincipal,
    input: LimitPath & ListLimitExceptionsQuery,
  ): Promise<ListLimitExceptionsResponse> {
    const { id } = await LIMITS.get(this.statements, caller.organizationId, input.id);
    const page = await this.statements.page(LIMIT_EXCEPTIONS_PAGE, [caller.organizationId, id], toPageRequest(input));
    return toPageResponse(page, toExceptionResponse);
  }

  /** @throws LimitNotFound, LimitExceptionNotFound */
  async delete(
    caller: ManagementPrincipal,
    { id, exception_id: exceptionId }: LimitExceptionPath,
  ): Promise<DeleteLimitExceptionResponse> {
    const { organizationId } = caller;
    await this.statements.transaction(async (tx) => {
      const limit = await LIMITS.get(tx, organizationId, id);
      const removed = isUuid(exceptionId)
        ? await tx.first(DELETE_EXCEPTION, [organizationId, limit.id, exceptionId])
        : undefined;
      if (removed === undefined) throw new LimitExceptionNotFound();
      await tx.write(RENEW_LIMIT_VERSION, [organizationId, limit.id]);
      await this.audit.record(tx, organizationId, caller, {
        action: 'limit_exception.delete',
        targetId: removed.id,
        changes: deleted(auditedFieldsOf(removed)),
      });
    });
    return { deleted: true };
  }
}

function issuesOf({ groupBy, measure }: LimitEntity, input: CreateLimitExceptionRequest): IssueWithReason[] {
  const { values, amount, until = null } = input;
  const keys: ReadonlySet<string> = new Set(groupBy);
  return [
    ...groupBy
      .filter((key) => !Object.hasOwn(values, key))
      .map((key) => ({ path: `values.${key}`, message: 'must be given: the limit groups by it' })),
    ...Object.keys(values)
      .filter((key) => !keys.has(key))
      .map((key) => ({ path: `values.${key}`, message: 'must NOT be given: the limit does not group by it' })),
    ...issuesOfAmount(measure, amount),
    ...(until !== null && Date.parse(until) <= Date.now() ? [{ path: 'until', message: 'must be in the future' }] : []),
  ];
}

function auditedFieldsOf({
  limitId,
  values,
  amount,
  until,
}: Omit<LimitExceptionEntity, 'createdAt'>): Readonly<Record<string, unknown>> {
  return { limit_id: limitId, values, amount, until: until?.toISOString() ?? null };
}

function toExceptionResponse({ id, values, amount, until, createdAt }: LimitExceptionEntity): LimitException {
  return { id, values, amount, until: until?.toISOString() ?? null, created_at: createdAt.toISOString() };
}
