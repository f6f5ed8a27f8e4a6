import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';

/** What the requests of a key count toward. */
export interface RateContext {
  /** Null after the deletion of the default workspace. */
  readonly workspaceId: string | null;
  readonly keyRequestsPerMinute: number | null;
  readonly keyTokensPerMinute: number | null;
  readonly workspaceRequestsPerMinute: number | null;
  readonly workspaceTokensPerMinute: number | null;
}

/** The columns of a {@link RateContext}, of a key `k` and its workspace `w`. */
export const RATE_CONTEXT_COLUMNS = `w.id AS "workspaceId",
      k.requests_per_minute AS "keyRequestsPerMinute", k.tokens_per_minute AS "keyTokensPerMinute",
      w.requests_per_minute AS "workspaceRequestsPerMinute", w.tokens_per_minute AS "workspaceTokensPerMinute"`;

/** A key `k` of the organization $1 with its workspace `w`, that of the organization by default. @param column names the key with $2 */
export function keyWithWorkspace(column: 'hash' | 'id'): string {
  return `FROM api_keys k
    LEFT JOIN workspaces w ON w.organization_id = $1 AND w.id = coalesce(
      k.workspace_id, (SELECT d.id FROM workspaces d WHERE d.organization_id = $1 AND d.is_default)
    )
    WHERE k.organization_id = $1 AND k.${column} = $2`;
}

export const RATE_CONTEXT = statement<RateContext, [organizationId: string, keyId: string]>(
  'inference_rate_context',
  `SELECT ${RATE_CONTEXT_COLUMNS}
    ${keyWithWorkspace('id')}`,
);

/** Reads what requests count toward that are not answered: a part of what others are answered under. */
@Injectable()
export class RateContextRepository {
  constructor(private readonly statements: Statements) {}

  /** @returns undefined when the key was deleted meanwhile */
  async ofKey(organizationId: string, keyId: string): Promise<RateContext | undefined> {
    return this.statements.first(RATE_CONTEXT, [organizationId, keyId]);
  }
}
