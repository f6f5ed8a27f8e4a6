import { passwordWordKind } from './password-words.js';

describe('passwordWordKind', () => {
  it.each([
    ['das Kennwort', 'kennwort', 'said password'],
    ['le mot de passe', 'passe', 'said password'],
    ['il passe', 'passe', undefined],
    ['la clave', 'clave', 'doubtful password'],
    ['palabra-clave', 'clave', undefined],
  ])('at the end of %j takes %s for a %s', (sentence, word, kind) => {
    expect(passwordWordKind(sentence, sentence.length - word.length, sentence.length)).toBe(kind);
  });

  it.each(['constructor', '__proto__', 'toString', 'hasOwnProperty'])(
    'takes %s, which every object has, for no word for a password',
    (word) => {
      expect(passwordWordKind(word, 0, word.length)).toBeUndefined();
    },
  );
});
