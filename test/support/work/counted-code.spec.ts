import { CountedCode } from './counted-code.js';

describe('CountedCode', () => {
  let counted: CountedCode;

  beforeAll(async () => {
    counted = await CountedCode.of('test/support/work/counted-lists.fixture.mjs');
  });
  afterAll(() => counted.end());

  it('counts twice as much for a list of twice the length, and the same in each run', async () => {
    const workOf = async (calls: number) => (await counted.call('uniqueIds', calls)).work;
    const [once, twice, again] = [await workOf(2_000), await workOf(4_000), await workOf(4_000)];
    expect(twice / once).toBeCloseTo(2, 2);
    expect(again).toBe(twice);
  });

  it('counts what methods of V8 walk', async () => {
    expect(await counted.call('search', 1_000)).toEqual({ result: false, work: 1_000 });
  });

  it('tells what a function throws', async () => {
    expect(await counted.call('fail')).toMatchObject({ error: { name: 'TypeError', message: 'it fails' } });
  });
});
