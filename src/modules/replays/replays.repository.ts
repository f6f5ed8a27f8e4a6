import { Injectable } from '@nestjs/common';
import { columnsOf } from '../../persistence/entity-columns.js';
import { insertStatement } from '../../persistence/insert-statement.js';
import type { Page, PageRequest } from '../../persistence/page-statement.js';
import { pageOfOrganization } from '../../persistence/page-statement.js';
import { statement } from '../../persistence/statement.js';
import { Statements } from '../../persistence/statements.js';
import type { RecordedType } from '../../telemetry/operations.js';
import type { Labels } from '../labels/labels.js';
import { ReplayJobEntity } from './entities/replay-job.entity.js';
import type { ReplayResult, ReplayState } from './replay-result.js';

/** A record as a replay reads it. */
export interface ReplayedRecord {
  readonly id: string;
  readonly createdAt: Date;
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  readonly costUsd: string;
  readonly byokCostUsd: string;
  readonly requestedModel: string;
  readonly apiType: RecordedType;
  readonly dataRegion: string;
  readonly isRefused: boolean;
  readonly hasContent: boolean;
  /** In lowercase hexadecimal; null for a key that was deleted. */
  readonly keyHash: string | null;
  /** The model that has answered, or that was asked for. */
  readonly model: string;
  readonly provider: string | null;
  readonly isByok: boolean;
  /** Of the prompt and the answer. */
  readonly tokens: string;
  readonly externalUser: string | null;
  readonly sessionId: string | null;
  readonly labels: Labels | null;
  /** Of what was asked of an MCP server; null of what a model was asked. */
  readonly mcpServer: string | null;
  readonly mcpTool: string | null;
}

/** How a key is shown; null for one that was deleted. */
export interface NamedKey {
  readonly id: string;
  readonly hash: string;
  readonly name: string;
}

/** How many records are read with one statement. */
export const RECORDS_OF_BATCH = 2_000;

/** How many contents, of about three MiB at most, are read with one statement. */
export const CONTENTS_OF_BATCH = 10;

export const INSERT_REPLAY = insertStatement('replay_insert', ReplayJobEntity, {
  createdAt: 'now()',
  aliveUntil: "now() + interval '2 minutes'",
});

export const REPLAYS_PAGE = pageOfOrganization<ReplayJobEntity>({ name: 'replays_page', entity: ReplayJobEntity });

export const REPLAY_BY_ID = statement<ReplayJobEntity, [organizationId: string, id: string]>(
  'replay_by_id',
  `SELECT ${columnsOf(ReplayJobEntity, 'job')} FROM replay_jobs AS job WHERE job.organization_id = $1 AND job.id = $2`,
);

/** Says how far a replay has come, and that its process lives. Finds no row once it was cancelled or given up. */
export const REPLAY_PROGRESS = statement<never, [organizationId: string, id: string, readCount: number]>(
  'replay_progress',
  `UPDATE replay_jobs SET read_count = $3, alive_until = now() + interval '2 minutes'
    WHERE organization_id = $1 AND id = $2 AND state = 'running'`,
);

export const END_REPLAY = statement<
  never,
  [organizationId: string, id: string, state: ReplayState, readCount: number, result: string | null]
>(
  'replay_end',
  `UPDATE replay_jobs SET state = $3, read_count = $4, result = $5::jsonb, finished_at = now()
    WHERE organization_id = $1 AND id = $2 AND state = 'running'`,
);

/** Gives up the replay of an organization whose process has ended. */
export const GIVE_UP_REPLAY = statement<never, [organizationId: string]>(
  'replay_give_up',
  `UPDATE replay_jobs SET state = 'failed', finished_at = now()
    WHERE organization_id = $1 AND state = 'running' AND alive_until < now()`,
);

export const CANCEL_REPLAY = statement<never, [organizationId: string, id: string]>(
  'replay_cancel',
  `UPDATE replay_jobs SET state = 'cancelled', finished_at = now()
    WHERE organization_id = $1 AND id = $2 AND state = 'running'`,
);

/** Records of a part of a month, oldest first. The time finds the partition, the id the place in it. */
export const REPLAYED_RECORDS = statement<
  ReplayedRecord,
  [organizationId: string, from: Date, to: Date, after: string]
>(
  'replay_records',
  `SELECT g.id, g.created_at AS "createdAt", g.key_id AS "keyId", g.user_id AS "userId", g.workspace_id AS "workspaceId",
      g.cost_usd::text AS "costUsd", g.details ->> 'requestedModel' AS "requestedModel", g.details ->> 'apiType' AS "apiType",
      coalesce(g.details ->> 'byokCostUsd', CASE WHEN g.is_byok THEN g.cost_usd::text ELSE '0' END) AS "byokCostUsd",
      g.details ->> 'dataRegion' AS "dataRegion", g.details ? 'refusal' AS "isRefused", g.content IS NOT NULL AS "hasContent",
      encode(k.hash, 'hex') AS "keyHash", g.model, g.provider, g.is_byok AS "isByok",
      (coalesce(g.prompt_tokens, 0) + coalesce(g.completion_tokens, 0))::text AS tokens,
      g.details ->> 'externalUser' AS "externalUser", g.details ->> 'sessionId' AS "sessionId", g.details -> 'labels' AS labels,
      g.details -> 'mcp' ->> 'server' AS "mcpServer", g.details -> 'mcp' ->> 'tool' AS "mcpTool"
    FROM generations g LEFT JOIN api_keys k ON k.organization_id = $1 AND k.id = g.key_id
    WHERE g.organization_id = $1 AND g.created_at >= $2 AND g.created_at < $3 AND g.id > $4
    ORDER BY g.id LIMIT ${RECORDS_OF_BATCH}`,
);

/** Contents of some of the records of a part of a month. */
export const REPLAYED_CONTENTS = statement<
  { readonly id: string; readonly keyId: string; readonly content: Buffer },
  [organizationId: string, from: Date, to: Date, ids: readonly string[]]
>(
  'replay_contents',
  `SELECT g.id, g.key_id AS "keyId", g.content FROM generations g
    WHERE g.organization_id = $1 AND g.created_at >= $2 AND g.created_at < $3 AND g.id = ANY ($4::text[])
      AND g.content IS NOT NULL`,
);

export const NAMES_OF_REPLAYED_KEYS = statement<NamedKey, [organizationId: string, ids: readonly string[]]>(
  'replay_keys',
  `SELECT k.id, encode(k.hash, 'hex') AS hash, k.name FROM api_keys k
    WHERE k.organization_id = $1 AND k.id = ANY ($2::uuid[])`,
);

/** The rows of replays. */
@Injectable()
export class ReplaysRepository {
  constructor(private readonly statements: Statements) {}

  async page(organizationId: string, request: PageRequest): Promise<Page<ReplayJobEntity>> {
    return this.statements.page(REPLAYS_PAGE, [organizationId], request);
  }

  async find(organizationId: string, id: string): Promise<ReplayJobEntity | undefined> {
    return this.statements.first(REPLAY_BY_ID, [organizationId, id]);
  }

  async giveUpDead(organizationId: string): Promise<void> {
    await this.statements.write(GIVE_UP_REPLAY, [organizationId]);
  }

  /** @returns whether it is still to be run */
  async progress(organizationId: string, id: string, readCount: number): Promise<boolean> {
    return (await this.statements.write(REPLAY_PROGRESS, [organizationId, id, readCount])) === 1;
  }

  async end(
    { organizationId, id }: Pick<ReplayJobEntity, 'organizationId' | 'id'>,
    state: ReplayState,
    readCount: number,
    result: ReplayResult | null,
  ): Promise<void> {
    const json = result === null ? null : JSON.stringify(result);
    await this.statements.write(END_REPLAY, [organizationId, id, state, readCount, json]);
  }

  async records(organizationId: string, from: Date, to: Date, after: string): Promise<ReplayedRecord[]> {
    return this.statements.rows(REPLAYED_RECORDS, [organizationId, from, to, after]);
  }

  async contents(
    organizationId: string,
    from: Date,
    to: Date,
    ids: readonly string[],
  ): Promise<{ readonly id: string; readonly keyId: string; readonly content: Buffer }[]> {
    return this.statements.rows(REPLAYED_CONTENTS, [organizationId, from, to, ids]);
  }

  async keys(organizationId: string, ids: readonly string[]): Promise<ReadonlyMap<string, NamedKey>> {
    const rows = ids.length === 0 ? [] : await this.statements.rows(NAMES_OF_REPLAYED_KEYS, [organizationId, ids]);
    return new Map(rows.map((row) => [row.id, row]));
  }
}
