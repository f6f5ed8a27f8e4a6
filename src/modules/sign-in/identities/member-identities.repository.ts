import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { statement } from '../../../persistence/statement.js';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { type Actor, auditedRowsStatement, type AuditedStatement, auditEventOf } from '../../audit/audit-trail.js';
import type { RenamedIssuer } from '../../scim/provisioning/directory-members.service.js';
import { MemberIdentityEntity } from '../entities/sign-in-connection.entity.js';

/** Who a person is at an identity provider. */
export type Identity = Pick<MemberIdentityEntity, 'issuer' | 'subject'>;

/** The member of an identity that is used. */
export type UsedIdentity = Pick<MemberIdentityEntity, 'id' | 'userId' | 'source'>;

/** Whom an identity belongs to, and that the member has signed in now. What the directory says of the same member becomes the directory's. */
export const USE_MEMBER_IDENTITY = statement<
  UsedIdentity,
  [organizationId: string, issuer: string, subject: string, provisionedUserId: string | null]
>(
  'member_identity_use',
  `UPDATE member_identities SET last_sign_in_at = now(),
      source = CASE WHEN source = 'sign_in' AND user_id = $4::text THEN 'directory' ELSE source END
    WHERE organization_id = $1 AND issuer = $2 AND subject = $3 RETURNING id, user_id AS "userId", source`,
);

/** Whom an identity belongs to. */
export const MEMBER_OF_IDENTITY = statement<
  { userId: string },
  [organizationId: string, issuer: string, subject: string]
>(
  'member_of_identity',
  `SELECT user_id AS "userId" FROM member_identities WHERE organization_id = $1 AND issuer = $2 AND subject = $3`,
);

/** The identities of a member, oldest first. */
export const MEMBER_IDENTITIES = statement<MemberIdentityEntity, [organizationId: string, userId: string]>(
  'member_identities',
  `SELECT ${columnsOf(MemberIdentityEntity, 'i')} FROM member_identities i
    WHERE i.organization_id = $1 AND i.user_id = $2 ORDER BY i.created_at, i.id LIMIT 100`,
);

export const IS_MEMBER_FOR_IDENTITY = statement<{ userId: string }, [organizationId: string, userId: string]>(
  'member_identities_member',
  'SELECT user_id AS "userId" FROM organization_members WHERE organization_id = $1 AND user_id = $2',
);

export const INSERT_MEMBER_IDENTITY = insertStatement('member_identity_insert', MemberIdentityEntity, {
  createdAt: 'now()',
});

/**
 * Takes identities away from members, each with an event.
 *
 * @param which those that are taken away, of an organization, which is $1
 * @param parameters how many parameters that has, from $1
 */
function endStatement<Values extends readonly unknown[]>(
  name: string,
  which: string,
  parameters: number,
): AuditedStatement<Identity, Values> {
  return auditedRowsStatement<Identity, Values>(
    name,
    `DELETE FROM member_identities WHERE organization_id = $1 AND ${which}`,
    parameters,
    {
      returning: 'id, user_id, issuer, subject, source',
      targetId: 'change.id::text',
      changes: `jsonb_build_object('user_id', jsonb_build_object('before', change.user_id),
        'issuer', jsonb_build_object('before', change.issuer), 'subject', jsonb_build_object('before', change.subject),
        'source', jsonb_build_object('before', change.source))`,
      answer: 'change.issuer, change.subject',
    },
  );
}

type OneIdentity = [organizationId: string, userId: string, id: string];

/** Takes one identity away from its member. */
export const END_MEMBER_IDENTITY = endStatement<OneIdentity>(
  'member_identity_end',
  'user_id = $2 AND id = $3::uuid',
  3,
);

type OfProvisionedMember = [organizationId: string, userId: string, issuer: string | null, subject: string | null];

/** Takes away what a directory does not say of its member and no administrator has made. */
export const END_IDENTITIES_BESIDE_DIRECTORY = endStatement<OfProvisionedMember>(
  'member_identities_end_beside_directory',
  `user_id = $2 AND source <> 'hand' AND NOT coalesce(issuer = $3::text AND subject = $4::text, false)`,
  4,
);

/** Leaves what a directory says of its member to the directory. */
export const GIVE_IDENTITY_TO_DIRECTORY = statement<never, OfProvisionedMember>(
  'member_identity_give_to_directory',
  `UPDATE member_identities SET source = 'directory'
    WHERE organization_id = $1 AND user_id = $2 AND issuer = $3 AND subject = $4 AND source = 'sign_in'`,
);

/** Takes away what directories have said of the people of an issuer. */
export const END_IDENTITIES_OF_DIRECTORY = endStatement<[organizationId: string, issuer: string]>(
  'member_identities_end_of_directory',
  `issuer = $2 AND source = 'directory'`,
  2,
);

/** The identities that would be there twice if an issuer got another text: of each two, the one that was used longer ago. */
export const IDENTITIES_OF_BOTH_ISSUERS = statement<
  Pick<MemberIdentityEntity, 'id' | 'userId'>,
  [organizationId: string, before: string, after: string]
>(
  'member_identities_of_both_issuers',
  `SELECT CASE WHEN used.is_later THEN o.id ELSE n.id END AS id,
      CASE WHEN used.is_later THEN o.user_id ELSE n.user_id END AS "userId"
    FROM member_identities o
    JOIN member_identities n ON n.organization_id = $1 AND n.issuer = $3 AND n.subject = o.subject
    CROSS JOIN LATERAL (
      SELECT coalesce(n.last_sign_in_at, '-infinity') > coalesce(o.last_sign_in_at, '-infinity') AS is_later) used
    WHERE o.organization_id = $1 AND o.issuer = $2`,
);

export const RENAME_ISSUER_OF_IDENTITIES = statement<never, [organizationId: string, before: string, after: string]>(
  'member_identities_rename_issuer',
  'UPDATE member_identities SET issuer = $3 WHERE organization_id = $1 AND issuer = $2',
);

export const DELETE_MEMBER_IDENTITIES = statement<never, [organizationId: string, userId: string]>(
  'member_identities_delete',
  'DELETE FROM member_identities WHERE organization_id = $1 AND user_id = $2',
);

/** The rows that say who members are at identity providers. */
@Injectable()
export class MemberIdentitiesRepository {
  constructor(private readonly statements: Statements) {}

  /** @param provisioned the member whom the directory means; undefined for none @returns undefined for who is not known */
  async use(
    tx: Transaction,
    organizationId: string,
    { issuer, subject }: Identity,
    provisioned: string | undefined,
  ): Promise<UsedIdentity | undefined> {
    return tx.first(USE_MEMBER_IDENTITY, [organizationId, issuer, subject, provisioned ?? null]);
  }

  /** The member whom an identity is linked to. @returns the id of the user; undefined for none */
  async memberOf(organizationId: string, { issuer, subject }: Identity): Promise<string | undefined> {
    return (await this.statements.first(MEMBER_OF_IDENTITY, [organizationId, issuer, subject]))?.userId;
  }

  /** @returns undefined where the organization has no such member */
  async of(organizationId: string, userId: string): Promise<MemberIdentityEntity[] | undefined> {
    const member = await this.statements.first(IS_MEMBER_FOR_IDENTITY, [organizationId, userId]);
    return member && this.statements.rows(MEMBER_IDENTITIES, [organizationId, userId]);
  }

  async insert(tx: Transaction, identity: Omit<MemberIdentityEntity, 'createdAt'>): Promise<MemberIdentityEntity> {
    const [found] = await tx.rows(INSERT_MEMBER_IDENTITY, INSERT_MEMBER_IDENTITY.values(identity));
    return { ...identity, ...found! };
  }

  /** @returns those identities that would be there twice, and were used longer ago */
  async ofBothIssuers(
    tx: Transaction,
    { organizationId, before, after }: RenamedIssuer,
  ): Promise<Pick<MemberIdentityEntity, 'id' | 'userId'>[]> {
    return tx.rows(IDENTITIES_OF_BOTH_ISSUERS, [organizationId, before, after]);
  }

  async renameIssuer(tx: Transaction, { organizationId, before, after }: RenamedIssuer): Promise<void> {
    await tx.write(RENAME_ISSUER_OF_IDENTITIES, [organizationId, before, after]);
  }

  /** @returns how many there were */
  async deleteAllOf(tx: Transaction, organizationId: string, userId: string): Promise<number> {
    return tx.write(DELETE_MEMBER_IDENTITIES, [organizationId, userId]);
  }

  /** @returns what was ended: none where the member does not have it */
  async end(tx: Transaction, actor: Actor, organizationId: string, userId: string, id: string): Promise<Identity[]> {
    return ended(tx, END_MEMBER_IDENTITY, actor, [organizationId, userId, id]);
  }

  /** Leaves a member what the directory says and what was made by hand. @returns what was ended */
  async endBesideDirectory(
    tx: Transaction,
    actor: Actor,
    organizationId: string,
    userId: string,
    said: { readonly issuer: string | null; readonly externalId: string | null },
  ): Promise<Identity[]> {
    const values: OfProvisionedMember = [organizationId, userId, said.issuer, said.externalId];
    await tx.write(GIVE_IDENTITY_TO_DIRECTORY, values);
    return ended(tx, END_IDENTITIES_BESIDE_DIRECTORY, actor, values);
  }

  /** @returns what was ended */
  async endOfDirectory(tx: Transaction, actor: Actor, organizationId: string, issuer: string): Promise<Identity[]> {
    return ended(tx, END_IDENTITIES_OF_DIRECTORY, actor, [organizationId, issuer]);
  }
}

function ended<Values extends readonly unknown[]>(
  tx: Transaction,
  ending: AuditedStatement<Identity, Values>,
  actor: Actor,
  values: Values & { readonly 0: string },
): Promise<Identity[]> {
  return tx.rows(ending, ending.values(values, auditEventOf(values[0], actor, { action: 'member_identity.delete' })));
}
