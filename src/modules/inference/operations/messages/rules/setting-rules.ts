import { isDeepStrictEqual } from 'node:util';
import { type IssueWithReason, joinPath } from '../../../../../http/errors/issue.js';
import { isObject } from '../../../../../http/validation/constraints.js';
import { parameterRules } from '../../../rules/parameter-rules.js';
import { type Body, byType, type Check, fields, list, object, oneOf, optional, text } from './checks.js';
import { requiredIssues } from '../../../rules/list-bounds.js';

const EFFORTS = ['low', 'medium', 'high', 'xhigh', 'max'];

const tokens: Check = (value, path) =>
  Number.isInteger(value) && Number(value) >= 1 ? [] : [{ path, message: 'must be an integer of at least 1' }];

/** Compaction answers with blocks that no other provider could take back. */
const clearing: Check = (value, path) =>
  typeof value === 'string' && value.startsWith('clear_') ? [] : [{ path, message: 'must begin with clear_' }];

const schema: Check = (value, path) => [...object(value, path), ...requiredIssues(value, path)];

const format = byType({ json_schema: fields({ schema }) });

const SETTINGS: Readonly<Record<string, Check>> = {
  thinking: byType({ enabled: fields({ budget_tokens: tokens }), adaptive: object, disabled: object }),
  output_config: fields({ effort: optional(oneOf(EFFORTS)), format: optional(format), task_budget: optional(object) }),
  output_format: format,
  context_management: fields({ edits: optional(list(fields({ type: clearing }))) }),
  metadata: fields({ user_id: optional(text) }),
};

/** What fields by themselves cannot say of settings (docs/interface/messages.md#settings). */
export function settingRules(body: Body): IssueWithReason[] {
  return [
    ...Object.entries(SETTINGS).flatMap(([name, check]) => (isObject(body[name]) ? check(body[name], name) : [])),
    ...formatIssues(body),
    ...fallbackIssues(body),
    ...parameterRules({ provider: body.provider, plugins: body.plugins }),
  ];
}

function formatIssues({ output_config: config, output_format: older }: Body): IssueWithReason[] {
  const newer = isObject(config) ? config.format : undefined;
  if (!isObject(newer) || !isObject(older) || isDeepStrictEqual(newer, older)) return [];
  return [{ path: 'output_format', message: 'must be the same as output_config.format if both are given' }];
}

function fallbackIssues({ fallbacks, models }: Body): IssueWithReason[] {
  if (!Array.isArray(fallbacks)) return [];
  if (Array.isArray(models)) return [{ path: 'fallbacks', message: 'must not be given together with models' }];
  return fallbacks.flatMap((fallback: unknown, index) => {
    if (!isObject(fallback)) return [];
    const path = joinPath('fallbacks', index);
    const isModelAlone = Object.keys(fallback).every((name) => name === 'model');
    return isModelAlone
      ? text(fallback.model, joinPath(path, 'model'))
      : [{ path, message: 'must have a model and nothing else' }];
  });
}
