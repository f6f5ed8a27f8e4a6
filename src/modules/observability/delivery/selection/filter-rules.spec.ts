import type { FilterRules } from '../../dto/filter-rules.dto.js';
import { generationEvent } from '../../../../../test/support/delivery/generation-events.js';
import type { GenerationEvent } from '../generation-event.js';
import { compiledFilter, isSelected } from './filter-rules.js';

type Rule = FilterRules['groups'][number]['rules'][number];

const search = (pattern: string, text: string): Promise<boolean | undefined> =>
  Promise.resolve(pattern === 'slow' ? undefined : new RegExp(pattern).test(text));

const selects = (filterRules: FilterRules | null, event: GenerationEvent): Promise<boolean> =>
  isSelected(compiledFilter(filterRules), event, search);

const ruleSelects = (rule: Rule, event: GenerationEvent): Promise<boolean> =>
  selects({ groups: [{ rules: [rule] }] }, event);

const YES: Rule = { field: 'model', operator: 'exists' };
const NO: Rule = { field: 'model', operator: 'not_exists' };

describe('filter rules', () => {
  const sample = generationEvent();
  const event: GenerationEvent = {
    ...sample,
    model: { requested: 'acme/latest', id: 'acme/writer', canonicalSlug: 'acme/writer-1', author: 'acme' },
    provider: { name: 'Alpha Cloud', slug: 'alpha' },
    externalUser: 'user-1',
    sessionId: null,
    finishReason: 'stop',
    usage: { ...sample.usage, promptTokens: 10, completionTokens: 5 },
    cost: { ...sample.cost, total: '0.25' },
    content: {
      input: { messages: [{ role: 'user', content: [{ type: 'text', text: 'Say hello.' }] }] },
      output: { completion: 'Hello!', reasoning: null, toolCalls: [] },
    },
  };

  it.each<[boolean, Rule]>([
    [true, { field: 'model', operator: 'equals', value: 'acme/writer' }],
    [true, { field: 'model', operator: 'equals', value: 'acme/writer-1' }],
    [true, { field: 'model', operator: 'equals', value: 'acme/latest' }],
    [false, { field: 'model', operator: 'equals', value: 'Acme/Writer' }],
    [false, { field: 'model', operator: 'not_equals', value: 'acme/writer' }],
    [true, { field: 'model', operator: 'starts_with', value: 'acme/' }],
    [true, { field: 'provider', operator: 'equals', value: 'alpha' }],
    [true, { field: 'provider', operator: 'ends_with', value: 'Cloud' }],
    [true, { field: 'user_id', operator: 'contains', value: 'r-1' }],
    [false, { field: 'user_id', operator: 'not_contains', value: 'r-1' }],
    [true, { field: 'session_id', operator: 'not_exists' }],
    [false, { field: 'session_id', operator: 'exists' }],
    [true, { field: 'session_id', operator: 'not_equals', value: 'one' }],
    [true, { field: 'session_id', operator: 'not_contains', value: 'one' }],
    [false, { field: 'session_id', operator: 'equals', value: '' }],
    [false, { field: 'session_id', operator: 'regex', value: '.*' }],
    [true, { field: 'input', operator: 'regex', value: 'h[a-z]+o' }],
    [false, { field: 'input', operator: 'regex', value: '^hello' }],
    [true, { field: 'output', operator: 'equals', value: 'Hello!' }],
    [true, { field: 'total_cost', operator: 'equals', value: '0.250' }],
    [true, { field: 'total_cost', operator: 'gt', value: 0.2 }],
    [false, { field: 'total_cost', operator: 'lt', value: '0.25' }],
    [true, { field: 'total_tokens', operator: 'gte', value: 15 }],
    [true, { field: 'prompt_tokens', operator: 'lte', value: 10 }],
    [false, { field: 'completion_tokens', operator: 'gt', value: 5 }],
    [false, { field: 'model', operator: 'gt', value: 1 }],
    [false, { field: 'total_cost', operator: 'gt', value: 'much' }],
  ])('are %s for %j', async (expected, rule) => {
    expect(await ruleSelects(rule, event)).toBe(expected);
  });

  it.each<[boolean, FilterRules | null]>([
    [true, null],
    [true, { groups: [] }],
    [true, { enabled: false, groups: [{ rules: [NO] }] }],
    [true, { groups: [{ rules: [] }] }],
    [true, { groups: [{ rules: [YES] }, { logic: 'or', rules: [NO, YES] }] }],
    [false, { groups: [{ rules: [YES] }, { rules: [YES, NO] }] }],
    [false, { groups: [{ logic: 'or', rules: [NO, NO] }] }],
  ])('are %s for the groups of %j', async (expected, rules) => {
    expect(await selects(rules, event)).toBe(expected);
  });

  it.each<[string | undefined, Rule]>([
    [
      'filter_rules.groups.0.rules.0 has an invalid regular expression',
      { field: 'model', operator: 'regex', value: '(' },
    ],
    [
      'filter_rules.groups.0.rules.0 has a regular expression that is too large',
      { field: 'model', operator: 'regex', value: '(a{200}){200}' },
    ],
    ['filter_rules.groups.0.rules.0 has no value', { field: 'model', operator: 'equals' }],
    [undefined, { field: 'model', operator: 'regex', value: 'a+' }],
  ])('have the problem %s in %j, and then select nothing', async (problem, rule) => {
    const filter = compiledFilter({ groups: [{ rules: [rule] }] });
    if (problem === undefined) expect(filter.problem).toBeUndefined();
    else {
      expect(filter.problem).toContain(problem);
      expect(await isSelected(filter, event, search)).toBe(false);
    }
  });

  it('select nothing while a search takes too long, also where not matching would select', async () => {
    expect(await ruleSelects({ field: 'model', operator: 'regex', value: 'slow' }, event)).toBe(false);
    const either: FilterRules = {
      groups: [{ logic: 'or', rules: [{ field: 'model', operator: 'regex', value: 'slow' }, YES] }],
    };
    expect(await selects(either, event)).toBe(false);
  });
});
