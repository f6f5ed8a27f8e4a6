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

/** The driver reads large integers as text. */
function numberOf(count: string | null): number | null {
  return count === null ? null : Number(count);
}
