import { joinPath, type IssueWithReason } from '../../../http/errors/issue.js';
import { isObject } from '../../../http/validation/constraints.js';

type Body = Readonly<Record<string, unknown>>;

/** What a field of a setting may be, absent or null apart, and how an issue says so. */
interface FieldRule {
  readonly fits: (value: unknown) => boolean;
  readonly message: string;
}

const BOOLEAN: FieldRule = { fits: (value) => typeof value === 'boolean', message: 'must be boolean' };

const TEXT: FieldRule = { fits: (value) => typeof value === 'string', message: 'must be string' };

/** The fields of settings that are objects, by the name of the setting. Other fields in them are handed on. */
const SETTINGS: Readonly<Record<string, Readonly<Record<string, FieldRule>>>> = {
  cache_control: { type: oneOf('ephemeral'), ttl: oneOf('5m', '1h') },
  debug: { echo_upstream_body: BOOLEAN },
  image_config: {},
  prompt_cache_options: { mode: oneOf('explicit'), ttl: TEXT },
  stream_options: { include_usage: BOOLEAN },
};

/** Settings that are objects have fields that fit them, also where the gateway only hands them on (docs/interface/inference.md#parameters). */
export function objectRules(body: Body): IssueWithReason[] {
  return Object.entries(SETTINGS).flatMap(([name, fields]) => settingIssues(body[name], name, fields));
}

function settingIssues(setting: unknown, path: string, fields: Readonly<Record<string, FieldRule>>): IssueWithReason[] {
  if (setting === undefined || setting === null) return [];
  if (!isObject(setting)) return [{ path, message: 'must be object' }];
  return Object.entries(fields)
    .filter(([name, { fits }]) => setting[name] !== undefined && setting[name] !== null && !fits(setting[name]))
    .map(([name, { message }]) => ({ path: joinPath(path, name), message }));
}

function oneOf(...words: readonly string[]): FieldRule {
  return { fits: (value) => words.includes(value as string), message: `must be one of: ${words.join(', ')}` };
}
