import { configurationInterface } from './configuration-interface.js';
import { roundTrips } from './round-trips.js';

describe('exportConfiguration', () => {
  const files = configurationInterface();
  beforeAll(() => files.app.factory.starterCatalog());

  it('exports what changes nothing when it is applied again, for 1,000 configurations', () => roundTrips(files, 1_000));
});

describe('a file of 2,000 objects', () => {
  const { plan, apply } = configurationInterface({
    QUOTA_GUARDRAILS: '3000',
    QUOTA_KEYS: '3000',
    QUOTA_LIMITS: '3000',
  });

  it('is applied as a whole, and leaves nothing to do', async () => {
    const numbers = (count: number): number[] => Array.from({ length: count }, (_, index) => index);
    const lists = {
      keys: numbers(900).map((index) => ({ name: `key ${index}`, limit: 10 })),
      guardrails: numbers(900).map((index) => ({
        name: `Guardrail ${index}`,
        limit_usd: 5,
        reset_interval: 'daily',
        assigned_keys: [`key ${index}`],
      })),
      limits: numbers(200).map((index) => ({ name: `Limit ${index}`, measure: 'usd', amount: 5, window: 'daily' })),
    };
    expect((await apply(lists)).body.data.changes).toHaveLength(2_000);
    expect((await plan(lists)).body.data).toMatchObject({ changes: [], unchanged: 2_000 });
  });
});
