import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { rowInsert } from '../../database/insert-statement.js';
import { Statements } from '../../database/statements.js';
import { quotaStatement } from '../../limits/quotas.js';
import { type Actor, auditedStatement, auditEventOf } from '../audit/audit-trail.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';
import { codeCreationOf, creationOf } from './key-events.js';
import type { NewKeyRow } from './new-key.js';

/** How many authorization codes an organization has, against its quota. */
export const AUTHORIZATION_CODES_QUOTA = quotaStatement('authorization_codes_quota', {
  kind: 'authorization_codes',
  table: 'authorization_codes',
});

/** How many applications an organization has, against its quota. They are never deleted. */
export const OAUTH_APPLICATIONS_QUOTA = quotaStatement('oauth_applications_quota', {
  kind: 'oauth_applications',
  table: 'oauth_applications',
});

/** The application of an origin. */
export const OAUTH_APPLICATION_BY_ORIGIN = {
  name: 'oauth_application_by_origin',
  text: 'SELECT id FROM oauth_applications WHERE organization_id = $1 AND origin = $2',
};

/** How many expired codes one new code clears away at most, so that no single request pays for all. */
const SWEEP_SIZE = 100;

/** How long a code is kept after its time, so that a replay is still known for what it is. */
const RETENTION = `interval '30 days'`;

const KEY_INSERT = rowInsert(ApiKeyEntity, { createdAt: 'now()' });

// Times are the database's: the clocks of replicas may differ.
const CODE_INSERT = rowInsert(AuthorizationCodeEntity, {
  applicationId: '(SELECT id FROM application)',
  expiresAt: `now() + interval '10 minutes'`,
  createdAt: 'now()',
});

/** The number of the first parameter behind those of the code. */
const NEXT = CODE_INSERT.count + 1;

/**
 * Inserts a code and, where it is new, the application that it is for; clears away some codes whose time has been over for
 * long. One statement, and so one transaction.
 */
export const CREATE_CODE = auditedStatement(
  'authorization_code_create',
  `${CODE_INSERT.into} VALUES (${CODE_INSERT.parameters})`,
  CODE_INSERT.count + 2,
  {
    // Looked up first: a code for a known application uses no id up. Of two statements that make the same application at once
    // the second updates what the first has made: nothing of it changes, but its row comes back.
    with: `known_application AS (
        SELECT id, number FROM oauth_applications WHERE organization_id = $${NEXT} AND origin = $${NEXT + 1}),
      new_application AS (
        INSERT INTO oauth_applications (organization_id, origin, created_at)
        SELECT $${NEXT}, $${NEXT + 1}, now() WHERE NOT EXISTS (SELECT FROM known_application)
        ON CONFLICT ON CONSTRAINT uq_oauth_applications_organization_origin DO UPDATE SET origin = excluded.origin
        RETURNING id, number),
      application AS (SELECT id, number FROM known_application UNION ALL SELECT id, number FROM new_application),
      swept AS (
        DELETE FROM authorization_codes WHERE id IN (
          SELECT id FROM authorization_codes WHERE expires_at < now() - ${RETENTION}
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

/** A code. */
export const CODE_BY_HASH = {
  name: 'authorization_code_by_hash',
  text: `SELECT ${columnsOf(AuthorizationCodeEntity, 'c')}, c.expires_at <= now() AS "isExpired" FROM authorization_codes c WHERE c.code_hash = $1`,
};

/**
 * Marks a code as used, unless it is, and only then inserts the key: one statement, and so one transaction. A code that names
 * no workspace is worth a key only while there is a default one, which is held until the key is there to speak for it.
 */
export const REDEEM_CODE = auditedStatement(
  'authorization_code_redeem',
  `${KEY_INSERT.into} SELECT ${KEY_INSERT.parameters} FROM used`,
  KEY_INSERT.count + 2,
  {
    with: `default_workspace AS MATERIALIZED (
      SELECT w.id FROM workspaces w JOIN authorization_codes c ON c.organization_id = w.organization_id
      WHERE c.id = $${KEY_INSERT.count + 1} AND w.is_default FOR KEY SHARE OF w),
    used AS (
      UPDATE authorization_codes SET used_at = now(), issued_key_id = $${KEY_INSERT.count + 2}
      WHERE id = $${KEY_INSERT.count + 1} AND used_at IS NULL
        AND (workspace_id IS NOT NULL OR EXISTS (SELECT FROM default_workspace)) RETURNING id)`,
  },
);

/** The parameters of {@link REDEEM_CODE}. */
export function redemptionValues(actor: Actor, codeId: string, key: NewKeyRow): unknown[] {
  const event = auditEventOf(key.organizationId, actor, creationOf(key, { authorization_code_id: codeId }));
  return REDEEM_CODE.values([...KEY_INSERT.values(key), codeId, key.id], event);
}

/** The rows of authorization codes and of the applications that they are for. */
@Injectable()
export class AuthorizationCodesRepository {
  constructor(private readonly statements: Statements) {}

  /** Whether a code was ever made for an origin. */
  async hasApplication(organizationId: string, origin: string): Promise<boolean> {
    return (await this.statements.first(OAUTH_APPLICATION_BY_ORIGIN, [organizationId, origin])) !== undefined;
  }

  /** Inserts a code for the application of an origin. It lives for ten minutes. */
  async create(
    actor: Actor,
    code: Omit<AuthorizationCodeEntity, 'applicationId' | 'expiresAt' | 'createdAt'>,
    origin: string,
  ): Promise<CreatedCode> {
    const { organizationId } = code;
    const event = auditEventOf(organizationId, actor, codeCreationOf(code));
    const values = CREATE_CODE.values([...CODE_INSERT.values(code), organizationId, origin], event);
    const row = (await this.statements.first<{ app_id: string; created_at: Date }>(CREATE_CODE, values))!;
    return { applicationNumber: Number(row.app_id), createdAt: row.created_at };
  }

  async find(codeHash: Buffer): Promise<FoundCode | undefined> {
    return this.statements.first(CODE_BY_HASH, [codeHash]);
  }

  /**
   * Uses a code up and makes its key, both or neither. Of several attempts at the same time one succeeds: the others wait
   * for its row and then find it used.
   *
   * @returns whether this attempt was the one; if not, the code is used by now, or its workspace is gone
   */
  async redeem(actor: Actor, codeId: string, key: NewKeyRow): Promise<boolean> {
    return (await this.statements.write(REDEEM_CODE, redemptionValues(actor, codeId, key))) === 1;
  }
}
