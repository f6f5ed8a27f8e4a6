/** What a limit counts: US dollars, tokens of prompts and answers, requests, or requests that are being answered. */
export const LIMIT_MEASURES = ['usd', 'tokens', 'requests', 'concurrent'] as const;

export type LimitMeasure = (typeof LIMIT_MEASURES)[number];

/** Whether what is used through the organization's own provider keys counts toward a limit: requests always do. */
export function countsByok({
  measure,
  includeByok,
}: {
  readonly measure: LimitMeasure;
  readonly includeByok: boolean;
}): boolean {
  return includeByok || measure === 'requests' || measure === 'concurrent';
}

/** After what time a counter begins anew, narrowest first (docs/interface/limits.md#windows); `lifetime` and `session` never end by the clock. */
export const LIMIT_WINDOWS = ['minute', 'hour', 'daily', 'weekly', 'monthly', 'lifetime', 'session'] as const;

export type LimitWindow = (typeof LIMIT_WINDOWS)[number];

/** What becomes of a request that lacks what a limit groups by. */
export const ON_MISSING = ['refuse', 'shared', 'none'] as const;

export type OnMissing = (typeof ON_MISSING)[number];

/** Whether a rule refuses, or only records what it would have refused. */
export const ENFORCEMENTS = ['enforce', 'observe'] as const;

export type Enforcement = (typeof ENFORCEMENTS)[number];

/** What is known of a request, whichever candidate answers it. */
export const REQUEST_KEYS = ['api_key', 'workspace', 'member', 'operation', 'user', 'session'] as const;

/** What only a candidate tells. */
export const CANDIDATE_KEYS = ['model', 'author', 'provider'] as const;

/** What only a call of a tool has: the name of its MCP server, and the tool as `server/tool`. */
export const TOOL_KEYS = ['server', 'tool'] as const;

/** What stands before the name of a label. */
export const LABEL_PREFIX = 'label.';

/** What limits tell requests apart by. */
export type LimitKey =
  | (typeof REQUEST_KEYS)[number]
  | (typeof CANDIDATE_KEYS)[number]
  | (typeof TOOL_KEYS)[number]
  | `${typeof LABEL_PREFIX}${string}`;

/** A condition of a limit, as it is stored and shown: the value of a key is one of some, or any; and none of those that are excluded. */
export interface LimitCondition {
  readonly key: LimitKey;
  readonly values: readonly string[] | '*';
  readonly excludes?: readonly string[];
}

/** The values of one combination, by the keys that its limit groups by; null for a value that the request lacks. */
export type CombinationValues = Readonly<Record<string, string | null>>;
