import { statedTests, statusesNamedIn, testsIn } from './test-titles.js';

describe('the titles of the tests in test/e2e', () => {
  const tests = statedTests('test/e2e');

  it('name a status where the test looks at one', () => {
    const unnamed = tests.filter(({ looksAtStatus, title }) => looksAtStatus && statusesNamedIn(title).length === 0);

    expect(unnamed.map(({ file, title }) => `${file}: ${title}`)).toEqual([]);
  });

  it('name one of the statuses that the test expects by number', () => {
    const others = tests.filter(({ statuses, title }) => {
      const named = statusesNamedIn(title);
      return statuses.length > 0 && !named.includes('%i') && !named.some((status) => statuses.includes(status));
    });

    expect(others.map(({ file, title, statuses }) => `${file}: ${title} (${statuses.join()})`)).toEqual([]);
  });

  it('are found by this test in every form', () => {
    const text = `
      const look = async () => (await send()).status;
      describe('an operation', () => {
        it.each(['x'])('answers %s', async () => void (await look()));
        itWithRedis('answers 404', () => expect(answer.status).toBe(404));
        it('reads', () => expect(rows).toEqual([]));
      });`;

    expect(testsIn('some.e2e-spec.ts', text)).toEqual([
      { file: 'some.e2e-spec.ts', title: 'an operation answers %s', looksAtStatus: true, statuses: [] },
      { file: 'some.e2e-spec.ts', title: 'an operation answers 404', looksAtStatus: true, statuses: ['404'] },
      { file: 'some.e2e-spec.ts', title: 'an operation reads', looksAtStatus: false, statuses: [] },
    ]);
    expect(tests.length).toBeGreaterThan(1_000);
  });
});
