import { readdirSync } from 'node:fs';
import { specsBelow } from '../suites/load-specs.js';
import { SUITES } from '../suites/suites.js';

describe('the suites of npm test', () => {
  it('run every spec exactly once', () => {
    const run = Object.values(SUITES).flatMap((folders) => specsBelow(folders));
    run.push('test/database/plans.e2e-spec.ts');

    expect(run.sort()).toEqual(specsBelow(['src', 'test']));
  });

  it('have a file each', () => {
    const files = readdirSync('test/suites').filter((file) => file.endsWith('.suite.ts'));

    expect(files.sort()).toEqual(Object.keys(SUITES).map((name) => `${name}.suite.ts`));
  });
});
