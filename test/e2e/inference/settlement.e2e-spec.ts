import { INSERT_GENERATIONS } from '../../../src/modules/generations/generations.repository.js';
import { GenerationsService, type NewGeneration } from '../../../src/modules/generations/generations.service.js';
import { newGenerationId } from '../../../src/modules/inference/generation-id.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { Issued } from '../../../src/modules/keys/keys.service.js';
import { Statements } from '../../../src/persistence/statements.js';
import { generationSample } from '../../support/resources/generation-sample.js';
import { Gate } from './gate.js';

describe('the settlement of requests', () => {
  let gate: Gate;
  let organization: NewOrganization;
  let key: Issued;

  beforeAll(async () => {
    gate = await Gate.start();
  });

  beforeEach(async () => {
    gate.reset();
    organization = await gate.app.factory.organization();
    key = await gate.app.factory.key(organization);
  });

  afterEach(() => jest.restoreAllMocks());

  afterAll(() => gate.stop());

  const recordOf = (
    fields: Partial<NewGeneration> = {},
    { issued = key, time = Date.now() }: { issued?: Issued; time?: number } = {},
  ): NewGeneration =>
    generationSample(organization, newGenerationId(time), {
      keyId: issued.id,
      costUsd: '0.000000000000000001',
      ...fields,
    });

  const settle = (records: readonly NewGeneration[]): Promise<PromiseSettledResult<void>[]> =>
    Promise.allSettled(records.map((record) => gate.app.application.get(GenerationsService).record(record)));

  /** The statements that wrote records since. */
  const countStatements = (): (() => number) => {
    const write = jest.spyOn(gate.app.application.get(Statements), 'write');
    return () => write.mock.calls.filter(([{ name }]) => name === INSERT_GENERATIONS.name).length;
  };

  const spentBy = ({ id }: Issued): Promise<Record<string, unknown>[]> =>
    gate.app.rows(
      'SELECT day::text, amount_usd::text AS amount, byok_amount_usd::text AS byok FROM key_spend WHERE key_id = $1 ORDER BY 1',
      [id],
    );

  it('charges 32 requests at once of one key exactly, all answered with 200, with fewer statements than requests', async () => {
    const statements = countStatements();
    const answers = await Promise.all(Array.from({ length: 32 }, () => gate.ask(key)));

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await spentBy(key)).toMatchObject([{ amount: '0.00064', byok: '0' }]);
    expect(statements()).toBeLessThan(32);
    expect(await gate.app.rows('SELECT id FROM generations WHERE key_id = $1', [key.id])).toHaveLength(32);
  });

  it('writes the records that wait with one statement, whichever keys, days and kinds of provider keys they are of', async () => {
    const sister = await gate.app.factory.key(organization);
    await gate.app.rows(
      `CREATE TABLE generations_2020_03 PARTITION OF generations FOR VALUES FROM ('2020-03-01Z') TO ('2020-04-01Z')`,
    );
    const time = Date.parse('2020-03-01T23:59:59Z');
    const statements = countStatements();
    const outcomes = await settle([
      ...Array.from({ length: 10 }, () => recordOf()),
      ...Array.from({ length: 10 }, () => recordOf({ isByok: true })),
      ...Array.from({ length: 10 }, () => recordOf({}, { time })),
      recordOf({}, { issued: sister }),
      recordOf({ costUsd: '0' }, { issued: sister }),
    ]);

    expect(outcomes.filter(({ status }) => status === 'rejected')).toEqual([]);
    expect(statements()).toBe(1);
    expect(await spentBy(key)).toEqual([
      { day: '2020-03-01', amount: '0.000000000000000010', byok: '0' },
      {
        day: new Date().toISOString().slice(0, 10),
        amount: '0.000000000000000010',
        byok: '0.000000000000000010',
      },
    ]);
    expect(await spentBy(sister)).toMatchObject([{ amount: '0.000000000000000001' }]);
  });

  it.each([
    ['that a constraint refuses', { costUsd: '-1' }],
    ['with a character that PostgreSQL does not store', { model: 'a\0b' }],
    ['with a number that is none', { costUsd: 'much' }],
  ])('fails a record %s, and none of those that are written with it', async (_, fields) => {
    const good = Array.from({ length: 9 }, () => recordOf());
    const outcomes = await settle([...good.slice(0, 4), recordOf(fields), ...good.slice(4)]);

    expect(outcomes.map(({ status }) => status)).toEqual([
      ...good.slice(0, 4).map(() => 'fulfilled'),
      'rejected',
      ...good.slice(4).map(() => 'fulfilled'),
    ]);
    expect(await spentBy(key)).toMatchObject([{ amount: '0.000000000000000009' }]);
  });

  it('charges an id once, in one statement and in several', async () => {
    const record = recordOf();
    await settle([record, record, recordOf(), record]);
    await settle([record]);

    expect(await spentBy(key)).toMatchObject([{ amount: '0.000000000000000002' }]);
  });

  it('records what a deleted key has cost, and charges the keys that are left', async () => {
    const deleted = await gate.app.factory.key(organization);
    await gate.app.api.delete(`/keys/${deleted.hash}`, { key: organization.managementKey });
    const outcomes = await settle([recordOf({}, { issued: deleted }), recordOf()]);

    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled']);
    expect(await spentBy(deleted)).toEqual([]);
    expect(await spentBy(key)).toMatchObject([{ amount: '0.000000000000000001' }]);
  });
});
