import { argumentRules } from './argument-rules.js';

const called = (...texts: readonly unknown[]) => ({
  role: 'assistant',
  tool_calls: texts.map((text) => ({ id: 'a', type: 'function', function: { name: 'f', arguments: text } })),
});

const listOf = (values: number): string => `[${'1,'.repeat(values - 2)}1]`;

const AT = 'messages[0].tool_calls[0].function.arguments';

describe('argumentRules', () => {
  it.each([
    ['as many values as a body may have', [called(listOf(50_000))]],
    ['what begins like JSON, and does not end so', [called(`[${'1,'.repeat(60_000)}`, `{"a":${'['.repeat(100)}`)]],
    ['texts, and nothing', [called(`${'1,'.repeat(60_000)}]`, '', '{"a":1}')]],
    ['what is no text', [called(1, null), { tool_calls: [1, { function: 1 }] }, { tool_calls: {} }, null]],
  ])('accepts arguments of %s', (_, messages) => {
    expect(argumentRules({ messages })).toEqual([]);
  });

  it('accepts messages of any type', () => {
    expect([...argumentRules({ messages: 1 }), ...argumentRules({})]).toEqual([]);
  });

  it.each([
    ['more values than a body may have', [called(listOf(50_001))], [AT]],
    ['more levels than a body may have', [called(`${'['.repeat(65)}${']'.repeat(65)}`)], [AT]],
    [
      'more values together than a body may have',
      [{ role: 'user' }, called(listOf(30_000)), called('{}', ` ${listOf(30_000)}\n`), called(listOf(10_000))],
      ['messages[2].tool_calls[1].function.arguments'],
    ],
    ['what looks like JSON by its brackets', [called(`{"a" ${'1,'.repeat(50_000)}}`)], [AT]],
  ])('refuses arguments of %s', (_, messages, paths) => {
    expect(argumentRules({ messages }).map(({ path }) => path)).toEqual(paths);
  });
});
