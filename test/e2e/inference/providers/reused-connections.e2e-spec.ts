import type { ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import type { ProviderAnswer } from '../../../support/network/provider-server.js';
import { completion } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const ONLY_ALPHA = { provider: { only: ['alpha'] } };

const answered = (response: ServerResponse, headers: Readonly<Record<string, string>> = {}): void =>
  void response
    .writeHead(200, { 'content-type': 'application/json', ...headers })
    .end(JSON.stringify(completion('All is well.')));

describe('a request on a connection to a provider that was used before', () => {
  const gateway = sharedGateway();
  const key = keyPerTest(gateway, organizationPerTest(gateway));

  /** Has a connection used once, and then answers what comes on it, and on others. */
  const useOnce = async (
    again: ProviderAnswer,
    fresh: ProviderAnswer = (response) => answered(response),
  ): Promise<void> => {
    let used: Socket | null = null;
    gateway.alpha.answerWith((response, request) => {
      if (used === null) {
        used = response.socket;
        answered(response);
        return undefined;
      }
      return response.socket === used ? again(response, request) : fresh(response, request);
    });
    expect((await gateway.ask(key, ONLY_ALPHA)).status).toBe(200);
  };

  const closed: ProviderAnswer = (response) => void response.socket!.destroy();

  const asked = async (): Promise<object> => {
    const answer = await gateway.ask(key, ONLY_ALPHA);
    const record = await gateway.record(answer, key);
    const attempts = record['attempts'] as readonly { readonly provider: string; readonly status: number | null }[];
    return { status: answer.status, attempts: attempts.map(({ provider, status }) => [provider, status]) };
  };

  it('is sent once more where that closes without a byte, and answered 200; both are in its record', async () => {
    await useOnce(closed);
    expect(await asked()).toEqual({
      status: 200,
      attempts: [
        ['alpha', null],
        ['alpha', 200],
      ],
    });
  });

  it('is sent twice at most: 503 where the fresh connection closes, too', async () => {
    await useOnce(closed, closed);
    expect(await asked()).toEqual({
      status: 503,
      attempts: [
        ['alpha', null],
        ['alpha', null],
      ],
    });
  });

  it('is sent once where a byte of an answer has come: 503', async () => {
    await useOnce((response) => void response.socket!.write('H', () => response.socket!.destroy()));
    expect(await asked()).toEqual({ status: 503, attempts: [['alpha', null]] });
  });

  it('is sent once on a connection of its own, which closes: 503', async () => {
    gateway.alpha.answerWith((response) => answered(response, { connection: 'close' }));
    for (let number = 0; number < 3; number += 1) expect((await gateway.ask(key, ONLY_ALPHA)).status).toBe(200);
    gateway.alpha.answerWith(closed);
    expect(await asked()).toEqual({ status: 503, attempts: [['alpha', null]] });
  });

  it.each<[number, (response: ServerResponse) => void]>([
    [100, (response) => response.writeContinue()],
    [102, (response) => response.writeProcessing()],
    [103, (response) => response.writeEarlyHints({ link: '</style.css>; rel=preload' })],
  ])('is answered 200 where a %i comes before that which nothing has asked for', async (_, inform) => {
    gateway.alpha.answerWith((response) => {
      inform(response);
      answered(response);
    });
    expect(await asked()).toEqual({ status: 200, attempts: [['alpha', 200]] });
    expect(await asked()).toEqual({ status: 200, attempts: [['alpha', 200]] });
  });
});
