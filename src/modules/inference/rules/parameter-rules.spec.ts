import { parameterRules } from './parameter-rules.js';

/** The issues of a request with one entry of metadata. */
const issuesOf = (name: string, value: unknown): string[] =>
  parameterRules({ metadata: { [name]: value } }).map(({ message }) => message);

describe('parameterRules', () => {
  it.each(['a', 'é', '😀'])('counts the characters of metadata, and not their code units: %s', (character) => {
    expect(issuesOf(character.repeat(64), character.repeat(512))).toEqual([]);
    expect(issuesOf(character.repeat(65), 'x')).toEqual([
      'must have a name of at most 64 characters, without brackets',
    ]);
    expect(issuesOf('x', character.repeat(513))).toEqual(['must be a text of at most 512 characters']);
  });
});
