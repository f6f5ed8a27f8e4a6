import { readFileSync } from 'node:fs';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/persistence/migrations/index.js';

/** The releases that replicas may still have, oldest first, with the last migration of each. */
const RELEASES = [
  ['2928b744', 'UsageAdditions1795845600000'],
  ['ce0bbf8b', 'ConnectionsByInterface1798720000000'],
] as const;

type Migration = (typeof MIGRATIONS)[number];

function migrationsAfter(name: string): Migration[] {
  const index = MIGRATIONS.findIndex((migration) => migration.name === name);
  expect(index).toBeGreaterThan(0);
  return MIGRATIONS.slice(index + 1);
}

/** The tables that a migration creates, and the columns that it adds to others. */
async function additionsOf(migration: Migration): Promise<string[]> {
  const statements: string[] = [];
  const query = (text: string): Promise<unknown[]> => {
    statements.push(...text.split(';'));
    return Promise.resolve([]);
  };
  await new migration().up({ query } as unknown as QueryRunner);
  return statements.flatMap((text) => {
    const tables = [...text.matchAll(/\bCREATE (?:UNLOGGED )?TABLE (\w+)/g)].map(([, table]) => table!);
    const [, altered] = /\bALTER TABLE (?:ONLY )?(\w+)/.exec(text) ?? [];
    const columns = [...text.matchAll(/\bADD (?:COLUMN )?(?!CONSTRAINT\b|COLUMN\b)(\w+)/g)];
    return altered === undefined ? tables : columns.map(([, column]) => `${altered}.${column!}`);
  });
}

async function additionsAfter(name: string): Promise<string[]> {
  return (await Promise.all(migrationsAfter(name).map(additionsOf))).flat().sort();
}

/** The tables and columns that begin the rows of a table of the documentation, each with what the second cell says. */
function listedIn(part: string): { readonly name: string; readonly second: string }[] {
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => {
      const [, first, second] =
        line.split(' | ').length > 2 ? ['', ...line.split(' | ')] : ['', line.split(' | ')[0]!, ''];
      return [...first!.matchAll(/`([a-z_]+(?:\.[a-z_]+)?)`/g)].map(([, name]) => ({ name: name!, second: second! }));
    });
}

describe('what docs/operations.md says a release adds', () => {
  const [, section] = /### What this release adds\n([^]*?)\n### /.exec(readFileSync('docs/operations.md', 'utf8'))!;
  const [restricting, others] = section!.split('**What else there is**');

  it('counts the migrations since each release', () => {
    const [, all, last] =
      /It has (\d+) migrations that revision 2928b744 does not have, (\d+) of them after ce0bbf8b/.exec(section!)!;
    expect([Number(all), Number(last)]).toEqual(RELEASES.map(([, name]) => migrationsAfter(name).length));
  });

  it('has every table and column of the migrations once, as something that restricts or as something that does not', async () => {
    const listed = [...listedIn(restricting!), ...listedIn(others!)].map(({ name }) => name);
    const added = await additionsAfter(RELEASES[0][1]);

    expect(added.length).toBeGreaterThan(60);
    expect(listed.filter((name) => name.includes('.') || added.includes(name)).sort()).toEqual(added);
  });

  it('says of everything that restricts which releases do not know it', async () => {
    const unknownTo = await Promise.all(
      RELEASES.map(async ([revision, name]) => ({ revision, added: await additionsAfter(name) })),
    );
    const rows = listedIn(restricting!);

    expect(rows.length).toBeGreaterThan(10);
    for (const { name, second } of rows) {
      const releases = unknownTo.filter(({ added }) => added.includes(name)).map(({ revision }) => revision);
      expect([name, second]).toEqual([name, releases.join(', ')]);
    }
  });

  it('lists all columns of keys that are new as something that restricts', async () => {
    const ofKeys = (await additionsAfter(RELEASES[0][1])).filter((name) => name.startsWith('api_keys.'));
    expect(
      listedIn(restricting!)
        .map(({ name }) => name)
        .filter((name) => name.startsWith('api_keys.'))
        .sort(),
    ).toEqual(ofKeys);
  });
});
