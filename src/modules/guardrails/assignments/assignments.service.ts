import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import type { Page } from '../../../persistence/page-statement.js';
import { type Transaction, Statements } from '../../../persistence/statements.js';
import { Dialect } from '../../../http/dialect/dialect.js';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { type IssueWithReason, joinPath } from '../../../http/errors/issue.js';
import { requireNoIssues } from '../../../http/errors/require-all.js';
import { type PageQuery, toPageRequest, toPageResponse } from '../../../http/pagination/pagination.js';
import type { AuditedChanges } from '../../audit/audited-event.js';
import { AuditTrail } from '../../audit/audit-trail.js';
import { KeyNotFound } from '../../keys/keys.errors.js';
import { KeysService } from '../../keys/keys.service.js';
import { toKeyAssignmentResponse, toMemberAssignmentResponse } from '../guardrails.mapper.js';
import {
  type AssignmentKind,
  AssignmentsRepository,
  type AssignmentTable,
  KEY_ASSIGNMENTS,
  MEMBER_ASSIGNMENTS,
} from './assignments.repository.js';
import { isDefaultGuardrail } from '../guardrail-settings.js';
import type {
  AssignedCount,
  ListKeyAssignmentsResponse,
  ListMemberAssignmentsResponse,
  UnassignedCount,
} from './assignment.dto.js';
import type { GuardrailPath } from '../dto/guardrail.dto.js';
import {
  DEFAULT_GUARDRAIL_NOT_ASSIGNABLE,
  GuardrailNotFound,
  MemberNotFound,
  OlderReplicas,
  OTHER_WORKSPACE,
} from '../guardrails.errors.js';
import { GuardrailsService } from '../guardrails.service.js';

/** A page of the assignments of one guardrail, or of all. */
type AssignmentsQuery = PageQuery & Partial<GuardrailPath>;

/** The references of the request by the column that assignments store: the id of a key, or a user. */
type ReferencesBySubject = ReadonlyMap<string, string>;

const FIELDS: Readonly<Record<AssignmentKind, string>> = { key: 'key_hashes', member: 'member_user_ids' };

/** How long a rollout may take until it is worthwhile to ask again, in seconds. */
const RETRY_AFTER_OLDER_REPLICAS_SECONDS = 30;

/** Guardrail assignments: of keys, which have at most one, and of members, who have at most one for each workspace. */
@Injectable()
export class AssignmentsService {
  constructor(
    private readonly repository: AssignmentsRepository,
    private readonly guardrails: GuardrailsService,
    private readonly keys: KeysService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
    private readonly dialect: Dialect,
  ) {}

  /**
   * Assigns a guardrail to all keys or members or to none, in place of the guardrail that keys have, and of the one that members have for the
   * same workspace.
   *
   * @param references hashes of keys or users, as the request names them
   * @throws GuardrailNotFound
   * @throws KeyNotFound when a hash belongs to no API key of the organization
   * @throws MemberNotFound when a user is not a member of the organization
   * @returns how many assignments were made; in the public dialect how many of the request there are now, none where all hashes are unknown
   * @throws OlderReplicas for members, while replicas run that would not obey it
   * @throws BadRequestError for a default guardrail, and in the public dialect for keys and members of another workspace
   */
  async assign(
    caller: ManagementPrincipal,
    guardrailId: string,
    kind: AssignmentKind,
    references: readonly string[],
  ): Promise<AssignedCount> {
    const { organizationId } = caller;
    const guardrail = await this.guardrails.find(organizationId, guardrailId);
    if (isDefaultGuardrail(guardrail)) throw BadRequestError.of([DEFAULT_GUARDRAIL_NOT_ASSIGNABLE.at('id')]);
    const { id, workspaceId } = guardrail;
    return this.statements.transaction(async (tx) => {
      if (!(await this.repository.lockForKeyShare(tx, organizationId, id))) throw new GuardrailNotFound();
      if (await this.areSkipped(tx, organizationId, kind, references)) return { assigned_count: 0 };
      const names = await this.lock(tx, organizationId, kind, references);
      if (this.dialect.isPublic && workspaceId !== null) {
        const outside = await this.repository.outside(
          tx,
          organizationId,
          { kind, subjects: [...names.keys()] },
          workspaceId,
        );
        requireNoIssues(outsideIssues(kind, references, names, outside));
      }
      const given = { guardrailId: id, kind, subjects: [...names.keys()] };
      const replaced = await this.repository.deleteOthers(tx, organizationId, given);
      const changed = await this.repository.insert(tx, organizationId, given, caller.userId);
      if (kind === 'member' && changed.length > 0 && (await this.repository.hasOlderReplicas(tx))) {
        throw new OlderReplicas(RETRY_AFTER_OLDER_REPLICAS_SECONDS);
      }
      const counted = { assigned_count: this.dialect.isPublic ? names.size : changed.length };
      if (changed.length === 0) return counted;
      await this.record(tx, caller, `guardrail.assign_${kind}s`, id, {
        [FIELDS[kind]]: { after: changed.map((subject) => names.get(subject)) },
        ...(replaced.length > 0 && {
          replaced_guardrails: {
            before: Object.fromEntries(replaced.map((taken) => [names.get(taken.subject), taken.guardrailId])),
          },
        }),
      });
      return counted;
    });
  }

  /**
   * Removes the guardrail from the keys or members that have it.
   *
   * @param references hashes of keys or users, as the request names them
   * @throws GuardrailNotFound
   * @throws KeyNotFound when a hash belongs to no API key of the organization
   * @throws MemberNotFound when a user is not a member of the organization
   */
  async unassign(
    caller: ManagementPrincipal,
    guardrailId: string,
    kind: AssignmentKind,
    references: readonly string[],
  ): Promise<UnassignedCount> {
    const { organizationId } = caller;
    const { id } = await this.guardrails.find(organizationId, guardrailId);
    return this.statements.transaction(async (tx) => {
      if (await this.areSkipped(tx, organizationId, kind, references)) return { unassigned_count: 0 };
      const names = await this.lock(tx, organizationId, kind, references);
      const taken = { guardrailId: id, kind, subjects: [...names.keys()] };
      const changed = await this.repository.delete(tx, organizationId, taken);
      if (changed.length === 0) return { unassigned_count: 0 };
      await this.record(tx, caller, `guardrail.unassign_${kind}s`, id, {
        [FIELDS[kind]]: { before: changed.map((subject) => names.get(subject)) },
      });
      return { unassigned_count: changed.length };
    });
  }

  /**
   * Lists the keys that have a guardrail, of one guardrail or of all, oldest assignment first.
   *
   * @throws GuardrailNotFound
   */
  async listKeys(caller: ManagementPrincipal, input: AssignmentsQuery): Promise<ListKeyAssignmentsResponse> {
    return toPageResponse(await this.page(KEY_ASSIGNMENTS, caller, input), toKeyAssignmentResponse);
  }

  /**
   * Lists the members that have a guardrail, of one guardrail or of all, oldest assignment first.
   *
   * @throws GuardrailNotFound
   */
  async listMembers(caller: ManagementPrincipal, input: AssignmentsQuery): Promise<ListMemberAssignmentsResponse> {
    return toPageResponse(await this.page(MEMBER_ASSIGNMENTS, caller, input), toMemberAssignmentResponse);
  }

  private async page<Listed extends object>(
    table: AssignmentTable<Listed>,
    { organizationId }: ManagementPrincipal,
    input: AssignmentsQuery,
  ): Promise<Page<Listed>> {
    const guardrail = input.id === undefined ? undefined : await this.guardrails.find(organizationId, input.id);
    return this.repository.page(table, organizationId, guardrail?.id, toPageRequest(input));
  }

  /**
   * Locks the subjects of the references, so that no other transaction assigns to them.
   *
   * @throws KeyNotFound, MemberNotFound when one of them does not exist
   */
  private async lock(
    tx: Transaction,
    organizationId: string,
    kind: AssignmentKind,
    references: readonly string[],
  ): Promise<ReferencesBySubject> {
    const names = kind === 'key' ? await this.keysOf(tx, organizationId, references) : usersOf(references);
    const subjects = [...names.keys()];
    const locked = await this.repository.lockForNoKeyUpdate(tx, organizationId, { kind, subjects });
    if (locked.length < subjects.length) throw kind === 'key' ? new KeyNotFound() : new MemberNotFound();
    return names;
  }

  private async keysOf(
    tx: Transaction,
    organizationId: string,
    hashes: readonly string[],
  ): Promise<ReferencesBySubject> {
    const known = await this.keys.byHashes(tx, organizationId, [...new Set(hashes)]);
    if (hashes.some((hash) => !known.has(hash))) throw new KeyNotFound();
    return new Map([...known.values()].map(({ id, hash }) => [id, hash]));
  }

  /** Whether they are hashes all of which are unknown, which the public dialect does not refuse. */
  private async areSkipped(
    tx: Transaction,
    organizationId: string,
    kind: AssignmentKind,
    references: readonly string[],
  ): Promise<boolean> {
    if (!this.dialect.isPublic || kind !== 'key') return false;
    return (await this.keys.byHashes(tx, organizationId, [...new Set(references)])).size === 0;
  }

  private async record(
    tx: Transaction,
    caller: ManagementPrincipal,
    action: string,
    guardrailId: string,
    changes: AuditedChanges,
  ): Promise<void> {
    await this.audit.record(tx, caller.organizationId, caller, { action, targetId: guardrailId, changes });
  }
}

/** An issue for each subject of another workspace, at its reference; one that was found by an earlier hash of its key is at the list. */
function outsideIssues(
  kind: AssignmentKind,
  references: readonly string[],
  names: ReferencesBySubject,
  outside: ReadonlySet<string>,
): IssueWithReason[] {
  const places = new Map(references.map((reference, index) => [reference, joinPath(FIELDS[kind], index)]));
  return [...outside].map((subject) => OTHER_WORKSPACE.at(places.get(names.get(subject)!) ?? FIELDS[kind], kind));
}

function usersOf(references: readonly string[]): ReferencesBySubject {
  return new Map(references.map((userId) => [userId, userId]));
}
