import { requestBytes } from './request-bytes.js';

describe('The bytes of a request to a provider', () => {
  it.each([
    ['small', 'x', 0],
    ['large', 'ä😀"\n'.repeat(100_000), 2],
  ])('are those of JSON.stringify, written in turns of the event loop where they are %s', async (_, text, turns) => {
    const body = { messages: [{ content: text }], absent: undefined };
    const turn = jest.fn(() => Promise.resolve());

    expect((await requestBytes(body, turn)).toString()).toBe(JSON.stringify(body));
    expect(turn).toHaveBeenCalledTimes(turns);
  });
});
