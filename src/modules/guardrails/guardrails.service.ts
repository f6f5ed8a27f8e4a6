import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../database/identifiers.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { BadRequestError } from '../../http/errors/domain-error.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import { Quotas } from '../../limits/quotas.js';
import { AuditTrail } from '../audit/audit-trail.js';
import { type AuditTarget, created, updated } from '../audit/audited-event.js';
import { WorkspacesService } from '../workspaces/workspaces.service.js';
import { untouchedDefaultGuardrail } from './default-guardrail.js';
import type { CreateGuardrailRequest } from './dto/create-guardrail-request.dto.js';
import type { DeleteGuardrailResponse } from './dto/delete-guardrail-response.dto.js';
import type { GuardrailPath } from './dto/guardrail-path.dto.js';
import type {
  CreateGuardrailResponse,
  GetGuardrailResponse,
  ListGuardrailsResponse,
  UpdateGuardrailResponse,
} from './dto/guardrail.dto.js';
import type { ListGuardrailsQuery } from './dto/list-guardrails-query.dto.js';
import type { UpdateGuardrailRequest } from './dto/update-guardrail-request.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import { GuardrailReferences, type ResolvedReferences } from './guardrail-references.js';
import { limitWithInterval } from './guardrail-rules.js';
import { DefaultGuardrailNotDeletable, GuardrailNotFound } from './guardrails.errors.js';
import { toAuditedFields, toGuardrailResponse } from './guardrails.mapper.js';
import { GUARDRAILS_QUOTA, GuardrailsRepository } from './guardrails.repository.js';
import { newGuardrail } from './new-guardrail.js';
import { patchedGuardrail } from './patched-guardrail.js';

/** Guardrails: policies over models, providers, data retention, spending and content. */
@Injectable()
export class GuardrailsService {
  constructor(
    private readonly repository: GuardrailsRepository,
    private readonly references: GuardrailReferences,
    private readonly workspaces: WorkspacesService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly quotas: Quotas,
  ) {}

  /**
   * Creates a guardrail, which enforces nothing until it is assigned (SERVICE.md, section 4.1).
   *
   * @throws BadRequestError for a workspace, model or provider that there is not, and without a default workspace
   */
  async create(caller: ManagementPrincipal, input: CreateGuardrailRequest): Promise<CreateGuardrailResponse> {
    const { organizationId } = caller;
    const [workspaceId, { lists, issues }] = await Promise.all([
      this.workspaces.idFor(organizationId, input.workspace_id),
      this.references.resolve(input),
    ]);
    const faults = typeof workspaceId === 'string' ? issues : [workspaceId, ...issues];
    if (typeof workspaceId !== 'string' || faults.length > 0) throw BadRequestError.of(faults);
    await this.quotas.requireRoom(organizationId, GUARDRAILS_QUOTA);

    const row = newGuardrail({ id: newUuid(), organizationId, workspaceId }, input, lists);
    const event = { action: 'guardrail.create', target: target(row), changes: created(toAuditedFields(row)) };
    return { data: toGuardrailResponse(await this.repository.insert(row, caller, event)) };
  }

  /**
   * Lists the guardrails of a workspace, oldest first (SERVICE.md, section 4.2). A workspace that is not the caller's has
   * none. The default guardrail is among them once it is stored.
   */
  async list(caller: ManagementPrincipal, input: ListGuardrailsQuery): Promise<ListGuardrailsResponse> {
    const page = await this.repository.page(caller.organizationId, input.workspace_id, windowOf(input));
    return toPageResponse(page, toGuardrailResponse);
  }

  /**
   * One guardrail; the default guardrail of a workspace also before it is stored.
   *
   * @throws GuardrailNotFound also for an id that is not a UUID
   */
  async get(caller: ManagementPrincipal, input: GuardrailPath): Promise<GetGuardrailResponse> {
    return { data: toGuardrailResponse(await this.find(caller.organizationId, input.id)) };
  }

  /**
   * Changes what a request names. When that changes nothing, nothing is written. The default guardrail of a workspace is
   * stored when it is changed for the first time.
   *
   * @throws GuardrailNotFound
   * @throws BadRequestError for a model or provider that there is not, and for a limit without an interval in the result
   */
  async update(
    caller: ManagementPrincipal,
    input: GuardrailPath & UpdateGuardrailRequest,
  ): Promise<UpdateGuardrailResponse> {
    if (!isUuid(input.id)) throw new GuardrailNotFound();
    const references = await this.references.resolve(input);
    const guardrail = await this.statements.transaction((on) => this.change(on, caller, input, references));
    return { data: toGuardrailResponse(guardrail) };
  }

  /**
   * Deletes a guardrail and its assignments.
   *
   * @throws GuardrailNotFound
   * @throws DefaultGuardrailNotDeletable
   */
  async delete(caller: ManagementPrincipal, { id }: GuardrailPath): Promise<DeleteGuardrailResponse> {
    const { organizationId } = caller;
    const event = { action: 'guardrail.delete', target: target({ id: id.toLowerCase() }) };
    if (isUuid(id) && (await this.repository.delete(organizationId, id, caller, event))) return { deleted: true };
    // What there is and was not deleted is a default guardrail.
    await this.find(organizationId, id);
    throw new DefaultGuardrailNotDeletable();
  }

  /**
   * A guardrail of the organization; the default guardrail of a workspace also before it is stored.
   *
   * @throws GuardrailNotFound also for an id that is not a UUID
   */
  async find(organizationId: string, id: string): Promise<GuardrailEntity> {
    if (!isUuid(id)) throw new GuardrailNotFound();
    const guardrail = await this.repository.find(organizationId, id);
    if (guardrail !== undefined) return guardrail;
    const workspace = await this.repository.workspaceOfDefault(organizationId, id);
    if (workspace === undefined) throw new GuardrailNotFound();
    return untouchedDefaultGuardrail(workspace);
  }

  private async change(
    on: StatementRunner,
    caller: ManagementPrincipal,
    input: GuardrailPath & UpdateGuardrailRequest,
    references: ResolvedReferences,
  ): Promise<GuardrailEntity> {
    const stored = await this.repository.findForUpdate(on, caller.organizationId, input.id);
    const before = stored ?? (await this.untouchedDefault(on, caller.organizationId, input.id));
    const after = patchedGuardrail(before, input, references.lists);
    const { limitUsd: limit_usd, resetInterval: reset_interval } = after;
    const issues = [...limitWithInterval({ limit_usd, reset_interval }), ...references.issues];
    if (issues.length > 0) throw BadRequestError.of(issues);
    if (isDeepStrictEqual(after, before)) return before;
    if (stored === undefined) {
      await this.repository.insertOnce(on, before);
      // Somebody else may have been faster, and have changed it since.
      return this.change(on, caller, input, references);
    }
    const guardrail = await this.repository.update(on, after);
    const changes = updated(toAuditedFields(before), toAuditedFields(guardrail));
    await this.audit.record(on, caller.organizationId, caller, {
      action: 'guardrail.update',
      target: target(guardrail),
      changes,
    });
    return guardrail;
  }

  private async untouchedDefault(on: StatementRunner, organizationId: string, id: string): Promise<GuardrailEntity> {
    const workspace = await this.repository.keptWorkspaceOfDefault(on, organizationId, id);
    if (workspace === undefined) throw new GuardrailNotFound();
    return untouchedDefaultGuardrail(workspace);
  }
}

function target({ id }: Pick<GuardrailEntity, 'id'>): AuditTarget {
  return { type: 'guardrail', id };
}
