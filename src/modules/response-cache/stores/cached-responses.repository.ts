import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import type { CachedResponseEntity } from '../entities/cached-response.entity.js';
import type { CachePlace, CacheStore } from './cache-store.js';

type ByPlace = [organizationId: string, workspaceId: string, key: Buffer];

/** How many expired answers a new one clears away at most. */
const SWEEP_SIZE = 100;

/** An answer whose time is not over. */
export const CACHED_RESPONSE = statement<Pick<CachedResponseEntity, 'sealed'>, ByPlace>(
  'cached_response',
  `SELECT sealed FROM cached_responses
    WHERE organization_id = $1 AND workspace_id = $2 AND key = $3 AND expires_at > now()`,
);

/**
 * Makes room for an answer, apart from the one that is there: those of the organization that are expired, or beyond the $4 that it may have, are
 * deleted by where they lie, those first that expire first.
 */
export const MAKE_ROOM_FOR_RESPONSE = statement<never, [...ByPlace, maximumEntries: number]>(
  'cached_response_room',
  `WITH kept AS MATERIALIZED (
      SELECT count(*) AS total, count(*) FILTER (WHERE expires_at <= now()) AS expired
      FROM cached_responses WHERE organization_id = $1 AND (workspace_id, key) <> ($2, $3)
    ),
    excess AS MATERIALIZED (
      SELECT ctid AS place FROM cached_responses
      WHERE organization_id = $1 AND (workspace_id, key) <> ($2, $3) ORDER BY expires_at
      LIMIT (SELECT greatest(least(expired, ${SWEEP_SIZE}), total + 1 - $4::bigint, 0) FROM kept) FOR UPDATE SKIP LOCKED
    )
    DELETE FROM cached_responses WHERE organization_id = $1 AND ctid = ANY (ARRAY(SELECT place FROM excess))`,
);

/** Keeps an answer, in place of the one that is there. */
export const KEEP_RESPONSE = statement<never, [...ByPlace, sealed: Buffer, ttlSeconds: number]>(
  'cached_response_keep',
  `INSERT INTO cached_responses (organization_id, workspace_id, key, sealed, expires_at)
    VALUES ($1, $2, $3, $4, now() + $5::integer * interval '1 second')
    ON CONFLICT (organization_id, workspace_id, key) DO UPDATE SET sealed = excluded.sealed, expires_at = excluded.expires_at`,
);

/** Deletes all answers of an organization. */
export const PURGE_ORGANIZATION = statement<never, [organizationId: string]>(
  'cached_responses_purge',
  'DELETE FROM cached_responses WHERE organization_id = $1',
);

/** Deletes all answers of a workspace. */
export const PURGE_WORKSPACE = statement<never, [organizationId: string, workspaceId: string]>(
  'cached_responses_purge_workspace',
  'DELETE FROM cached_responses WHERE organization_id = $1 AND workspace_id = $2',
);

/** Keeps answers in PostgreSQL, for deployments without Redis. */
@Injectable()
export class CachedResponsesRepository implements CacheStore {
  constructor(
    private readonly statements: Statements,
    private readonly environment: Environment,
  ) {}

  async read(place: CachePlace): Promise<Buffer | undefined> {
    return (await this.statements.first(CACHED_RESPONSE, placeOf(place)))?.sealed;
  }

  async write(place: CachePlace, sealed: Buffer, ttlSeconds: number): Promise<void> {
    const { responseCacheMaximumEntries } = this.environment;
    await this.statements.write(MAKE_ROOM_FOR_RESPONSE, [...placeOf(place), responseCacheMaximumEntries]);
    await this.statements.write(KEEP_RESPONSE, [...placeOf(place), sealed, ttlSeconds]);
  }

  async purge(organizationId: string, workspaceId?: string): Promise<void> {
    if (workspaceId === undefined) await this.statements.bulk.write(PURGE_ORGANIZATION, [organizationId]);
    // On no connection for large writes: the deletion of the workspace has one already, and deletes what is left by then.
    else await this.statements.write(PURGE_WORKSPACE, [organizationId, workspaceId]);
  }
}

function placeOf({ organizationId, workspaceId, key }: CachePlace): ByPlace {
  return [organizationId, workspaceId, key];
}
