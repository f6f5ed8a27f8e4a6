import { readdirSync, readFileSync } from 'node:fs';
import { specFiles, suites, weightOf } from '../suites/spec-files.js';

describe('the suites of npm test', () => {
  it('run every spec file exactly once', () => {
    const files = specFiles();

    expect(files.length).toBeGreaterThan(400);
    expect(files).toEqual(
      expect.arrayContaining(['test/architecture/suites.e2e-spec.ts', 'test/database/plans.e2e-spec.ts']),
    );
    expect(suites().flat()).toEqual(files);
  });

  it('have one file each, which runs it', () => {
    const names = readdirSync('test/suites').filter((name) => name.endsWith('.suite.ts'));

    const run = names.map((name) => Number(/runSuite\((\d+)\)/.exec(readFileSync(`test/suites/${name}`, 'utf8'))![1]));
    expect(run).toEqual(suites().map((_, index) => index + 1));
  });

  it('take about as long as each other', () => {
    const weights = suites().map((files) => files.reduce((sum, file) => sum + weightOf(file), 0));
    const mean = weights.reduce((sum, weight) => sum + weight, 0) / weights.length;

    for (const weight of weights) expect(Math.abs(weight - mean) / mean).toBeLessThan(0.25);
  });
});
