import { Injectable, type OnModuleInit } from '@nestjs/common';
import { newUuid } from '../../../persistence/identifiers.js';
import type { Transaction } from '../../../persistence/statements.js';
import { type Actor, AuditTrail, SERVICE } from '../../audit/audit-trail.js';
import { created } from '../../audit/audited-event.js';
import {
  type DirectoryHook,
  DirectoryHooks,
  type EndedDirectory,
  type IdentifiedMember,
} from '../../scim/provisioning/directory-hooks.js';
import type { RenamedIssuer } from '../../scim/provisioning/directory-members.service.js';
import type { MemberIdentityEntity } from '../entities/sign-in-connection.entity.js';
import { SessionsRepository } from '../sessions/sessions.repository.js';
import { type Identity, MemberIdentitiesRepository } from './member-identities.repository.js';

/** A link to make. */
export type NewIdentityLink = Omit<MemberIdentityEntity, 'id' | 'createdAt'>;

/**
 * Links between members and who they are at identity providers. A link belongs to where it comes from, moves with the directory, and ends with
 * its source; the sessions that began through it end with it (docs/interface/sign-in.md#where-a-link-comes-from). Locks are taken in one order:
 * the connection, what directories say, identities, members, sessions.
 */
@Injectable()
export class IdentityLinksService implements DirectoryHook, OnModuleInit {
  constructor(
    private readonly repository: MemberIdentitiesRepository,
    private readonly sessions: SessionsRepository,
    private readonly audit: AuditTrail,
    private readonly directories: DirectoryHooks,
  ) {}

  onModuleInit(): void {
    this.directories.register(this);
  }

  /**
   * The member of an identity, who signs in with it. What the directory says counts more than a link that no administrator has made: such a
   * link to another member ends.
   *
   * @param provisioned the member whom the directory means; undefined for none
   * @returns undefined for who is not linked
   */
  async use(
    tx: Transaction,
    organizationId: string,
    identity: Identity,
    provisioned: string | undefined,
  ): Promise<string | undefined> {
    const known = await this.repository.use(tx, organizationId, identity, provisioned);
    if (known === undefined) return undefined;
    const isMoved = provisioned !== undefined && provisioned !== known.userId && known.source !== 'hand';
    if (!isMoved) return known.userId;
    await this.end(tx, SERVICE, organizationId, known.userId, known.id);
    return undefined;
  }

  /** Links a member, and records it. @param further what the trail says besides */
  async add(tx: Transaction, actor: Actor, link: NewIdentityLink, further: object = {}): Promise<MemberIdentityEntity> {
    const { organizationId, userId, issuer, subject, source } = link;
    const id = newUuid();
    const identity = await this.repository.insert(tx, { ...link, id });
    const changes = created({ user_id: userId, issuer, subject, source, ...further });
    await this.audit.record(tx, organizationId, actor, { action: 'member_identity.create', targetId: id, changes });
    return identity;
  }

  /** Ends one link. @returns whether the member had it */
  async end(tx: Transaction, actor: Actor, organizationId: string, userId: string, id: string): Promise<boolean> {
    const ended = await this.repository.end(tx, actor, organizationId, userId, id);
    await this.sessions.endThoseOfIdentities(tx, organizationId, ended);
    return ended.length > 0;
  }

  /** Ends what came from elsewhere when a directory takes a member over, and what the directory had said before. */
  async memberIdentified(tx: Transaction, actor: Actor, member: IdentifiedMember): Promise<void> {
    const { organizationId, userId } = member;
    const ended = await this.repository.endBesideDirectory(tx, actor, organizationId, userId, member);
    await this.sessions.endThoseOfIdentities(tx, organizationId, ended);
  }

  /**
   * Gives the issuer of identities another text. Where a person is linked under both, the link with which they signed in last stays, and
   * the other one ends.
   */
  async renameIssuer(tx: Transaction, actor: Actor, renamed: RenamedIssuer): Promise<void> {
    for (const { id, userId } of await this.repository.ofBothIssuers(tx, renamed)) {
      await this.end(tx, actor, renamed.organizationId, userId, id);
    }
    await this.repository.renameIssuer(tx, renamed);
  }

  /** Ends what directories have said of the people of an issuer. */
  async directoryEnded(tx: Transaction, actor: Actor, { organizationId, issuer }: EndedDirectory): Promise<void> {
    const ended = await this.repository.endOfDirectory(tx, actor, organizationId, issuer);
    await this.sessions.endThoseOfIdentities(tx, organizationId, ended);
  }
}
