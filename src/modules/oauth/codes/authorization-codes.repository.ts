import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../../persistence/entity-columns.js';
import { rowInsert } from '../../../persistence/insert-statement.js';
import { type BoundValues, statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { quotaStatement } from '../../../persistence/quota-statement.js';
import { type Actor, auditedStatement, auditEventOf } from '../../audit/audit-trail.js';
import { type AuditedEvent, created } from '../../audit/audited-event.js';
import { activeOwner } from '../../keys/active-owner.js';
import { creationOf } from '../../keys/key-events.js';
import { KEY_INSERT, type NewKeyRow } from '../../keys/new-key.js';
import type { SecretReference } from '../../keys/credentials/key-format.js';
import { AuthorizationCodeEntity } from '../entities/authorization-code.entity.js';

/** How many authorization codes an organization has, against its quota. */
export const AUTHORIZATION_CODES_QUOTA = quotaStatement(
  'authorization_codes_quota',
  'authorization_codes',
  'authorization_codes',
);

/** How many applications an organization has, against its quota. They are never deleted. */
export const OAUTH_APPLICATIONS_QUOTA = quotaStatement(
  'oauth_applications_quota',
  'oauth_applications',
  'oauth_applications',
);

export const OAUTH_APPLICATION_BY_ORIGIN = statement<{ id: string }, [organizationId: string, origin: string]>(
  'oauth_application_by_origin',
  'SELECT id FROM oauth_applications WHERE organization_id = $1 AND origin = $2',
);

/** How many expired codes of its organization one new code clears away at most, so that no single request pays for all. */
const SWEEP_SIZE = 100;

/** How long a code is kept after its time, so that a replay is still known for what it is. */
const RETENTION = `interval '30 days'`;

/** The row of a new code, without the columns that the database sets. */
export type NewCodeRow = Omit<AuthorizationCodeEntity, 'applicationId' | 'expiresAt' | 'createdAt'>;

// Times are the database's: the clocks of replicas may differ.
const CODE_INSERT = rowInsert(AuthorizationCodeEntity, {
  applicationId: 'application.id',
  expiresAt: `now() + interval '10 minutes'`,
  createdAt: 'now()',
});

/** The number of the first parameter after those of the code. */
const NEXT = CODE_INSERT.count + 1;

/**
 * Inserts a code and, where it is new, the application that it is for; clears away some codes whose time has been over for
 * long. One statement, and so one transaction.
 */
export const INSERT_CODE = auditedStatement<
  { app_id: string; created_at: Date },
  [...BoundValues<NewCodeRow>, organizationId: string, origin: string, userId: string]
>(
  'authorization_code_create',
  `${CODE_INSERT.into} SELECT ${CODE_INSERT.parameters} FROM owner, application`,
  CODE_INSERT.count + 3,
  {
    // Looked up first, so that a code for a known application takes no new number. If two statements create the same application
    // at once, the second one updates the row of the first without changing it, so that RETURNING has the row.
    with: `${activeOwner(`$${NEXT}`, `$${NEXT + 2}`)},
      known_application AS (
        SELECT id, number FROM oauth_applications WHERE organization_id = $${NEXT} AND origin = $${NEXT + 1}),
      new_application AS (
        INSERT INTO oauth_applications (organization_id, origin, created_at)
        SELECT $${NEXT}, $${NEXT + 1}, now() FROM owner WHERE NOT EXISTS (SELECT FROM known_application)
        ON CONFLICT ON CONSTRAINT uq_oauth_applications_organization_origin DO UPDATE SET origin = excluded.origin
        RETURNING id, number),
      application AS (SELECT id, number FROM known_application UNION ALL SELECT id, number FROM new_application),
      swept AS (
        DELETE FROM authorization_codes WHERE organization_id = $${NEXT} AND id IN (
          SELECT id FROM authorization_codes WHERE organization_id = $${NEXT} AND expires_at < now() - ${RETENTION}
          ORDER BY expires_at LIMIT ${SWEEP_SIZE} FOR UPDATE SKIP LOCKED))`,
    returning: 'created_at',
    answer: '(SELECT number FROM application) AS app_id, (SELECT created_at FROM change) AS created_at',
  },
);

/** A code as it is now. */
export interface FoundCode extends AuthorizationCodeEntity {
  readonly isExpired: boolean;
}

/** What the database decides of a new code. */
export interface CreatedCode {
  /** The application's number in its organization. */
  readonly applicationNumber: number;
  readonly createdAt: Date;
}

const CODES = `SELECT ${columnsOf(AuthorizationCodeEntity, 'c')}, c.expires_at <= now() AS "isExpired" FROM authorization_codes c`;

export const CODE_BY_HASH = statement<FoundCode, [organizationId: string, codeHash: Buffer]>(
  'authorization_code_by_hash',
  `${CODES} WHERE c.organization_id = $1 AND c.code_hash = $2`,
);

/** A code of version 1, which does not state its organization. */
export const OLD_CODE_BY_HASH = statement<FoundCode, [codeHash: Buffer]>(
  'old_authorization_code_by_hash',
  `${CODES} WHERE c.code_hash = $1`,
);

/** The number of the first parameter after those of the key. */
const OWNER = KEY_INSERT.count + 1;

/**
 * Marks a code of an active member as used, unless it is, and only then inserts the key: one statement, and so one transaction. A code
 * without a workspace needs a default workspace; FOR KEY SHARE keeps that until the row of the key refers to it.
 */
export const REDEEM_CODE = auditedStatement<
  never,
  [...BoundValues<NewKeyRow>, organizationId: string, codeId: string, keyId: string, userId: string]
>('authorization_code_redeem', `${KEY_INSERT.into} SELECT ${KEY_INSERT.parameters} FROM used`, KEY_INSERT.count + 4, {
  with: `${activeOwner(`$${OWNER}`, `$${OWNER + 3}`)},
    default_workspace AS MATERIALIZED (
      SELECT id FROM workspaces WHERE organization_id = $${OWNER} AND is_default FOR KEY SHARE),
    used AS (
      UPDATE authorization_codes SET used_at = now(), issued_key_id = $${OWNER + 2}
      WHERE organization_id = $${OWNER} AND id = $${OWNER + 1} AND used_at IS NULL AND EXISTS (SELECT FROM owner)
        AND (workspace_id IS NOT NULL OR EXISTS (SELECT FROM default_workspace)) RETURNING id)`,
});

/** The parameters of {@link REDEEM_CODE}. */
export function redemptionValues(codeId: string, key: NewKeyRow, actor: Actor): ReturnType<typeof REDEEM_CODE.values> {
  const event = auditEventOf(key.organizationId, actor, creationOf(key, { authorization_code_id: codeId }));
  return REDEEM_CODE.values([...KEY_INSERT.values(key), key.organizationId, codeId, key.id, key.userId], event);
}

/** The rows of authorization codes and of the applications that they are for. */
@Injectable()
export class AuthorizationCodesRepository {
  constructor(private readonly statements: Statements) {}

  /** Whether a code was ever created for an origin. */
  async hasApplication(organizationId: string, origin: string): Promise<boolean> {
    return (await this.statements.first(OAUTH_APPLICATION_BY_ORIGIN, [organizationId, origin])) !== undefined;
  }

  /**
   * Inserts a code for the application of an origin. It lives for ten minutes.
   *
   * @returns undefined if its user is no active member of the organization
   */
  async insert(code: NewCodeRow, origin: string, actor: Actor): Promise<CreatedCode | undefined> {
    const { organizationId, userId } = code;
    const event = auditEventOf(organizationId, actor, codeCreationOf(code));
    const values = INSERT_CODE.values([...CODE_INSERT.values(code), organizationId, origin, userId], event);
    const row = await this.statements.first(INSERT_CODE, values);
    return row && { applicationNumber: Number(row.app_id), createdAt: row.created_at };
  }

  async find({ organizationId, hash }: SecretReference): Promise<FoundCode | undefined> {
    return organizationId === null
      ? this.statements.first(OLD_CODE_BY_HASH, [hash])
      : this.statements.first(CODE_BY_HASH, [organizationId, hash]);
  }

  /**
   * Marks a code as used and creates its key, both or neither. Of several attempts at the same time one succeeds: the others wait
   * for its row and then find it used.
   *
   * @returns whether this attempt was the one; if not, the code is used by now, its workspace is gone, or its user is no active member
   */
  async redeem(codeId: string, key: NewKeyRow, actor: Actor): Promise<boolean> {
    return (await this.statements.write(REDEEM_CODE, redemptionValues(codeId, key, actor))) === 1;
  }
}

/**
 * The event of a new authorization code. The trail names it by the id of its row, because the interface only has the
 * code itself.
 */
function codeCreationOf(code: NewCodeRow): AuditedEvent {
  return {
    action: 'authorization_code.create',
    targetId: code.id,
    changes: created({
      callback_url: code.callbackUrl,
      code_challenge_method: code.codeChallengeMethod,
      user_id: code.userId,
      workspace_id: code.workspaceId,
      connect_client_id: code.connectClientId,
      key_label: code.keyLabel,
      limit: code.keyLimitUsd,
      usage_limit_type: code.keyLimitReset,
      expires_at: code.keyExpiresAt?.toISOString() ?? null,
      spawn_agent: code.spawnAgent,
      spawn_cloud: code.spawnCloud,
    }),
  };
}
