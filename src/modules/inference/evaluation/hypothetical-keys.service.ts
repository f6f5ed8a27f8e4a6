import { Injectable } from '@nestjs/common';
import { BadRequestError } from '../../../http/errors/bad-request-error.js';
import { newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import type { AssignedGuardrail } from '../../guardrails/guardrails.service.js';
import { DEFAULT_GUARDRAIL_NOT_ASSIGNABLE, MemberNotFound } from '../../guardrails/guardrails.errors.js';
import type { HypotheticalAssignment } from '../../guardrails/effective-policy/hypothetical-assignment.js';
import { KeyNotFound } from '../../keys/keys.errors.js';
import { KeysService } from '../../keys/keys.service.js';
import { OrganizationsService } from '../../organizations/organizations.service.js';
import { WorkspaceLookupService } from '../../workspaces/workspace-lookup.service.js';

/** To whom the guardrail would be assigned: a key, a member, or, without either, a new key without an owner. */
export interface HypotheticalHolder {
  readonly keyHash: string | undefined;
  readonly userId: string | undefined;
  /** The workspace of a new key; undefined for the default workspace. */
  readonly workspaceId: string | undefined;
}

/** A key as it would be with the assignment. */
export interface HypotheticalKey {
  /** Of a new key, an id that no other has. */
  readonly id: string;
  /** Null for a new key. */
  readonly hash: string | null;
  /** Null for a new key without an owner. */
  readonly userId: string | null;
  /** Null is the default workspace. */
  readonly workspaceId: string | null;
  readonly hypothetical: HypotheticalAssignment;
}

/** Finds the key, existing or new, for which a guardrail is tried (docs/interface/guardrails.md#trying-a-guardrail). */
@Injectable()
export class HypotheticalKeysService {
  constructor(
    private readonly keys: KeysService,
    private readonly organizations: OrganizationsService,
    private readonly workspaces: WorkspaceLookupService,
    private readonly statements: Statements,
  ) {}

  /**
   * Finds a key with requests to which a guardrail would apply.
   *
   * @throws KeyNotFound when the hash belongs to no API key of the organization
   * @throws MemberNotFound when the user is not a member of the organization
   * @throws BadRequestError for an unknown workspace, and for the default guardrail of another workspace
   */
  async keyWith(
    organizationId: string,
    guardrail: AssignedGuardrail,
    holder: HypotheticalHolder,
  ): Promise<HypotheticalKey> {
    return holder.keyHash === undefined
      ? this.newKey(organizationId, guardrail, holder)
      : this.knownKey(organizationId, guardrail, holder.keyHash);
  }

  private async knownKey(
    organizationId: string,
    { assignedId, workspaceOfDefault, unsaved }: AssignedGuardrail,
    keyHash: string,
  ): Promise<HypotheticalKey> {
    const key = (await this.keys.byHashes(this.statements, organizationId, [keyHash])).get(keyHash);
    if (key === undefined) throw new KeyNotFound();
    const { id, hash, userId, workspaceId } = key;
    if (workspaceOfDefault !== null) {
      const ofKey = workspaceId ?? (await this.workspaces.defaultWorkspaceId(organizationId));
      requireWorkspaceOf(workspaceOfDefault, ofKey);
    }
    const hypothetical = { guardrailOfKey: assignedId, guardrailOfMember: null, unsaved };
    return { id, hash, userId, workspaceId, hypothetical };
  }

  private async newKey(
    organizationId: string,
    { assignedId, workspaceOfDefault, workspaceId: ofGuardrail, unsaved }: AssignedGuardrail,
    { userId: member, workspaceId: requested }: HypotheticalHolder,
  ): Promise<HypotheticalKey> {
    const userId = member ?? null;
    if (userId !== null) await this.requireMember(organizationId, userId);
    // A member's guardrail applies to their keys of its workspace.
    const usual = userId === null ? workspaceOfDefault : ofGuardrail;
    const workspaceId = await this.workspaces.idFor(organizationId, requested ?? usual ?? undefined);
    if (workspaceOfDefault !== null) requireWorkspaceOf(workspaceOfDefault, workspaceId);
    const hypothetical = {
      guardrailOfKey: userId === null ? assignedId : null,
      guardrailOfMember: userId === null ? null : assignedId,
      unsaved,
      newKey: { userId, workspaceId },
    };
    return { id: newUuid(), hash: null, userId, workspaceId, hypothetical };
  }

  private async requireMember(organizationId: string, userId: string): Promise<void> {
    const roles = await this.organizations.rolesOf(this.statements, organizationId, [userId]);
    if (!roles.has(userId)) throw new MemberNotFound();
  }
}

/** A default guardrail has no assignments: it only applies in its own workspace. */
function requireWorkspaceOf(workspaceOfDefault: string, ofKey: string | undefined): void {
  if (ofKey !== workspaceOfDefault) throw BadRequestError.of([DEFAULT_GUARDRAIL_NOT_ASSIGNABLE.at('id')]);
}
