import { parseModelReference } from './model-reference.js';

const VARIANTS = ['free', 'extended', 'thinking', 'online', 'nitro', 'floor', 'beta', 'batch'];

describe('parseModelReference', () => {
  it('takes a reference without a variant as it is', () => {
    expect(parseModelReference('openai/gpt-5.1')).toEqual({
      base: 'openai/gpt-5.1',
      variant: undefined,
      full: 'openai/gpt-5.1',
    });
  });

  it.each(VARIANTS)('knows the variant %s', (variant) => {
    expect(parseModelReference(`openai/gpt-5.1:${variant}`)).toEqual({
      base: 'openai/gpt-5.1',
      variant,
      full: `openai/gpt-5.1:${variant}`,
    });
  });

  it('is in lower case, whatever the case of the text', () => {
    expect(parseModelReference('OpenAI/GPT-5.1:FREE')).toEqual({
      base: 'openai/gpt-5.1',
      variant: 'free',
      full: 'openai/gpt-5.1:free',
    });
    expect(parseModelReference('OpenAI/GPT-5.1')?.full).toBe('openai/gpt-5.1');
  });

  it.each(['cheap', '', 'free ', ' free', 'fre', 'frees', 'free:free', 'free:online', 'online:', ':free', 'free/x', 'constructor'])(
    'knows no variant "%s"',
    (variant) => {
      expect(parseModelReference(`openai/gpt-5.1:${variant}`)).toBeUndefined();
    },
  );

  it('looks for the variant behind the first colon, wherever that is', () => {
    expect(parseModelReference('openai:free/gpt-5.1')).toBeUndefined();
    expect(parseModelReference(':free')).toEqual({ base: '', variant: 'free', full: ':free' });
  });

  it('leaves it to the catalog whether there is such a model', () => {
    expect(parseModelReference('')).toEqual({ base: '', variant: undefined, full: '' });
    expect(parseModelReference('no author')?.base).toBe('no author');
  });
});
