import { Injectable } from '@nestjs/common';
import { statement } from '../../../persistence/statement.js';
import { Statements } from '../../../persistence/statements.js';
import { sqlOfServer, sqlOfTool } from '../../../telemetry/recorded-tools.js';
import { joinNames, NAMES, type NamesOfGeneration } from '../generations.repository.js';

/** What a list shows of a record, as the driver reads it. */
export interface ListedGenerationRow extends NamesOfGeneration {
  readonly id: string;
  readonly createdAt: Date;
  readonly userId: string;
  readonly workspaceId: string | null;
  readonly model: string;
  readonly provider: string | null;
  readonly status: number;
  readonly refusal: string | null;
  readonly promptTokens: string | null;
  readonly completionTokens: string | null;
  readonly costUsd: string;
  readonly latencyMs: number | null;
  readonly generationMs: number | null;
  readonly streamed: boolean;
  readonly isByok: boolean;
}

/** Which records a page has. */
export interface GenerationSearch {
  /** Only records of this second and later ones: for the partitions. */
  readonly since: Date;
  /** Only records of earlier seconds. */
  readonly until: Date;
  /** Only records with this id or later ones: for the index of a partition. */
  readonly fromId: string;
  /** Only records with earlier ids. */
  readonly beforeId: string;
  readonly workspaceId: string | null;
  readonly keyHash: Buffer | null;
  readonly userId: string | null;
  readonly model: string | null;
  readonly provider: string | null;
  readonly status: number | null;
  readonly refused: boolean | null;
  /** The reason of a refusal; the status of one without. */
  readonly refusal: string | null;
  readonly label: readonly [name: string, value: string] | null;
  readonly sessionId: string | null;
  /** The limit by condition and group that refused it. */
  readonly limitId: string | null;
  /** The name of the MCP server that was asked. */
  readonly server: string | null;
  /** The tool of one that was called, as `server/tool`. */
  readonly tool: string | null;
  /** Only records whose request ended at this time or later. */
  readonly endedSince: Date | null;
}

/** A page, and how far it has come. */
export interface GenerationPage {
  readonly items: readonly ListedGenerationRow[];
  /** The last record that was looked at; null when there is none behind it. */
  readonly last: Pick<ListedGenerationRow, 'id' | 'createdAt'> | null;
}

/**
 * How many records a page looks at, whatever its filters are. A filter that few records match so takes several pages instead of the time
 * of one long statement, and needs no index, which every request of inference would have to write.
 */
export const MAXIMUM_EXAMINED = 5_000;

/** When a request ended, to a second: a record has the second in which it came. */
const ENDED_AT = `examined.created_at + coalesce((examined.details ->> 'generationMs')::double precision, 0) * interval '1 millisecond'`;

/** Whether an MCP server was asked: a client may name a model like a tool. */
const IS_OF_SERVERS = `examined.details ? 'mcp'`;

const MATCHES = `(($6::uuid IS NULL OR examined.workspace_id = $6)
        AND ($7::bytea IS NULL OR examined.key_id = (SELECT k.id FROM api_keys k WHERE k.organization_id = $1 AND k.hash = $7))
        AND ($8::text IS NULL OR examined.user_id = $8) AND ($9::text IS NULL OR examined.model = $9)
        AND ($10::text IS NULL OR examined.provider = $10) AND ($11::integer IS NULL OR examined.status = $11)
        AND ($12::boolean IS NULL OR (examined.details ? 'refusal') = $12)
        AND ($13::text IS NULL OR (examined.status <> 200 AND coalesce(examined.details ->> 'refusal', examined.status::text) = $13))
        AND ($14::text IS NULL OR examined.details -> 'labels' ->> $14 = $15) AND ($16::text IS NULL OR examined.details ->> 'sessionId' = $16)
        AND ($17::text IS NULL OR examined.details -> 'limitedBy' ->> 'id' = $17)
        AND ($18::text IS NULL OR (${IS_OF_SERVERS} AND ${sqlOfServer('examined.model')} = $18))
        AND ($19::text IS NULL OR (${IS_OF_SERVERS} AND ${sqlOfTool('examined.model')} = $19))
        AND ($20::timestamptz IS NULL OR ${ENDED_AT} >= $20)) IS TRUE`;

/**
 * A page of records, latest first: ids are in the order of time, so the index of each partition has them in this order. It ends at the
 * limit, or with the last record that it may look at, matching or not.
 */
export const GENERATIONS_PAGE = statement<
  ListedGenerationRow & { readonly isMatch: boolean; readonly isLastExamined: boolean },
  [
    organizationId: string,
    since: Date,
    until: Date,
    fromId: string,
    beforeId: string,
    workspaceId: string | null,
    keyHash: Buffer | null,
    userId: string | null,
    model: string | null,
    provider: string | null,
    status: number | null,
    refused: boolean | null,
    refusal: string | null,
    labelName: string | null,
    labelValue: string | null,
    sessionId: string | null,
    limitId: string | null,
    server: string | null,
    tool: string | null,
    endedSince: Date | null,
    limit: number,
  ]
>(
  'generations_page',
  `SELECT found.is_match AS "isMatch", found.place = ${MAXIMUM_EXAMINED} AS "isLastExamined", found.id, found.created_at AS "createdAt", ${NAMES}, found.user_id AS "userId", found.workspace_id AS "workspaceId",
      found.model, found.provider, found.status, found.details ->> 'refusal' AS refusal, found.prompt_tokens AS "promptTokens",
      found.completion_tokens AS "completionTokens", found.cost_usd::text AS "costUsd",
      (found.details -> 'latencyMs')::double precision AS "latencyMs",
      (found.details -> 'generationMs')::double precision AS "generationMs",
      coalesce((found.details -> 'streamed')::boolean, false) AS streamed, found.is_byok AS "isByok"
    FROM (
      SELECT examined.*, ${MATCHES} AS is_match
      FROM (
        SELECT g.id, g.created_at, g.key_id, g.user_id, g.workspace_id, g.model, g.provider, g.status, g.details,
          g.prompt_tokens, g.completion_tokens, g.cost_usd, g.is_byok, row_number() OVER (ORDER BY g.id DESC) AS place
        FROM generations g
        WHERE g.organization_id = $1 AND g.created_at >= $2 AND g.created_at < $3 AND g.id >= $4 AND g.id < $5
        ORDER BY g.id DESC LIMIT ${MAXIMUM_EXAMINED}
      ) AS examined
      WHERE ${MATCHES} OR examined.place = ${MAXIMUM_EXAMINED}
      ORDER BY examined.id DESC LIMIT $21
    ) AS found
    ${joinNames('found')}
    ORDER BY found.id DESC`,
);

/** Pages of the records of an organization. */
@Injectable()
export class GenerationListRepository {
  constructor(private readonly statements: Statements) {}

  /** @param limit how many records the page has at most, from 1 */
  async page(organizationId: string, search: GenerationSearch, limit: number): Promise<GenerationPage> {
    const { since, until, fromId, beforeId, workspaceId, keyHash, userId, model, provider, status, refused } = search;
    const [labelName, labelValue] = search.label ?? [null, null];
    const rows = await this.statements.rows(GENERATIONS_PAGE, [
      organizationId,
      since,
      until,
      fromId,
      beforeId,
      workspaceId,
      keyHash,
      userId,
      model,
      provider,
      status,
      refused,
      search.refusal,
      labelName,
      labelValue,
      search.sessionId,
      search.limitId,
      search.server,
      search.tool,
      search.endedSince,
      // One more tells whether there is another page.
      limit + 1,
    ]);
    const shown = rows.slice(0, limit);
    const last = shown.at(-1);
    const hasMore = rows.length > limit || last?.isLastExamined === true;
    return { items: shown.filter(({ isMatch }) => isMatch), last: hasMore ? last! : null };
  }
}
