import fc from 'fast-check';
import { turnsDuring } from '../../../../test/support/time/turns-during.js';
import { requestBytes } from './request-bytes.js';

async function written(body: object): Promise<unknown> {
  return JSON.parse((await requestBytes(body)).toString());
}

describe('The bytes of a request to a provider', () => {
  it('say the same as the body, however large it is', async () => {
    const filler = 'x'.repeat(300_000);
    await fc.assert(
      fc.asyncProperty(fc.dictionary(fc.string(), fc.jsonValue({ maxDepth: 8 })), fc.boolean(), async (body, large) => {
        const sent = { ...body, undefined, ...(large ? { filler } : {}) };
        expect(await written(sent)).toEqual(JSON.parse(JSON.stringify(sent)));
      }),
    );
  });

  it('keep a character that the border of two pieces would cut', async () => {
    for (const before of [262_142, 262_143, 262_144]) {
      const body = { text: `${'x'.repeat(before)}😀"\n${'y'.repeat(300_000)}` };
      expect(await written(body)).toEqual(body);
    }
  });

  it('are written in several turns of the event loop when there are many', async () => {
    const body = { messages: [{ content: [{ image_url: { url: 'A'.repeat(4 * 1024 * 1024) } }] }] };

    expect(await turnsDuring(() => requestBytes(body))).toBeGreaterThanOrEqual(16);
  });
});
