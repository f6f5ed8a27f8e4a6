import { BadRequestError } from './bad-request-error.js';

describe('the explanation of a BadRequestError', () => {
  const explanationOf = (...paths: readonly string[]): string =>
    BadRequestError.of(paths.map((path) => ({ path, message: 'is wrong' }))).explanation;

  it('names up to three issues, and says when there are more', () => {
    expect(explanationOf('a')).toBe('Invalid request parameters: a is wrong');
    expect(explanationOf('a', '', 'c')).toBe('Invalid request parameters: a is wrong; is wrong; c is wrong');
    expect(explanationOf('a', 'b', 'c', 'd')).toBe(
      'Invalid request parameters: a is wrong; b is wrong; c is wrong; ...',
    );
  });

  it('shortens long issues, without half a character at the end', () => {
    const explanation = explanationOf(`${'x'.repeat(299)}😀`);

    expect(explanation).toBe(`Invalid request parameters: ${'x'.repeat(299)}\uFFFD...`);
  });
});
