import { compileMessage, measurePattern } from '../../../../../packages/patterns/index.js';
import type { FilterRules } from '../../dto/filter-rules.dto.js';
import type { GenerationEvent } from '../generation-event.js';

type FilterRule = FilterRules['groups'][number]['rules'][number];

/** How much of an input or output is compared, in characters. */
export const COMPARED_CHARACTERS = 100_000;

/** Bounds of the regular expressions of a destination, in the units of `measurePattern`. */
const MAXIMUM_PATTERN_SIZE = 2_000;
const MAXIMUM_PATTERNS_SIZE = 10_000;
const MAXIMUM_PATTERN_DEPTH = 100;

/** Searches a text for a regular expression that compiles. @returns undefined when that took too much time or memory */
export type PatternSearcher = (pattern: string, text: string) => Promise<boolean | undefined>;

/** Which generations a destination gets, ready to be applied. */
export interface CompiledFilter {
  /** Why nothing can be selected: nothing is sent then. Undefined for rules that can be evaluated. */
  readonly problem?: string;
  /** Whether a rule compares the input or the output. */
  readonly readsContent: boolean;
  readonly rules: FilterRules | null;
}

/** Finds out whether rules can be evaluated. */
export function compiledFilter(rules: FilterRules | null): CompiledFilter {
  if (rules === null || rules.enabled === false || rules.groups.length === 0) {
    return { rules: null, readsContent: false };
  }
  const all = rules.groups.flatMap((group) => group.rules);
  const problem = problemOf(rules);
  return {
    rules,
    readsContent: all.some(({ field }) => field === 'input' || field === 'output'),
    ...(problem !== undefined && { problem }),
  };
}

/**
 * Whether a generation is selected (docs/interface/destinations.md#filter-rules): all groups must hold, and within a group the rules as
 * its `logic` says. What cannot be evaluated selects nothing.
 *
 * @param event with its content where a rule reads it
 */
export async function isSelected(
  { rules, problem }: CompiledFilter,
  event: GenerationEvent,
  search: PatternSearcher,
): Promise<boolean> {
  if (problem !== undefined) return false;
  for (const { logic = 'and', rules: ofGroup } of rules?.groups ?? []) {
    if (ofGroup.length === 0) continue;
    // The group is decided by the first rule that holds (or) or that does not (and).
    const decisive = logic === 'or';
    let decided = false;
    for (const rule of ofGroup) {
      const holds = await ruleHolds(rule, event, search);
      if (holds === undefined) return false;
      decided = holds === decisive;
      if (decided) break;
    }
    if (decided !== decisive) return false;
  }
  return true;
}

/** Operators that hold where the field is missing. */
const HOLDS_WITHOUT_VALUE: ReadonlySet<string> = new Set(['not_exists', 'not_equals', 'not_contains']);

/** @returns undefined when the rule cannot be evaluated */
async function ruleHolds(
  { field, operator, value }: FilterRule,
  event: GenerationEvent,
  search: PatternSearcher,
): Promise<boolean | undefined> {
  const found = valuesOf(field, event);
  if (found.length === 0) return HOLDS_WITHOUT_VALUE.has(operator);
  if (operator === 'exists') return true;
  if (operator === 'not_exists') return false;
  if (value === undefined) return undefined;
  switch (operator) {
    case 'equals':
      return found.some((one) => areEqual(one, value));
    case 'not_equals':
      return !found.some((one) => areEqual(one, value));
    case 'contains':
      return found.some((one) => String(one).includes(String(value)));
    case 'not_contains':
      return !found.some((one) => String(one).includes(String(value)));
    case 'starts_with':
      return found.some((one) => String(one).startsWith(String(value)));
    case 'ends_with':
      return found.some((one) => String(one).endsWith(String(value)));
    case 'regex':
      return matches(found, String(value), search);
    default:
      return found.some((one) => isOrdered(operator, one, value));
  }
}

async function matches(
  found: readonly (string | number)[],
  pattern: string,
  search: PatternSearcher,
): Promise<boolean | undefined> {
  let result: boolean | undefined = false;
  for (const one of found) {
    result = await search(pattern, String(one));
    if (result !== false) break;
  }
  return result;
}

/** Numbers are compared as numbers if both sides are, and else as texts. */
function areEqual(found: string | number, value: string | number): boolean {
  const [one, other] = [numberOf(found), numberOf(value)];
  return one !== undefined && other !== undefined ? one === other : String(found) === String(value);
}

function isOrdered(operator: FilterRule['operator'], found: string | number, value: string | number): boolean {
  const [one, other] = [numberOf(found), numberOf(value)];
  if (one === undefined || other === undefined) return false;
  if (operator === 'gt') return one > other;
  if (operator === 'gte') return one >= other;
  return operator === 'lt' ? one < other : one <= other;
}

function numberOf(value: string | number): number | undefined {
  if (typeof value === 'number') return value;
  const number = Number(value);
  return value.trim() === '' || !Number.isFinite(number) ? undefined : number;
}

/** The values of a field: some have two names, of which either may be meant. Empty where the generation has none. */
function valuesOf(field: FilterRule['field'], event: GenerationEvent): readonly (string | number)[] {
  const { promptTokens, completionTokens } = event.usage;
  const values: Readonly<Record<FilterRule['field'], readonly (string | number | null | undefined)[]>> = {
    model: [event.model.canonicalSlug, event.model.id, event.model.requested],
    provider: [event.provider.name, event.provider.slug],
    session_id: [event.sessionId],
    user_id: [event.externalUser],
    api_key_name: [event.key.name],
    finish_reason: [event.finishReason],
    input: [field === 'input' ? inputTextOf(event) : null],
    output: [field === 'output' ? event.content?.output.completion?.slice(0, COMPARED_CHARACTERS) : null],
    total_cost: [Number(event.cost.total)],
    total_tokens: [promptTokens === null ? null : promptTokens + (completionTokens ?? 0)],
    prompt_tokens: [promptTokens],
    completion_tokens: [completionTokens],
  };
  return values[field].filter((value) => value !== null && value !== undefined);
}

/** The texts of the messages, or the prompt. */
function inputTextOf({ content }: GenerationEvent): string | null {
  if (content === null) return null;
  const { input } = content;
  const text = 'prompt' in input ? input.prompt : input.messages.map(textOfMessage).join('\n');
  return text.slice(0, COMPARED_CHARACTERS);
}

function textOfMessage(message: unknown): string {
  const content = (message as { content?: unknown } | null)?.content;
  if (typeof content === 'string') return content;
  if (!Array.isArray(content)) return '';
  return content
    .flatMap((part: unknown) => {
      const text = (part as { text?: unknown } | null)?.text;
      return typeof text === 'string' ? [text] : [];
    })
    .join('\n');
}

function problemOf({ groups }: FilterRules): string | undefined {
  let size = 0;
  for (const [groupIndex, { rules }] of groups.entries()) {
    for (const [ruleIndex, { operator, value }] of rules.entries()) {
      const place = `filter_rules.groups.${groupIndex}.rules.${ruleIndex}`;
      if (operator !== 'exists' && operator !== 'not_exists' && value === undefined) return `${place} has no value`;
      if (operator !== 'regex') continue;
      const pattern = String(value);
      const measured = measurePattern(pattern, MAXIMUM_PATTERN_DEPTH);
      size += measured.size;
      if (measured.depth > MAXIMUM_PATTERN_DEPTH || measured.size > MAXIMUM_PATTERN_SIZE) {
        return `${place} has a regular expression that is too large`;
      }
      if (size > MAXIMUM_PATTERNS_SIZE) return 'filter_rules have too many large regular expressions';
      const message = compileMessage(pattern);
      if (message !== null) return `${place} has an invalid regular expression: ${message}`;
    }
  }
  return undefined;
}
