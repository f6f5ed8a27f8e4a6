import type { Schema } from '../../api/types';

/** What a version has at its fields, as texts. */
type Version = Pick<Schema<'PresetVersion'>, 'config' | 'system_prompt'>;

/** One field that differs between two versions; undefined where one of them does not have it. */
export interface PresetChange {
  /** Its path, as `provider.order`. */
  readonly field: string;
  readonly before: string | undefined;
  readonly now: string | undefined;
}

/** How the prompt is called among the fields. */
const PROMPT = 'system prompt';

/** What differs between two versions, field by field: of a prompt the lines from the first to the last one that differ. */
export function changesBetween(before: Version | undefined, now: Version): readonly PresetChange[] {
  const [old, current] = [fieldsOf(before), fieldsOf(now)];
  return [...new Set([...old.keys(), ...current.keys()])]
    .map((field) => ({ field, before: old.get(field), now: current.get(field) }))
    .filter((change) => change.before !== change.now)
    .map((change) => (change.field === PROMPT ? withoutCommonLines(change) : change));
}

function fieldsOf(version: Version | undefined): ReadonlyMap<string, string> {
  if (version === undefined) return new Map();
  const { config, system_prompt: prompt } = version;
  return new Map([
    ...(prompt === null ? [] : [[PROMPT, prompt] as const]),
    ...Object.entries(config).flatMap(([name, value]) => leavesOf(name, value)),
  ]);
}

/** The values in an object by their paths; lists are values. */
function leavesOf(path: string, value: unknown): (readonly [path: string, text: string])[] {
  if (typeof value !== 'object' || value === null || Array.isArray(value) || Object.keys(value).length === 0) {
    return [[path, JSON.stringify(value, null, 2)]];
  }
  return Object.entries(value).flatMap(([name, one]) => leavesOf(`${path}.${name}`, one));
}

function withoutCommonLines({ field, before, now }: PresetChange): PresetChange {
  if (before === undefined || now === undefined) return { field, before, now };
  const [old, current] = [before.split('\n'), now.split('\n')];
  const shorter = Math.min(old.length, current.length);
  let start = 0;
  while (start < shorter && old[start] === current[start]) start += 1;
  let end = 0;
  while (end < shorter - start && old.at(-1 - end) === current.at(-1 - end)) end += 1;
  const middle = (lines: readonly string[]): string =>
    [...(start > 0 ? ['…'] : []), ...lines.slice(start, lines.length - end), ...(end > 0 ? ['…'] : [])].join('\n');
  return { field, before: middle(old), now: middle(current) };
}
