import { parseModelReference } from './model-reference.js';

const VARIANTS = ['free', 'extended', 'thinking', 'online', 'nitro', 'floor', 'exacto', 'beta', 'batch'];

describe('parseModelReference', () => {
  it('returns a reference without a variant unchanged', () => {
    expect(parseModelReference('openai/gpt-5.1')).toEqual({
      base: 'openai/gpt-5.1',
      variant: undefined,
      full: 'openai/gpt-5.1',
    });
  });

  it.each(VARIANTS)('recognizes the variant %s', (variant) => {
    expect(parseModelReference(`openai/gpt-5.1:${variant}`)).toEqual({
      base: 'openai/gpt-5.1',
      variant,
      full: `openai/gpt-5.1:${variant}`,
    });
  });

  it('returns lower case for text in any case', () => {
    expect(parseModelReference('OpenAI/GPT-5.1:FREE')).toEqual({
      base: 'openai/gpt-5.1',
      variant: 'free',
      full: 'openai/gpt-5.1:free',
    });
    expect(parseModelReference('OpenAI/GPT-5.1')?.full).toBe('openai/gpt-5.1');
  });

  it.each([
    'cheap',
    '',
    'free ',
    ' free',
    'fre',
    'frees',
    'free:free',
    'free:online',
    'online:',
    ':free',
    'free/x',
    'constructor',
  ])('recognizes no variant in "%s"', (variant) => {
    expect(parseModelReference(`openai/gpt-5.1:${variant}`)).toBeUndefined();
  });

  it('reads the variant after the first colon, wherever it is', () => {
    expect(parseModelReference('openai:free/gpt-5.1')).toBeUndefined();
    expect(parseModelReference(':free')).toEqual({ base: '', variant: 'free', full: ':free' });
  });

  it('accepts references to models that may not exist', () => {
    expect(parseModelReference('')).toEqual({ base: '', variant: undefined, full: '' });
    expect(parseModelReference('no author')?.base).toBe('no author');
  });
});
