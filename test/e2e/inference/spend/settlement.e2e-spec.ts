import { INSERT_GENERATIONS } from '../../../../src/modules/generations/generations.repository.js';
import { GenerationsService, type NewGeneration } from '../../../../src/modules/generations/generations.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import { Statements } from '../../../../src/persistence/statements.js';
import { chargedGeneration, keepRecordsOf } from './charged-generation.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

describe('the settlement of requests', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  beforeAll(() => keepRecordsOf(gateway.app, '2026-03'));

  afterEach(() => jest.restoreAllMocks());

  const recordOf = (fields: Partial<NewGeneration> = {}, issued = key): NewGeneration =>
    chargedGeneration(organization, issued, fields);

  /** Writes records at once. @returns for each whether it was written */
  const settle = (records: readonly NewGeneration[], services = [gateway.app]): Promise<boolean[]> =>
    Promise.all(
      records.map((record, index) =>
        services[index % services.length]!.application.get(GenerationsService)
          .record(record)
          .then(
            () => true,
            () => false,
          ),
      ),
    );

  /** The statements that wrote records since. */
  const countStatements = (): (() => number) => {
    const write = jest.spyOn(gateway.app.application.get(Statements), 'write');
    return () => write.mock.calls.filter(([{ name }]) => name === INSERT_GENERATIONS.name).length;
  };

  const spentBy = ({ id }: IssuedCredential): Promise<Record<string, unknown>[]> =>
    gateway.app.rows(
      'SELECT day::text, amount_usd::text AS amount, byok_amount_usd::text AS byok FROM key_spend WHERE key_id = $1 ORDER BY 1',
      [id],
    );

  it('charges 32 requests at once of one key exactly, all answered with 200, with fewer statements than requests', async () => {
    const statements = countStatements();
    const answers = await Promise.all(Array.from({ length: 32 }, () => gateway.ask(key)));

    expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    expect(await spentBy(key)).toMatchObject([{ amount: '0.00064', byok: '0' }]);
    expect(statements()).toBeLessThan(32);
    expect(await gateway.app.rows('SELECT id FROM generations WHERE key_id = $1', [key.id])).toHaveLength(32);
  });

  it('writes the records that wait with one statement, whichever keys, days and kinds of provider keys they are of', async () => {
    const sister = await gateway.app.factory.key(organization);
    const yesterday = new Date('2026-03-01T23:59:59.999Z');
    const statements = countStatements();
    const outcomes = await settle([
      ...Array.from({ length: 10 }, () => recordOf()),
      ...Array.from({ length: 10 }, () => recordOf({ isByok: true })),
      ...Array.from({ length: 10 }, () => recordOf({ createdAt: yesterday })),
      recordOf({}, sister),
      recordOf({ costUsd: '0' }, sister),
    ]);

    expect(outcomes).not.toContain(false);
    expect(statements()).toBe(1);
    expect(await spentBy(key)).toEqual([
      { day: '2026-03-01', amount: '0.000000000000000010', byok: '0' },
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

    expect(outcomes).toEqual([true, true, true, true, false, true, true, true, true, true]);
    expect(await spentBy(key)).toMatchObject([{ amount: '0.000000000000000009' }]);
  });

  it('charges an id once, in one statement and in several', async () => {
    const record = recordOf();
    await settle([record, record, recordOf(), record]);
    await settle([record]);

    expect(await spentBy(key)).toMatchObject([{ amount: '0.000000000000000002' }]);
  });

  it('records what a deleted key has cost, and charges the keys that are left', async () => {
    const deleted = await gateway.app.factory.key(organization);
    await gateway.app.api.delete(`/keys/${deleted.hash}`, { key: organization.managementKey });
    const outcomes = await settle([recordOf({}, deleted), recordOf()]);

    expect(outcomes).toEqual([true, true]);
    expect(await spentBy(deleted)).toEqual([]);
    expect(await spentBy(key)).toMatchObject([{ amount: '0.000000000000000001' }]);
  });

  it('adds what was spent to the windows of the workspace and of the member, by the day of the request', async () => {
    const sister = await gateway.app.factory.key(organization);
    await settle([
      recordOf({ createdAt: new Date('2026-03-01T00:00:00Z') }),
      recordOf({ createdAt: new Date('2026-03-01T23:59:59.999Z') }, sister),
      recordOf({ createdAt: new Date('2026-03-02T00:00:00Z'), isByok: true }),
      recordOf({ createdAt: new Date('2026-03-31T12:00:00Z'), workspaceId: null }),
      recordOf({ createdAt: new Date('2026-03-02T00:00:00Z'), costUsd: '0' }),
    ]);

    const windows = await gateway.app.rows<{ readonly line: string }>(
      `SELECT concat_ws(' ', subject, "interval", first_day, amount_usd * 1e18, byok_amount_usd * 1e18) AS line
       FROM spend_windows WHERE organization_id = $1 AND subject_id IN ($2, $3)
       ORDER BY subject, array_position(ARRAY['lifetime', 'monthly', 'weekly', 'daily'], "interval"), first_day`,
      [organization.organizationId, organization.workspaceId, organization.userId],
    );
    expect(windows.map(({ line }) => line.replaceAll(/\.0+(?= |$)/g, ''))).toEqual([
      'member monthly 2026-03-01 3 1',
      'member weekly 2026-02-23 2 0',
      'member weekly 2026-03-02 0 1',
      'member weekly 2026-03-30 1 0',
      'member daily 2026-03-01 2 0',
      'member daily 2026-03-02 0 1',
      'member daily 2026-03-31 1 0',
      'workspace lifetime 1970-01-01 2 1',
      'workspace monthly 2026-03-01 2 1',
      'workspace weekly 2026-02-23 2 0',
      'workspace weekly 2026-03-02 0 1',
      'workspace daily 2026-03-01 2 0',
      'workspace daily 2026-03-02 0 1',
    ]);
  });

  it('does not let two replicas that charge the same keys and windows wait for one another in a circle', async () => {
    const keys = [key, ...(await Promise.all([1, 2, 3].map(() => gateway.app.factory.key(organization))))];
    const replica = await gateway.replica();
    try {
      const outcomes: boolean[] = [];
      const round = async (first: number, second: number): Promise<void> => {
        const records = [first, second].map((number) => recordOf({}, keys[number % keys.length]));
        outcomes.push(
          ...(await settle([...records, ...records.map(({ keyId }) => recordOf({ keyId }))], [gateway.app, replica])),
        );
      };
      await Promise.all(Array.from({ length: 100 }, (_, n) => (n % 2 === 0 ? round(n, n + 1) : round(n + 1, n))));

      expect(outcomes.filter((isWritten) => !isWritten)).toEqual([]);
      const [sum] = await gateway.app.rows(
        `SELECT (amount_usd * 1e18)::int AS sum FROM spend_windows WHERE subject_id = $1 AND "interval" = 'lifetime'`,
        [organization.workspaceId],
      );
      expect(sum).toEqual({ sum: 400 });
    } finally {
      await replica.stop();
    }
  });
});
