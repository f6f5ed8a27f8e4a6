import { CHAT } from '../test-gateway.js';
import { sharedGateway } from '../shared-gateway.js';

/** Bodies that are refused after all steps of reading, each of which takes milliseconds. */
const MALFORMED = JSON.stringify({
  model: 'acme/writer',
  messages: Array.from({ length: 12_000 }, () => ({ role: 'usr', content: 7 })),
});

const COUNT = 24;

describe('large requests', () => {
  const gateway = sharedGateway();

  it('are answered 400 one step after the other, so that a small request of another organization is a 200 before half of them', async () => {
    const organization = await gateway.app.factory.organization();
    const key = await gateway.app.factory.key(organization);
    const other = await gateway.app.factory.key(await gateway.app.factory.organization());
    await gateway.ask(other);
    let answered = 0;

    const large = Promise.all(
      Array.from({ length: COUNT }, async () => {
        const { status } = await gateway.app.api.post(CHAT, { key: key.plaintext, raw: MALFORMED });
        answered += 1;
        return status;
      }),
    );
    const { status } = await gateway.ask(other);
    const before = answered;

    expect(status).toBe(200);
    expect(new Set(await large)).toEqual(new Set([400]));
    expect(before).toBeLessThan(COUNT / 2);
  }, 120_000);
});
