import { Injectable } from '@nestjs/common';
import type { MemberRole } from '../../../auth/roles.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { type StatementRunner, Statements, type Transaction } from '../../../persistence/statements.js';
import { SignInLinkEntity } from '../entities/session.entity.js';

/** How long a link can be used. */
const LIFETIME = `interval '10 minutes'`;

/** Whom a link signs in. */
export interface LinkedMember {
  readonly userId: string;
  readonly userName: string;
  readonly organizationName: string;
  readonly role: MemberRole;
}

const MEMBER_OF_LINK = `FROM sign_in_links l
    JOIN organization_members m ON m.organization_id = l.organization_id AND m.user_id = l.user_id
    JOIN users u ON u.id = l.user_id
    JOIN organizations o ON o.id = l.organization_id
    WHERE l.organization_id = $1 AND l.secret_hash = $2 AND l.expires_at > now()
      AND m.deactivated_at IS NULL`;

/** Whom a link that can be used would sign in. */
export const MEMBER_OF_SIGN_IN_LINK = statement<LinkedMember, [organizationId: string, secretHash: Buffer]>(
  'sign_in_link_member',
  `SELECT l.user_id AS "userId", coalesce(m.name, u.name) AS "userName", o.name AS "organizationName", m.role ${MEMBER_OF_LINK}`,
);

/** Uses a link up. */
export const USE_SIGN_IN_LINK = statement<{ userId: string }, [organizationId: string, secretHash: Buffer]>(
  'sign_in_link_use',
  `DELETE FROM sign_in_links WHERE organization_id = $1 AND secret_hash = $2 AND expires_at > now()
    RETURNING user_id AS "userId"`,
);

export const INSERT_SIGN_IN_LINK = insertStatement('sign_in_link_insert', SignInLinkEntity, {
  ...CREATED_NOW,
  expiresAt: `now() + ${LIFETIME}`,
});

/** Deletes links that cannot be used any more. */
export const SWEEP_SIGN_IN_LINKS = statement<never, [organizationId: string]>(
  'sign_in_links_sweep',
  'DELETE FROM sign_in_links WHERE organization_id = $1 AND expires_at <= now()',
);

/** The role of a member who may sign in, whose row stays as it is until the transaction ends. */
export const HOLD_MEMBER = statement<{ role: MemberRole }, [organizationId: string, userId: string]>(
  'sign_in_hold_member',
  `SELECT role FROM organization_members
    WHERE organization_id = $1 AND user_id = $2 AND deactivated_at IS NULL FOR SHARE`,
);

/** The rows of links, and of the members whom they sign in. */
@Injectable()
export class SignInLinksRepository {
  constructor(private readonly statements: Statements) {}

  async memberOf(organizationId: string, secretHash: Buffer): Promise<LinkedMember | undefined> {
    return this.statements.first(MEMBER_OF_SIGN_IN_LINK, [organizationId, secretHash]);
  }

  /** @returns the member's id; undefined for a link that cannot be used */
  async use(tx: Transaction, organizationId: string, secretHash: Buffer): Promise<string | undefined> {
    return (await tx.first(USE_SIGN_IN_LINK, [organizationId, secretHash]))?.userId;
  }

  async insert(tx: Transaction, link: Omit<SignInLinkEntity, 'createdAt' | 'expiresAt'>): Promise<void> {
    await tx.write(SWEEP_SIGN_IN_LINKS, [link.organizationId]);
    await tx.rows(INSERT_SIGN_IN_LINK, INSERT_SIGN_IN_LINK.values(link));
  }

  /** @returns the role; undefined for who may not sign in */
  async holdMember(tx: StatementRunner, organizationId: string, userId: string): Promise<MemberRole | undefined> {
    return (await tx.first(HOLD_MEMBER, [organizationId, userId]))?.role;
  }
}
