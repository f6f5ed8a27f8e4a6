import { Environment } from '../../config/environment.js';
import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { isUuid, newUuid } from '../../persistence/identifiers.js';
import { type StatementRunner, type Transaction, Statements } from '../../persistence/statements.js';
import { BadRequestError } from '../../http/errors/bad-request-error.js';
import { withEntityTag } from '../../http/entity-tags.js';
import { Precondition } from '../../http/precondition.js';
import { requireAll, requireNoIssues } from '../../http/errors/require-all.js';
import { toPageResponse, toPageRequest } from '../../http/pagination/pagination.js';
import { Quotas } from '../organization-limits/quotas.js';
import { WorkspaceLookupService } from '../workspaces/workspace-lookup.service.js';
import { ID_OF_NEW_GUARDRAIL, type UnsavedGuardrail, unsavedGuardrail } from './effective-policy/unsaved-guardrail.js';
import {
  type GuardrailSettings,
  implicitDefaultGuardrail,
  initialSettings,
  isDefaultGuardrail,
  withInput,
} from './guardrail-settings.js';
import type {
  CreateGuardrailRequest,
  CreateGuardrailResponse,
  DeleteGuardrailResponse,
  GetGuardrailResponse,
  Guardrail,
  GuardrailPath,
  ListGuardrailsQuery,
  ListGuardrailsResponse,
  UpdateGuardrailRequest,
  UpdateGuardrailResponse,
} from './dto/guardrail.dto.js';
import type { GuardrailEntity } from './entities/guardrail.entity.js';
import { GuardrailReferences, type ResolvedReferences } from './guardrail-references.js';
import { limitWithInterval } from './guardrail-rules.js';
import { DEFAULT_GUARDRAIL_NOT_DELETABLE, GuardrailNotFound } from './guardrails.errors.js';
import { toGuardrailResponse } from './guardrails.mapper.js';
import {
  GUARDRAILS,
  GUARDRAILS_NAMING_INSPECTOR,
  GuardrailsRepository,
  KEYS_HAVING_GUARDRAIL,
} from './guardrails.repository.js';

/** What decides about an assignment of a guardrail. */
export interface AssignedGuardrail {
  /** The guardrail, if it is not stored as it is tried; null for a stored one. */
  readonly unsaved: UnsavedGuardrail | null;
  /** The id that an assignment would name; null for a default guardrail, which has no assignments. */
  readonly assignedId: string | null;
  /** The workspace where a default guardrail applies; null for every other guardrail. */
  readonly workspaceOfDefault: string | null;
  /** Its workspace; null for a legacy guardrail of none. */
  readonly workspaceId: string | null;
}

/** Guardrails: policies over models, providers, data retention, spending and content. */
@Injectable()
export class GuardrailsService {
  constructor(
    private readonly repository: GuardrailsRepository,
    private readonly references: GuardrailReferences,
    private readonly workspaces: WorkspaceLookupService,
    private readonly statements: Statements,
    private readonly quotas: Quotas,
    private readonly environment: Environment,
  ) {}

  /**
   * Creates a guardrail, which has no effect until it is assigned (docs/interface/guardrails.md#creating).
   *
   * @throws BadRequestError for an unknown workspace, model or provider, and for a deleted default workspace
   */
  async create(caller: ManagementPrincipal, input: CreateGuardrailRequest): Promise<CreateGuardrailResponse> {
    const { organizationId } = caller;
    const settings = await this.newSettings(organizationId, input);
    await this.quotas.requireBelowQuota(organizationId, GUARDRAILS.quota);

    const row = { id: newUuid(), organizationId, ...settings, updatedAt: null };
    if (row.inspectorIds === null) return this.shown(await GUARDRAILS.create(this.statements, caller, row));
    const guardrail = await this.statements.transaction(async (tx) => {
      requireNoIssues(await this.references.inspectorIssues(organizationId, input.inspector_ids, tx));
      return GUARDRAILS.create(tx, caller, row);
    });
    return this.shown(guardrail);
  }

  /**
   * Lists the guardrails of a workspace, oldest first. An unknown workspace, or one of another organization, has none.
   * The default guardrail is listed once it is stored.
   */
  async list(caller: ManagementPrincipal, input: ListGuardrailsQuery): Promise<ListGuardrailsResponse> {
    const page = await this.repository.page(caller.organizationId, input.workspace_id, toPageRequest(input));
    return toPageResponse(page, (guardrail) => this.toResponse(guardrail));
  }

  /**
   * Returns a guardrail, also a default guardrail that is not stored yet.
   *
   * @throws GuardrailNotFound also for an id that is not a UUID
   */
  async get(caller: ManagementPrincipal, input: GuardrailPath): Promise<GetGuardrailResponse> {
    return this.shown(await this.find(caller.organizationId, input.id));
  }

  /**
   * Changes the fields in the request; without a change nothing is written. A default guardrail is stored with its
   * first change.
   *
   * @throws GuardrailNotFound
   * @throws BadRequestError for an unknown model or provider, and for a limit without an interval in the result
   */
  async update(
    caller: ManagementPrincipal,
    input: GuardrailPath & UpdateGuardrailRequest,
    precondition = Precondition.NONE,
  ): Promise<UpdateGuardrailResponse> {
    if (!isUuid(input.id)) throw new GuardrailNotFound();
    const references = await this.references.resolve(caller.organizationId, input);
    const guardrail = await this.statements.transaction((tx) =>
      this.change(tx, caller, input, { ...references, precondition }),
    );
    return this.shown(guardrail);
  }

  /**
   * Deletes a guardrail and its assignments.
   *
   * @throws GuardrailNotFound
   * @throws BadRequestError for a default guardrail
   */
  async delete(
    caller: ManagementPrincipal,
    { id }: GuardrailPath,
    precondition = Precondition.NONE,
  ): Promise<DeleteGuardrailResponse> {
    const { organizationId } = caller;
    if (!isUuid(id)) throw new GuardrailNotFound();
    const remove = async (runner: StatementRunner): Promise<DeleteGuardrailResponse> => {
      if (await GUARDRAILS.remove(runner, caller, id)) return { deleted: true };
      // A guardrail that exists but was not deleted is a default guardrail.
      await this.find(organizationId, id);
      throw BadRequestError.of([DEFAULT_GUARDRAIL_NOT_DELETABLE.at('id')]);
    };
    if (!precondition.isGiven) return remove(this.statements.bulk);
    return this.statements.bulk.transaction(async (tx) => {
      const stored = await GUARDRAILS.lock(tx, organizationId, id);
      precondition.require(GUARDRAILS.tagOf(stored ?? (await this.implicitDefault(tx, organizationId, id))));
      return remove(tx);
    });
  }

  /**
   * Finds a guardrail of the organization, also a default guardrail that is not stored yet.
   *
   * @throws GuardrailNotFound also for an id that is not a UUID
   */
  async find(organizationId: string, id: string): Promise<GuardrailEntity> {
    if (!isUuid(id)) throw new GuardrailNotFound();
    const guardrail = await GUARDRAILS.find(this.statements, organizationId, id);
    if (guardrail !== undefined) return guardrail;
    const workspace = await this.repository.workspaceOfDefault(organizationId, id);
    if (workspace === undefined) throw new GuardrailNotFound();
    return implicitDefaultGuardrail(workspace);
  }

  /**
   * What would be assigned, if a guardrail were. Nothing is written.
   *
   * @param changes what an update would change in it before
   * @throws GuardrailNotFound also for an id that is not a UUID
   * @throws BadRequestError for changes that an update would refuse
   */
  async assigned(organizationId: string, id: string, changes?: UpdateGuardrailRequest): Promise<AssignedGuardrail> {
    return (await this.assignedEntity(organizationId, id, changes)).assigned;
  }

  /** What would be assigned, as {@link assigned} has it, with the guardrail itself: with the changes, and as it is stored. */
  async assignedEntity(
    organizationId: string,
    id: string,
    changes?: UpdateGuardrailRequest,
  ): Promise<{
    readonly assigned: AssignedGuardrail;
    readonly entity: GuardrailEntity;
    readonly stored: GuardrailEntity;
  }> {
    const stored = await this.find(organizationId, id);
    const guardrail =
      changes === undefined ? stored : changed(stored, changes, await this.references.resolve(organizationId, changes));
    const unsaved = changes === undefined ? null : unsavedGuardrail(guardrail);
    const assigned = isDefaultGuardrail(guardrail)
      ? { assignedId: null, workspaceOfDefault: guardrail.workspaceId, workspaceId: guardrail.workspaceId, unsaved }
      : { assignedId: guardrail.id, workspaceOfDefault: null, workspaceId: guardrail.workspaceId, unsaved };
    return { assigned, entity: guardrail, stored };
  }

  /** The ids of the keys that have a guardrail as it is stored: assigned to them, or to their owners. */
  async keysHaving(organizationId: string, guardrailId: string): Promise<ReadonlySet<string>> {
    const keys = await this.statements.rows(KEYS_HAVING_GUARDRAIL, [organizationId, guardrailId]);
    return new Set(keys.map(({ id }) => id));
  }

  /** The guardrails that name an inspector, as they are stored. */
  async naming(organizationId: string, inspectorId: string): Promise<readonly AssignedGuardrail[]> {
    const guardrails = await this.statements.rows(GUARDRAILS_NAMING_INSPECTOR, [organizationId, inspectorId]);
    const assigned: AssignedGuardrail[] = [];
    for (const { id } of guardrails) assigned.push(await this.assigned(organizationId, id));
    return assigned;
  }

  /**
   * What would be assigned, if a guardrail were created and assigned. Nothing is written, so it counts toward no quota.
   *
   * @throws BadRequestError for an unknown workspace, model or provider, and for a deleted default workspace
   */
  async assignedNew(organizationId: string, input: CreateGuardrailRequest): Promise<AssignedGuardrail> {
    const settings = await this.newSettings(organizationId, input);
    const row = { id: ID_OF_NEW_GUARDRAIL, organizationId, ...settings, createdAt: new Date(), updatedAt: null };
    const { id: assignedId, workspaceId } = row;
    return { assignedId, workspaceOfDefault: null, workspaceId, unsaved: unsavedGuardrail(row) };
  }

  private async newSettings(
    organizationId: string,
    input: CreateGuardrailRequest,
  ): Promise<GuardrailSettings & { readonly workspaceId: string }> {
    const [workspaceId, lists] = await requireAll([
      this.workspaces.idFor(organizationId, input.workspace_id),
      this.references.require(organizationId, input),
    ]);
    return { workspaceId, ...withInput(initialSettings(input), input, lists) };
  }

  private async change(
    tx: Transaction,
    caller: ManagementPrincipal,
    input: GuardrailPath & UpdateGuardrailRequest,
    references: ResolvedReferences & { readonly precondition: Precondition },
  ): Promise<GuardrailEntity> {
    const inspectorIssues = await this.references.inspectorIssues(caller.organizationId, input.inspector_ids, tx);
    const stored = await GUARDRAILS.lock(tx, caller.organizationId, input.id);
    const before = stored ?? (await this.implicitDefault(tx, caller.organizationId, input.id));
    references.precondition.require(GUARDRAILS.tagOf(before));
    const after = changed(before, input, references);
    // One may have been deleted since it was looked for.
    requireNoIssues(inspectorIssues);
    if (stored === undefined) {
      if (isDeepStrictEqual(after, before)) return before;
      await this.repository.insertIfAbsent(tx, before);
      // Another request may have stored and changed it since.
      return this.change(tx, caller, input, references);
    }
    return GUARDRAILS.update(tx, caller, before, after);
  }

  private shown(guardrail: GuardrailEntity): GetGuardrailResponse {
    return withEntityTag({ data: this.toResponse(guardrail) }, GUARDRAILS.tagOf(guardrail));
  }

  private toResponse(guardrail: GuardrailEntity): Guardrail {
    return toGuardrailResponse(guardrail, this.environment.contentClassifierUrl !== undefined);
  }

  private async implicitDefault(tx: Transaction, organizationId: string, id: string): Promise<GuardrailEntity> {
    const workspace = await this.repository.lockWorkspaceOfDefaultForKeyShare(tx, organizationId, id);
    if (workspace === undefined) throw new GuardrailNotFound();
    return implicitDefaultGuardrail(workspace);
  }
}

/** A guardrail with the changes of a request. @throws BadRequestError if it must not be so */
function changed(
  before: GuardrailEntity,
  input: UpdateGuardrailRequest,
  { lists, issues }: ResolvedReferences,
): GuardrailEntity {
  const after = withInput(before, input, lists);
  const { limitUsd: limit_usd, resetInterval: reset_interval } = after;
  requireNoIssues([...limitWithInterval({ limit_usd, reset_interval }), ...issues]);
  return after;
}
