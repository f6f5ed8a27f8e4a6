import { INSERT_GENERATIONS } from '../../../../src/modules/generations/generations.repository.js';
import { LateGenerations } from '../../../../src/modules/generations/late-generations.js';
import { unitsOf } from '../../../../src/modules/spend/decimal-amount.js';
import { Statements } from '../../../../src/persistence/statements.js';
import { until } from '../../../support/time/until.js';
import { chunk, STREAM_HEAD } from '../provider-answers.js';
import { limitedRequests, COST, USAGE, AT_MOST } from './limited-requests.js';

describe('the admission of requests', () => {
  const { gateway, organization, key, answerWith, holdAlpha, ask, setLimit, reservations, charged } = limitedRequests();

  it('reserves the worst case while a request is answered, and nothing after its 200', async () => {
    await setLimit(key, COST * 3);
    const release = holdAlpha();
    const answering = ask(key);
    await until(async () => (await reservations()).length === 1);

    expect(await reservations()).toEqual([
      {
        id: expect.stringMatching(/^gen-/) as string,
        keyId: key.id,
        workspaceId: organization.workspaceId,
        amount: String(COST),
        byok: '0',
      },
    ]);
    release();
    expect((await answering).status).toBe(200);
    expect(await reservations()).toEqual([]);
    expect(await charged()).toBe(unitsOf(String(COST)));
  });

  it('reserves nothing for a request to which no limit applies, nor for one that is free: 200', async () => {
    const transactions = jest.spyOn(gateway.app.application.get(Statements), 'transaction');
    expect((await ask(key)).status).toBe(200);
    expect(transactions).not.toHaveBeenCalled();
    await setLimit(key, 1);
    transactions.mockClear();
    expect((await ask(key, { model: 'acme/flat' })).status).toBe(200);
    expect(transactions).toHaveBeenCalledTimes(1);
  });

  it('releases what is reserved for a request that no provider answers, or that is refused: 503', async () => {
    await setLimit(key, COST);
    gateway.alpha.answerWith((response) => void response.writeHead(500).end());
    expect((await ask(key)).status).toBe(503);
    expect(await reservations()).toEqual([]);
    answerWith(USAGE);
    expect((await ask(key)).status).toBe(200);
  });

  it('releases what is reserved for a stream of 200 whose client leaves, and charges what was delivered', async () => {
    await setLimit(key, COST * 2);
    gateway.alpha.answerWith((response) => {
      response.writeHead(200, STREAM_HEAD).write(chunk({ role: 'assistant', content: 'All ' }));
    });
    const controller = new AbortController();
    const response = await gateway.open(key, AT_MOST, controller.signal);
    expect(response.status).toBe(200);
    await response.body!.getReader().read();
    expect(await reservations()).toHaveLength(1);
    controller.abort();
    await until(async () => (await reservations()).length === 0);
    // 12 bytes were sent and 4 delivered: 3 tokens and 1.
    expect(await charged()).toBe(unitsOf('0.000005'));
  });

  it('charges usage above the worst case in full, shows it in the record, and expects as much of the next: 200, 402', async () => {
    await setLimit(key, COST * 1.5);
    answerWith({ prompt_tokens: 30, completion_tokens: 5, total_tokens: 35 });
    const fields = { ...AT_MOST, model: 'acme/surprising' };
    const answer = await ask(key, fields);

    expect(answer.status).toBe(200);
    expect(await gateway.record(answer, key)).toMatchObject({ total_cost: 0.00004, overrun: 0.000012 });
    await setLimit(key, 0.00004 + COST);
    expect((await ask(key, fields)).status).toBe(402);
    await setLimit(key, 0.00008);
    const expected = await ask(key, fields);
    expect(await gateway.record(expected, key)).toMatchObject({ total_cost: 0.00004, overrun: 0 });
  });

  describe('when the database refuses', () => {
    it('answers 500, and keeps what is reserved until the request can be settled, once', async () => {
      await setLimit(key, COST * 2);
      const statements = gateway.app.application.get(Statements);
      const write = statements.write.bind(statements);
      let isGone = true;
      jest.spyOn(statements, 'write').mockImplementation(async (statement, values) => {
        if (isGone && statement.name === INSERT_GENERATIONS.name) throw new Error('the database is gone');
        return write(statement, values);
      });

      expect((await ask(key)).status).toBe(500);
      expect(await reservations()).toHaveLength(1);
      expect(await charged()).toBe(0n);
      isGone = false;
      await gateway.app.application.get(LateGenerations).store();
      expect(await reservations()).toEqual([]);
      expect(await charged()).toBe(unitsOf(String(COST)));
      await gateway.app.application.get(LateGenerations).store();
      expect(await charged()).toBe(unitsOf(String(COST)));
    });
  });
});
