import { readFileSync } from 'node:fs';
import { readEnvironment } from './environment.js';
import { variablesRead, KEY } from './environment.fixture.js';

describe('.env.example', () => {
  const lines = readFileSync('.env.example', 'utf8').split('\n');
  const assignments = lines.flatMap((line) => {
    const [, comment, name, value] = /^(#?)([A-Z][A-Z0-9_]*)=(.*)$/.exec(line) ?? [];
    return name === undefined ? [] : [{ isSet: comment === '', name, value: value! }];
  });

  it('lists exactly the variables of the service, each once', () => {
    const names = assignments.map(({ name }) => name);

    expect([...names].sort()).toEqual([...variablesRead()].sort());
    expect(new Set(names).size).toBe(names.length);
  });

  it('sets variables to their defaults only', () => {
    const set = Object.fromEntries(assignments.filter(({ isSet }) => isSet).map(({ name, value }) => [name, value]));

    expect(readEnvironment(set)).toEqual(readEnvironment({}));
  });

  it('shows a valid value of every variable', () => {
    const all = Object.fromEntries(assignments.map(({ name, value }) => [name, value]));

    expect(() => readEnvironment({ ...all, ENCRYPTION_KEY: KEY.toString('base64') })).not.toThrow();
  });

  it('lists no variable that the pages for operators do not name', () => {
    const pages = ['docs/operations.md', 'docs/operations/metrics.md', 'docs/limits.md', 'docs/cloud-providers.md']
      .map((page) => readFileSync(page, 'utf8'))
      .join();

    expect(assignments.map(({ name }) => name).filter((name) => !pages.includes(`\`${name}\``))).toEqual([]);
  });

  it('explains every variable above its line', () => {
    for (const { name } of assignments) {
      const index = lines.findIndex((line) => line.replace('#', '').startsWith(`${name}=`));
      const block = lines.slice(0, index).join('\n').split('\n\n').at(-1)!;
      expect([name, block]).toEqual([name, expect.stringMatching(/^# \S.*/m)]);
    }
  });
});
