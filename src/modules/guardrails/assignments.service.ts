import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../auth/principal.js';
import { type StatementRunner, Statements } from '../../database/statements.js';
import { toPageResponse, windowOf } from '../../http/pagination/page.js';
import type { PageQuery } from '../../http/pagination/page-query.dto.js';
import { AuditTrail } from '../audit/audit-trail.js';
import type { AuditedChanges } from '../audit/audited-event.js';
import { KeyNotFound } from '../keys/keys.errors.js';
import { KeysService } from '../keys/keys.service.js';
import { toKeyAssignmentResponse, toMemberAssignmentResponse } from './assignments.mapper.js';
import { type AssignmentKind, AssignmentsRepository } from './assignments.repository.js';
import { isDefaultGuardrail } from './default-guardrail.js';
import type {
  BulkAssignKeysRequest,
  BulkAssignKeysResponse,
  BulkAssignMembersRequest,
  BulkAssignMembersResponse,
  BulkUnassignKeysRequest,
  BulkUnassignKeysResponse,
  BulkUnassignMembersRequest,
  BulkUnassignMembersResponse,
  ListKeyAssignmentsResponse,
  ListMemberAssignmentsResponse,
} from './dto/assignment.dto.js';
import type { GuardrailPath } from './dto/guardrail-path.dto.js';
import { DefaultGuardrailNotAssignable, GuardrailNotFound, MemberNotFound } from './guardrails.errors.js';
import { GuardrailsService } from './guardrails.service.js';

/** Which guardrail to give to what, or to take from it. */
interface Assigning {
  readonly guardrailId: string;
  readonly kind: AssignmentKind;
  /** Hashes of keys or users, as the request names them. */
  readonly references: readonly string[];
}

/** What the request names, by what the assignments name: the id of a key, or a user. */
type Names = ReadonlyMap<string, string>;

const FIELDS: Readonly<Record<AssignmentKind, string>> = { key: 'key_hashes', member: 'member_user_ids' };

/** Which keys and which members of the organization have which guardrail; each has at most one. */
@Injectable()
export class AssignmentsService {
  constructor(
    private readonly repository: AssignmentsRepository,
    private readonly guardrails: GuardrailsService,
    private readonly keys: KeysService,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /**
   * Gives keys a guardrail, in place of what each has: all of them or none.
   *
   * @throws GuardrailNotFound
   * @throws KeyNotFound when any of the hashes is no API key's of the organization
   * @throws DefaultGuardrailNotAssignable
   */
  async assignKeys(
    caller: ManagementPrincipal,
    input: GuardrailPath & BulkAssignKeysRequest,
  ): Promise<BulkAssignKeysResponse> {
    const assigning = { guardrailId: input.id, kind: 'key', references: input.key_hashes } as const;
    return { assigned_count: await this.assign(caller, assigning) };
  }

  /**
   * Takes a guardrail from those of the keys that have it.
   *
   * @throws GuardrailNotFound
   * @throws KeyNotFound when any of the hashes is no API key's of the organization
   */
  async unassignKeys(
    caller: ManagementPrincipal,
    input: GuardrailPath & BulkUnassignKeysRequest,
  ): Promise<BulkUnassignKeysResponse> {
    const assigning = { guardrailId: input.id, kind: 'key', references: input.key_hashes } as const;
    return { unassigned_count: await this.unassign(caller, assigning) };
  }

  /**
   * Gives members of the organization a guardrail, in place of what each has: all of them or none.
   *
   * @throws GuardrailNotFound
   * @throws MemberNotFound when any of the users is not a member
   * @throws DefaultGuardrailNotAssignable
   */
  async assignMembers(
    caller: ManagementPrincipal,
    input: GuardrailPath & BulkAssignMembersRequest,
  ): Promise<BulkAssignMembersResponse> {
    const assigning = { guardrailId: input.id, kind: 'member', references: input.member_user_ids } as const;
    return { assigned_count: await this.assign(caller, assigning) };
  }

  /**
   * Takes a guardrail from those of the members that have it.
   *
   * @throws GuardrailNotFound
   * @throws MemberNotFound when any of the users is not a member
   */
  async unassignMembers(
    caller: ManagementPrincipal,
    input: GuardrailPath & BulkUnassignMembersRequest,
  ): Promise<BulkUnassignMembersResponse> {
    const assigning = { guardrailId: input.id, kind: 'member', references: input.member_user_ids } as const;
    return { unassigned_count: await this.unassign(caller, assigning) };
  }

  /** Lists which keys have which guardrail, oldest assignment first. */
  async listKeys({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListKeyAssignmentsResponse> {
    const page = await this.repository.keyPage(organizationId, undefined, windowOf(input));
    return toPageResponse(page, toKeyAssignmentResponse);
  }

  /** Lists which members have which guardrail, oldest assignment first. */
  async listMembers({ organizationId }: ManagementPrincipal, input: PageQuery): Promise<ListMemberAssignmentsResponse> {
    const page = await this.repository.memberPage(organizationId, undefined, windowOf(input));
    return toPageResponse(page, toMemberAssignmentResponse);
  }

  /**
   * Lists the keys that have a guardrail, oldest assignment first.
   *
   * @throws GuardrailNotFound
   */
  async listKeysOf(
    { organizationId }: ManagementPrincipal,
    input: GuardrailPath & PageQuery,
  ): Promise<ListKeyAssignmentsResponse> {
    const { id } = await this.guardrails.find(organizationId, input.id);
    return toPageResponse(await this.repository.keyPage(organizationId, id, windowOf(input)), toKeyAssignmentResponse);
  }

  /**
   * Lists the members that have a guardrail, oldest assignment first.
   *
   * @throws GuardrailNotFound
   */
  async listMembersOf(
    { organizationId }: ManagementPrincipal,
    input: GuardrailPath & PageQuery,
  ): Promise<ListMemberAssignmentsResponse> {
    const { id } = await this.guardrails.find(organizationId, input.id);
    const page = await this.repository.memberPage(organizationId, id, windowOf(input));
    return toPageResponse(page, toMemberAssignmentResponse);
  }

  /** @returns how many have the guardrail now that had not */
  private async assign(caller: ManagementPrincipal, { guardrailId, kind, references }: Assigning): Promise<number> {
    const { organizationId } = caller;
    const guardrail = await this.guardrails.find(organizationId, guardrailId);
    if (isDefaultGuardrail(guardrail)) throw new DefaultGuardrailNotAssignable();
    const { id } = guardrail;
    return this.statements.transaction(async (on) => {
      if (!(await this.repository.keep(on, organizationId, id))) throw new GuardrailNotFound();
      const names = await this.lock(on, organizationId, kind, references);
      const given = { guardrailId: id, kind, subjects: [...names.keys()] };
      const replaced = await this.repository.removeOthers(on, organizationId, given);
      const changed = await this.repository.insert(on, organizationId, given, caller.userId);
      if (changed.length === 0) return 0;
      await this.record(on, caller, `guardrail.assign_${kind}s`, id, {
        [FIELDS[kind]]: { after: changed.map((subject) => names.get(subject)) },
        ...(replaced.length > 0 && {
          replaced_guardrails: {
            before: Object.fromEntries(replaced.map((taken) => [names.get(taken.subject), taken.guardrailId])),
          },
        }),
      });
      return changed.length;
    });
  }

  /** @returns how many had the guardrail */
  private async unassign(caller: ManagementPrincipal, { guardrailId, kind, references }: Assigning): Promise<number> {
    const { organizationId } = caller;
    const { id } = await this.guardrails.find(organizationId, guardrailId);
    return this.statements.transaction(async (on) => {
      const names = await this.lock(on, organizationId, kind, references);
      const taken = { guardrailId: id, kind, subjects: [...names.keys()] };
      const changed = await this.repository.remove(on, organizationId, taken);
      if (changed.length === 0) return 0;
      await this.record(on, caller, `guardrail.unassign_${kind}s`, id, {
        [FIELDS[kind]]: { before: changed.map((subject) => names.get(subject)) },
      });
      return changed.length;
    });
  }
  /**
   * Holds what the references name against everybody who assigns to it.
   *
   * @throws NotFoundError when there is nothing that one of them names
   */
  private async lock(
    on: StatementRunner,
    organizationId: string,
    kind: AssignmentKind,
    references: readonly string[],
  ): Promise<Names> {
    const names = kind === 'key' ? await this.keysOf(on, organizationId, references) : usersOf(references);
    const subjects = [...names.keys()];
    const locked = await this.repository.lock(on, organizationId, { kind, subjects });
    if (locked.length < subjects.length) throw kind === 'key' ? new KeyNotFound() : new MemberNotFound();
    return names;
  }

  private async keysOf(on: StatementRunner, organizationId: string, hashes: readonly string[]): Promise<Names> {
    const known = await this.keys.byHashes(on, organizationId, [...new Set(hashes)]);
    if (hashes.some((hash) => !known.has(hash))) throw new KeyNotFound();
    return new Map([...known.values()].map(({ id, hash }) => [id, hash]));
  }

  private async record(
    on: StatementRunner,
    caller: ManagementPrincipal,
    action: string,
    guardrailId: string,
    changes: AuditedChanges,
  ): Promise<void> {
    const target = { type: 'guardrail', id: guardrailId };
    await this.audit.record(on, caller.organizationId, caller, { action, target, changes });
  }
}

function usersOf(references: readonly string[]): Names {
  return new Map(references.map((userId) => [userId, userId]));
}
