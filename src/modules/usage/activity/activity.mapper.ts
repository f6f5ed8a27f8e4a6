import type { ActivityRow, KeyActivityRow } from './activity.repository.js';
import type { ActivityItem } from './dto/activity.dto.js';

/** A row of activity as the interface shows it; sums of money are the doubles next to them. */
export function toActivityItem(row: ActivityRow): ActivityItem {
  return {
    date: row.date,
    model: row.model,
    model_permaslug: row.permaslug,
    endpoint_id: row.endpoint,
    provider_name: row.providerName,
    usage: Number(row.usage),
    byok_usage_inference: Number(row.byokUsage),
    requests: Number(row.requests),
    prompt_tokens: Number(row.promptTokens),
    completion_tokens: Number(row.completionTokens),
    reasoning_tokens: Number(row.reasoningTokens),
    ...(row.workspaceId !== '' && { workspace_id: row.workspaceId }),
  };
}

/** The columns of the table of activity, with what each shows of a row. Numbers are exact decimals. */
export const ACTIVITY_COLUMNS: Readonly<Record<string, (row: KeyActivityRow) => string | null>> = {
  date: ({ date }) => date,
  workspace_id: ({ workspaceId }) => workspaceId,
  workspace_name: ({ workspaceName }) => workspaceName,
  api_key_hash: ({ keyHash }) => keyHash,
  api_key_name: ({ keyName }) => keyName,
  user_id: ({ userId }) => userId,
  user_name: ({ userName }) => userName,
  model: ({ model }) => model,
  model_permaslug: ({ permaslug }) => permaslug,
  endpoint_id: ({ endpoint }) => endpoint,
  provider_name: ({ providerName }) => providerName,
  requests: ({ requests }) => requests,
  prompt_tokens: ({ promptTokens }) => promptTokens,
  completion_tokens: ({ completionTokens }) => completionTokens,
  reasoning_tokens: ({ reasoningTokens }) => reasoningTokens,
  usage: ({ usage }) => usage,
  byok_usage_inference: ({ byokUsage }) => byokUsage,
};
