import { requestContent } from './request-bytes.js';

describe('The bytes of a request to a provider', () => {
  it.each([
    ['small', 'x', 0],
    ['large', 'ä😀"\n'.repeat(100_000), 2],
  ])('are those of JSON.stringify, written in turns of the event loop where they are %s', async (_, text, turns) => {
    const body = { messages: [{ content: text }], absent: undefined };
    const turn = jest.fn(() => Promise.resolve());

    const { type, pieces, length } = await requestContent(body, turn);
    const bytes = Buffer.concat(pieces);
    expect([type, bytes.toString(), length]).toEqual(['application/json', JSON.stringify(body), bytes.length]);
    expect(turn).toHaveBeenCalledTimes(turns);
  });
});
