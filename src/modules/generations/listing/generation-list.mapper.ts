import { toNames } from '../generations.mapper.js';
import type { ListedGeneration } from './generation-list.dto.js';
import type { ListedGenerationRow } from './generation-list.repository.js';

/** A record as lists show it (docs/interface/generations.md#list). */
export function toListedGeneration(row: ListedGenerationRow): ListedGeneration {
  return {
    id: row.id,
    created_at: row.createdAt.toISOString(),
    ...toNames(row),
    workspace_id: row.workspaceId,
    model: row.model,
    provider: row.provider,
    status: row.status,
    refusal: row.refusal,
    tokens_prompt: numberOf(row.promptTokens),
    tokens_completion: numberOf(row.completionTokens),
    total_cost: Number(row.costUsd),
    latency: row.latencyMs,
    generation_time: row.generationMs,
    streamed: row.streamed,
    is_byok: row.isByok,
  };
}

/** The columns of a table of records: fields of the list, with exact amounts. */
export const TABLE_COLUMNS = Object.fromEntries(
  (
    [
      'id',
      'created_at',
      'status',
      'refusal',
      'key_name',
      'key_hash',
      'user_id',
      'user_name',
      'workspace_id',
      'model',
      'provider',
      'tokens_prompt',
      'tokens_completion',
      'total_cost',
      'latency',
      'generation_time',
      'streamed',
      'is_byok',
    ] as const
  ).map((name) => [name, (row: TableRow) => (row[name] === null ? null : String(row[name]))]),
);

/** A record as tables show it. */
export type TableRow = Omit<ListedGeneration, 'total_cost'> & { readonly total_cost: string };

/** A record as a row of a table. */
export function toTableRow(row: ListedGenerationRow): TableRow {
  return { ...toListedGeneration(row), total_cost: row.costUsd };
}

/** The driver reads large integers as text. */
function numberOf(count: string | null): number | null {
  return count === null ? null : Number(count);
}
