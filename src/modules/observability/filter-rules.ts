/** What a rule looks at. */
export const FILTER_FIELDS = [
  'model',
  'provider',
  'session_id',
  'user_id',
  'api_key_name',
  'finish_reason',
  'input',
  'output',
  'total_cost',
  'total_tokens',
  'prompt_tokens',
  'completion_tokens',
] as const;

/** How a rule compares. */
export const FILTER_OPERATORS = [
  'equals',
  'not_equals',
  'contains',
  'not_contains',
  'regex',
  'starts_with',
  'ends_with',
  'gt',
  'lt',
  'gte',
  'lte',
  'exists',
  'not_exists',
] as const;

/** How the rules of a group combine. */
export const FILTER_LOGICS = ['and', 'or'] as const;

/** Which generations a destination receives, as they are kept and answered. */
export interface FilterRules {
  readonly enabled?: boolean;
  readonly groups: readonly {
    readonly logic?: (typeof FILTER_LOGICS)[number];
    readonly rules: readonly {
      readonly field: (typeof FILTER_FIELDS)[number];
      readonly operator: (typeof FILTER_OPERATORS)[number];
      readonly value?: string | number;
    }[];
  }[];
}
