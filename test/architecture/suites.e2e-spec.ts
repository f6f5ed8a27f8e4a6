import { readdirSync, readFileSync } from 'node:fs';
import { specsBelow } from '../suites/load-specs.js';
import { SUITES } from '../suites/suites.js';

describe('the suites of npm test', () => {
  it('run every spec file exactly once', () => {
    const run = Object.values(SUITES).flatMap((folders) => specsBelow(folders));

    expect(run.sort()).toEqual(specsBelow(['src', 'packages', 'test']));
  });

  it('have one file each', () => {
    const files = readdirSync('test/suites').filter((file) => file.endsWith('.suite.ts'));

    expect(files.sort()).toEqual(Object.keys(SUITES).map((name) => `${name}.suite.ts`));
  });

  it('have a place each in the order of starting', () => {
    const [, order] = /const ORDER = \[([^\]]*)\]/.exec(readFileSync('test/suites/longest-first.mjs', 'utf8'))!;

    expect([...order!.matchAll(/'([\w-]+)'/g)].map(([, name]) => name).sort()).toEqual(Object.keys(SUITES));
  });
});
