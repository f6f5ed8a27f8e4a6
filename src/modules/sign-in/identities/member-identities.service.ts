import { Injectable } from '@nestjs/common';
import type { ManagementPrincipal } from '../../../auth/principal.js';
import { isUuid } from '../../../persistence/identifiers.js';
import { Statements } from '../../../persistence/statements.js';
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
import { IdentityLinksService } from './identity-links.service.js';
import { MemberIdentitiesRepository } from './member-identities.repository.js';

/** Who members are at identity providers (docs/interface/sign-in.md#who-a-person-is). */
@Injectable()
export class MemberIdentitiesService {
  constructor(
    private readonly repository: MemberIdentitiesRepository,
    private readonly statements: Statements,
    private readonly links: IdentityLinksService,
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
    const link = { organizationId, userId, issuer, subject, source: 'hand', lastSignInAt: null } as const;
    const made = await this.statements.transaction((tx) => this.links.add(tx, caller, link));
    return { data: toResponse(made) };
  }

  /** Takes an identity away from a member, and ends the sessions that began through it. @throws MemberIdentityNotFound */
  async delete(
    caller: ManagementPrincipal,
    { id: userId, identity_id: id }: MemberIdentityPath,
  ): Promise<DeleteMemberIdentityResponse> {
    const { organizationId } = caller;
    const isEnded =
      isUuid(id) && (await this.statements.transaction((tx) => this.links.end(tx, caller, organizationId, userId, id)));
    if (isEnded) return { deleted: true };
    throw new MemberIdentityNotFound();
  }
}

function toResponse({ id, issuer, subject, source, createdAt, lastSignInAt }: MemberIdentityEntity): MemberIdentity {
  return {
    id,
    issuer,
    subject,
    source,
    created_at: createdAt.toISOString(),
    last_sign_in_at: lastSignInAt?.toISOString() ?? null,
  };
}
