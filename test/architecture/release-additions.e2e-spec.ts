import { readFileSync } from 'node:fs';
import type { QueryRunner } from 'typeorm';
import { MIGRATIONS } from '../../src/persistence/migrations/index.js';

type Migration = (typeof MIGRATIONS)[number];

/** What release ce0bbf8b, which replicas may still have, does not have: what stands behind the baseline, which is its schema. */
const [BASELINE, ...LATER] = MIGRATIONS;

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

async function additions(): Promise<string[]> {
  return (await Promise.all(LATER.map(additionsOf))).flat().sort();
}

/** The tables and columns that begin the rows of a table of the documentation. */
function listedIn(part: string): string[] {
  return part
    .split('\n')
    .filter((line) => line.startsWith('| `'))
    .flatMap((line) => [...line.split(' | ')[0]!.matchAll(/`([a-z_]+(?:\.[a-z_]+)?)`/g)].map(([, name]) => name!));
}

describe('what docs/operations.md says a release adds', () => {
  const [, section] = /### What this release adds\n([^]*?)\n### /.exec(readFileSync('docs/operations.md', 'utf8'))!;
  const [restricting, others] = section!.split('**What else there is**');

  it('counts the migrations since ce0bbf8b', () => {
    expect(BASELINE?.name).toMatch(/^Baseline/);
    const [, count] = /It has (\d+) migrations that ce0bbf8b does not have/.exec(section!)!;
    expect(Number(count)).toBe(LATER.length);
  });

  it('has every table and column of the migrations once, as something that restricts or as something that does not', async () => {
    const added = await additions();

    expect(added.length).toBeGreaterThanOrEqual(10);
    expect([...listedIn(restricting!), ...listedIn(others!)].sort()).toEqual(added);
  });

  it('lists all columns of keys that are new as something that restricts', async () => {
    const ofKeys = (names: readonly string[]): string[] => names.filter((name) => name.startsWith('api_keys.'));
    expect(ofKeys(await additions())).not.toEqual([]);
    expect(ofKeys(listedIn(restricting!)).sort()).toEqual(ofKeys(await additions()));
  });
});
