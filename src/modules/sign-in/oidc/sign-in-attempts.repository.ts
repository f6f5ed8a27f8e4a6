import { Injectable } from '@nestjs/common';
import { insertStatement } from '../../../persistence/insert-statement.js';
import { CREATED_NOW } from '../../../persistence/row-times.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { SignInAttemptEntity } from '../entities/sign-in-connection.entity.js';

/** How long a person may take at the identity provider. */
const LIFETIME = `interval '10 minutes'`;

/** How many attempts that are over one new attempt clears away at most. */
const SWEEP_SIZE = 100;

/** What the answer of the identity provider needs to know of the attempt. */
export type UsedAttempt = Pick<SignInAttemptEntity, 'connectionId' | 'returnTo' | 'linkingSessionId' | 'isStepUp'>;

export const INSERT_SIGN_IN_ATTEMPT = insertStatement('sign_in_attempt_insert', SignInAttemptEntity, {
  ...CREATED_NOW,
  expiresAt: `now() + ${LIFETIME}`,
});

/** Deletes some attempts that are over. */
export const SWEEP_SIGN_IN_ATTEMPTS = statement<never, [organizationId: string]>(
  'sign_in_attempts_sweep',
  `DELETE FROM sign_in_attempts WHERE organization_id = $1 AND id = ANY (ARRAY(
      SELECT id FROM sign_in_attempts WHERE organization_id = $1 AND expires_at <= now()
      ORDER BY expires_at LIMIT ${SWEEP_SIZE} FOR UPDATE SKIP LOCKED))`,
);

/** Uses an attempt up: one of the release before that was to link an identity without asking is over. */
export const USE_SIGN_IN_ATTEMPT = statement<UsedAttempt, [organizationId: string, secretHash: Buffer]>(
  'sign_in_attempt_use',
  `DELETE FROM sign_in_attempts WHERE organization_id = $1 AND secret_hash = $2 AND expires_at > now()
      AND linked_user_id IS NULL AND proved_subject IS NULL
    RETURNING connection_id AS "connectionId", return_to AS "returnTo", linking_session_id AS "linkingSessionId",
      is_step_up AS "isStepUp"`,
);

/** The rows of sign-ins that have begun. */
@Injectable()
export class SignInAttemptsRepository {
  constructor(private readonly statements: Statements) {}

  async insert(attempt: Omit<SignInAttemptEntity, 'createdAt' | 'expiresAt'>): Promise<void> {
    await this.statements.write(SWEEP_SIGN_IN_ATTEMPTS, [attempt.organizationId]);
    await this.statements.rows(INSERT_SIGN_IN_ATTEMPT, INSERT_SIGN_IN_ATTEMPT.values(attempt));
  }

  /** @returns undefined for one that was used, is over, or never was */
  async use(organizationId: string, secretHash: Buffer): Promise<UsedAttempt | undefined> {
    return this.statements.first(USE_SIGN_IN_ATTEMPT, [organizationId, secretHash]);
  }
}
