import type { Replay, ReplayFindings } from './dto/replay.dto.js';
import type { ReplayJobEntity } from './entities/replay-job.entity.js';
import type { ReplayResult } from './replay-result.js';
import type { NamedKey } from './replays.repository.js';

/** A replay as the interface shows it. @param keys those that are still there, by their ids */
export function toReplayResponse(job: ReplayJobEntity, keys: ReadonlyMap<string, NamedKey>): Replay {
  return {
    id: job.id,
    guardrail_id: job.guardrailId,
    ...(job.limitId !== null && { limit_id: job.limitId }),
    state: job.state,
    from: job.from.toISOString(),
    to: job.to.toISOString(),
    sample: job.sample,
    read_count: job.readCount,
    created_at: job.createdAt.toISOString(),
    finished_at: job.finishedAt?.toISOString() ?? null,
    result: job.result === null ? null : toFindings(job.result, keys),
  };
}

function toFindings(result: ReplayResult, keys: ReadonlyMap<string, NamedKey>): ReplayFindings {
  return {
    refused_count: result.refusedCount,
    refused_cost_usd: Number(result.refusedCostUsd),
    undecided_count: result.undecidedCount,
    contents_read: result.contentsRead,
    rules: result.rules.map(({ outcome, reason, count, costUsd }) => ({
      outcome,
      reason,
      count,
      cost_usd: Number(costUsd),
    })),
    keys: result.keys.map(({ keyId, count, costUsd }) => ({
      key_hash: keys.get(keyId)?.hash ?? null,
      key_name: keys.get(keyId)?.name ?? null,
      count,
      cost_usd: Number(costUsd),
    })),
    examples: result.examples.map(({ generationId, reason }) => ({ generation_id: generationId, reason })),
  };
}
