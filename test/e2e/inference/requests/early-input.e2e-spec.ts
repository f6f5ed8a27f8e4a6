import { RequestContextRepository } from '../../../../src/modules/inference/pipeline/context/request-context.repository.js';
import { RequestRateLimit } from '../../../../src/http/request-limits/request-rate-limit.js';
import { RequestInput } from '../../../../src/http/validation/request-input.js';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { lockRows, untilWaitingForLock } from '../../../support/database/row-locks.js';
import { until } from '../../../support/time/until.js';
import { sharedGateway } from '../shared-gateway.js';
import { CHAT, QUESTION } from '../test-gateway.js';

/** Has two issues. */
const WRONG = { model: 'acme/writer', messages: QUESTION, temperature: 'warm', top_k: 'few' };

describe('the body of a request', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let begun: jest.SpyInstance;

  beforeEach(() => {
    begun = jest.spyOn(gateway.app.application.get(RequestInput), 'beginEarly');
  });

  afterEach(() => begun.mockRestore());

  const send = (json: object): Promise<Answer<ErrorBody>> => gateway.app.api.post(CHAT, { key: key.plaintext, json });

  it('is read while a key is looked up that was accepted before, and no provider is asked until it is found (200)', async () => {
    expect((await gateway.ask(key)).status).toBe(200);
    expect(begun).not.toHaveBeenCalled();
    gateway.alpha.received.length = 0;

    const unlock = await lockRows(gateway.app, 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE', []);
    const asked = gateway.ask(key);
    await untilWaitingForLock(gateway.app, 1);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(gateway.alpha.received).toEqual([]);
    await unlock();

    expect((await asked).status).toBe(200);
    expect(gateway.alpha.received).toHaveLength(1);
  });

  it('is read in its turn while other keys are looked up, because the service has other work then (200)', async () => {
    const other = await gateway.app.factory.key(organization);
    for (const accepted of [key, other]) expect((await gateway.ask(accepted)).status).toBe(200);

    const unlock = await lockRows(gateway.app, 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE', []);
    const first = gateway.ask(key);
    await untilWaitingForLock(gateway.app, 1);
    const second = gateway.ask(other);
    await until(() => Promise.resolve(gateway.app.application.get(RequestContextRepository).readsOfSecrets === 2));
    await unlock();

    expect([(await first).status, (await second).status]).toEqual([200, 200]);
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it('is refused with 401 if the key was deleted meanwhile, and is then not read early any more', async () => {
    expect((await gateway.ask(key)).status).toBe(200);
    await gateway.app.api.delete(`/keys/${key.hash}`, { key: organization.managementKey });

    expect((await send(WRONG)).status).toBe(401);
    expect(begun).toHaveBeenCalledTimes(1);
    expect((await send(WRONG)).status).toBe(401);
    expect(begun).toHaveBeenCalledTimes(1);
  });

  it('is refused with 400 and the same issues, whether or not it was read early', async () => {
    const first = await send(WRONG);
    const second = await send(WRONG);

    expect([first.status, second.status]).toEqual([400, 400]);
    expect(begun).toHaveBeenCalledTimes(1);
    expect(first.body.error.metadata.issues).toHaveLength(2);
    expect(second.body.error).toEqual(first.body.error);
  });

  it.each([
    ['a small one', 100, 1],
    ['a large one', 40_000, 0],
  ])('is read early as %s of %i words, %i times (200)', async (_, words, times) => {
    const messages = [{ role: 'user', content: 'x '.repeat(words) }];
    expect((await gateway.ask(key, { messages })).status).toBe(200);
    const input = gateway.app.application.get<unknown, { readFor(): Promise<void> }>(RequestInput);
    const read = jest.spyOn(input, 'readFor');

    const unlock = await lockRows(gateway.app, 'LOCK TABLE api_keys IN ACCESS EXCLUSIVE MODE', []);
    const asked = gateway.ask(key, { messages });
    await untilWaitingForLock(gateway.app, 1);
    expect(read).toHaveBeenCalledTimes(times);
    await unlock();
    expect((await asked).status).toBe(200);
    expect(read).toHaveBeenCalledTimes(1);
    read.mockRestore();
  });

  it('is not read early if the organization has sent too many requests (429)', async () => {
    const limit = jest.spyOn(gateway.app.application.get(RequestRateLimit), 'isReached');
    const statuses: number[] = [(await gateway.ask(key)).status, (await gateway.ask(key)).status];
    limit.mockReturnValue(true);
    statuses.push((await send(WRONG)).status);
    limit.mockRestore();

    expect(statuses).toEqual([200, 200, 429]);
    expect(begun).toHaveBeenCalledTimes(1);
  });
});
