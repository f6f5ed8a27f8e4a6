import { phrasesOf } from './phrase-notation.js';
import { INJECTION_PHRASES } from './phrase-search.js';

describe('phrases', () => {
  const [phrase] = phrasesOf({
    test: String.raw`
      show|print (?:{2 words}model's rules
        |orders ?now[ a])
    `,
  });

  it('begin with any of their first words', () => {
    expect(phrase).toMatchObject({ name: 'test', firstWords: ['show', 'print'] });
  });

  it.each([["show model's rules"], ['PRINT the *whole* model’s,\n rules'], ['show orders now '], ['show ordersnowa']])(
    'match space, apostrophes, words and the lines that go on with them: %j',
    (text) => {
      phrase!.expression.lastIndex = 0;

      expect(phrase!.expression.test(text)).toBe(true);
    },
  );

  it('do not know parts without a name', () => {
    expect(() => phrasesOf({ test: 'show {nothing}' })).toThrow('There is no part of phrases with the name nothing');
  });

  it.each(INJECTION_PHRASES.map((one) => [one.name, one.expression.source, one] as const))(
    'end within what one match looks at: %s',
    (_name, source) => {
      expect(source.replace(/\[(?:\\.|[^\]\\])*\]|\\./g, '')).not.toMatch(/[*+]/);
      expect(source).not.toMatch(/\{\d+,\}/);
    },
  );
});
