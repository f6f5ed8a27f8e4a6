import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { isUuid, newUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
import { AuditTrail, created } from '../../audit/index.js';
import type {
  CreateMemberIdentityRequest,
  DeleteMemberIdentityResponse,
  ListMemberIdentitiesResponse,
  MemberIdentity,
  MemberIdentityPath,
  MemberIdentityResponse,
  MemberOfIdentityPath,
} from '../dto/member-identity.dto.js';
import type { MemberIdentityEntity } from '../entities/sign-in-connection.entity.js';
import { MemberIdentityNotFound, SignInMemberNotFound } from '../sign-in.errors.js';
import { MemberIdentitiesRepository } from './member-identities.repository.js';

/** Who members are at identity providers (docs/interface/sign-in.md#who-a-person-is). */
@Injectable()
export class MemberIdentitiesService {
  constructor(
    private readonly repository: MemberIdentitiesRepository,
    private readonly statements: Statements,
    private readonly audit: AuditTrail,
  ) {}

  /** Lists the identities of a member, oldest first. @throws SignInMemberNotFound */
  async list(
    { organizationId }: ManagementPrincipal,
    { id }: MemberOfIdentityPath,
  ): Promise<ListMemberIdentitiesResponse> {
    const identities = await this.repository.of(organizationId, id);
    if (identities === undefined) throw new SignInMemberNotFound();
    return { data: identities.map(toResponse) };
  }

  /** Links a member to who it is at an issuer. @throws SignInMemberNotFound, MemberIdentityExists */
  async create(
    caller: ManagementPrincipal,
    { id: userId, issuer, subject }: MemberOfIdentityPath & CreateMemberIdentityRequest,
  ): Promise<MemberIdentityResponse> {
    const { organizationId } = caller;
    const id = newUuid();
    const made = await this.statements.transaction(async (tx) => {
      const row = { organizationId, id, userId, issuer, subject, lastSignInAt: null };
      const identity = await this.repository.insert(tx, row);
      const changes = created({ user_id: userId, issuer, subject });
      await this.audit.record(tx, organizationId, caller, { action: 'member_identity.create', targetId: id, changes });
      return identity;
    });
    return { data: toResponse(made) };
  }

  /** Takes an identity away from a member. @throws MemberIdentityNotFound */
  async delete(
    caller: ManagementPrincipal,
    { id: userId, identity_id: id }: MemberIdentityPath,
  ): Promise<DeleteMemberIdentityResponse> {
    const event = { action: 'member_identity.delete', targetId: id.toLowerCase() };
    if (isUuid(id) && (await this.repository.delete(caller.organizationId, userId, id, caller, event))) {
      return { deleted: true };
    }
    throw new MemberIdentityNotFound();
  }
}

function toResponse({ id, issuer, subject, createdAt, lastSignInAt }: MemberIdentityEntity): MemberIdentity {
  return {
    id,
    issuer,
    subject,
    created_at: createdAt.toISOString(),
    last_sign_in_at: lastSignInAt?.toISOString() ?? null,
  };
}
