import { LoopTurns } from '../../../../../concurrency/loop-turns.js';
import { EmbeddedJsonRule } from './embedded-json-rule.js';

const carrying = (json: string): object => ({
  type: 'reasoning',
  encrypted_content: `reasoning-details.1.${Buffer.from(json).toString('base64url')}`,
});

const calling = (text: string): object => ({ type: 'function_call', call_id: 'a', name: 'f', arguments: text });

const listOf = (values: number): string => `[{"a":[${'1,'.repeat(values - 4)}1]}]`;

describe('EmbeddedJsonRule', () => {
  const rule = new EmbeddedJsonRule(new LoopTurns());
  const issuesOf = (input: unknown) => rule.check({ input }, { organizationId: 'organization-1' });

  it.each([
    ['as many values as a body may have', [carrying(listOf(49_990)), calling('{"a":1}')]],
    ['a text of another origin', [{ type: 'reasoning', encrypted_content: 'opaque' }]],
    ['what is no JSON, or no list of objects', [carrying('{"a'), carrying('[1]'), carrying('{}')]],
    ['arguments that do not end like JSON', [calling(`[${'1,'.repeat(60_000)}`)]],
    ['items of other types', [1, null, { arguments: {}, encrypted_content: 1 }]],
    ['a text', 'Hello'],
  ])('accepts an input of %s', async (_, input) => {
    expect(await issuesOf(input)).toEqual([]);
  });

  it.each([
    ['too many values', [carrying(listOf(50_001))], ['input[0].encrypted_content']],
    ['too many levels', [carrying(`[{"a":${'['.repeat(64)}${']'.repeat(64)}}]`)], ['input[0].encrypted_content']],
    ['too many values in what is no JSON', [carrying(`[${'{},'.repeat(50_000)}`)], ['input[0].encrypted_content']],
    [
      'too many values together',
      [carrying(listOf(20_000)), calling(listOf(20_000)), calling('{}'), carrying(listOf(20_000))],
      ['input[3].encrypted_content'],
    ],
    ['too many values in arguments', [calling(listOf(50_001))], ['input[0].arguments']],
    ['a NUL character', [carrying('[{"text":"\\u0000"}]')], ['input[0].encrypted_content']],
    ['a lone surrogate', [carrying('[{"a":{"\\ud800":"\\udc00"}}]')], ['input[0].encrypted_content']],
  ])('refuses an input with %s', async (_, input, paths) => {
    expect((await issuesOf(input)).map(({ path }) => path)).toEqual(paths);
  });
});
