import { tokenProbabilitiesOf } from './answer-encoder.js';

describe('tokenProbabilitiesOf', () => {
  it('counts where tokens begin in characters, from where the text before ended', () => {
    const content = ['🌍', 'ab', ''].map((token) => ({ token, logprob: -1 }));

    expect(tokenProbabilitiesOf({ content }, 3)).toEqual({
      tokens: ['🌍', 'ab', ''],
      token_logprobs: [-1, -1, -1],
      top_logprobs: [{ '🌍': -1 }, { ab: -1 }, { '': -1 }],
      text_offset: [3, 4, 6],
    });
  });

  it('names the token among its alternatives, also one by the name of something else', () => {
    const content = [
      { token: '__proto__', logprob: -1, top_logprobs: [{ token: 'constructor', logprob: -2 }] },
      { token: 'a', logprob: -3, top_logprobs: [{ token: 'a', logprob: -3 }] },
    ];
    const [first, second] = tokenProbabilitiesOf({ content }, 0)!.top_logprobs;

    expect(Object.entries(first!)).toEqual([
      ['constructor', -2],
      ['__proto__', -1],
    ]);
    expect(second).toEqual({ a: -3 });
  });

  it.each([
    ['nothing', undefined],
    ['null', null],
    ['a text', 'logprobs'],
    ['a list', [{ token: 'a', logprob: -1 }]],
    ['no content', {}],
    ['an empty content', { content: [] }],
    ['a content that is no list', { content: { token: 'a', logprob: -1 } }],
    ['tokens of another form', { content: [null, 1, {}, { token: 1, logprob: -1 }, { token: 'a', logprob: '-1' }] }],
  ])('gives null for %s', (_, logprobs) => {
    expect(tokenProbabilitiesOf(logprobs, 0)).toBeNull();
  });

  it('leaves out alternatives of another form', () => {
    const content = [{ token: 'a', logprob: -1, top_logprobs: [null, { token: 'b' }, { token: 'c', logprob: -2 }] }];

    expect(tokenProbabilitiesOf({ content }, 0)!.top_logprobs).toEqual([{ a: -1, c: -2 }]);
  });
});
