import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../database/entity-columns.js';
import { rowInsert } from '../../database/insert-statement.js';
import { Statements } from '../../database/statements.js';
import { ApiKeyEntity } from './entities/api-key.entity.js';
import { AuthorizationCodeEntity } from './entities/authorization-code.entity.js';

/** How many expired codes one new code clears away at most, so that no single request pays for all. */
const SWEEP_SIZE = 100;

const KEY_INSERT = rowInsert(ApiKeyEntity);

const CODE_INSERT = rowInsert(AuthorizationCodeEntity, { applicationId: '(SELECT id FROM application)' });

/**
 * Inserts a code and, where it is new, the application that it is for; clears away some codes that expired before a point
 * in time. One statement, and so one transaction.
 */
export const CREATE_CODE = {
  name: 'authorization_code_create',
  // The update changes nothing, but makes the row of an existing application come back.
  text: `WITH application AS (
      INSERT INTO oauth_applications (organization_id, origin, created_at)
      VALUES ($${CODE_INSERT.count + 1}, $${CODE_INSERT.count + 2}, $${CODE_INSERT.count + 3})
      ON CONFLICT ON CONSTRAINT uq_oauth_applications_organization_origin DO UPDATE SET origin = excluded.origin
      RETURNING id),
    swept AS (
      DELETE FROM authorization_codes WHERE id IN (
        SELECT id FROM authorization_codes WHERE expires_at < $${CODE_INSERT.count + 4}
        ORDER BY expires_at LIMIT ${SWEEP_SIZE} FOR UPDATE SKIP LOCKED))
    ${CODE_INSERT.into} VALUES (${CODE_INSERT.parameters}) RETURNING application_id`,
};

/** A code. */
export const CODE_BY_HASH = {
  name: 'authorization_code_by_hash',
  text: `SELECT ${columnsOf(AuthorizationCodeEntity, 'c')} FROM authorization_codes c WHERE c.code_hash = $1`,
};

/** Marks a code as used, unless it is, and only then inserts the key: one statement, and so one transaction. */
export const REDEEM_CODE = {
  name: 'authorization_code_redeem',
  text: `WITH used AS (
      UPDATE authorization_codes SET used_at = $${KEY_INSERT.count + 2}, issued_key_id = $${KEY_INSERT.count + 3}
      WHERE id = $${KEY_INSERT.count + 1} AND used_at IS NULL RETURNING id)
    ${KEY_INSERT.into} SELECT ${KEY_INSERT.parameters} FROM used`,
};

/** The parameters of {@link REDEEM_CODE}. */
export function redemptionValues(codeId: string, key: ApiKeyEntity): unknown[] {
  return [...KEY_INSERT.values(key), codeId, key.createdAt, key.id];
}

/** The rows of authorization codes and of the applications that they are for. */
@Injectable()
export class AuthorizationCodesRepository {
  constructor(private readonly statements: Statements) {}

  /**
   * Inserts a code for the application of an origin.
   *
   * @param expiredBefore codes that expired before this are no use any more, and some of them go
   * @returns the application's id
   */
  async create(
    code: Omit<AuthorizationCodeEntity, 'applicationId'>,
    origin: string,
    expiredBefore: Date,
  ): Promise<number> {
    const { organizationId, createdAt } = code;
    const values = [...CODE_INSERT.values(code), organizationId, origin, createdAt, expiredBefore];
    const row = await this.statements.first<{ application_id: number }>(CREATE_CODE, values);
    return row!.application_id;
  }

  async find(codeHash: Buffer): Promise<AuthorizationCodeEntity | undefined> {
    return this.statements.first(CODE_BY_HASH, [codeHash]);
  }

  /**
   * Uses a code up and makes its key, both or neither. Of several attempts at the same time one succeeds: the others wait
   * for its row and then find it used.
   *
   * @returns whether this attempt was the one
   */
  async redeem(codeId: string, key: ApiKeyEntity): Promise<boolean> {
    return (await this.statements.write(REDEEM_CODE, redemptionValues(codeId, key))) === 1;
  }
}
