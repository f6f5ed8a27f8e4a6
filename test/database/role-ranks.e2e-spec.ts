import path from 'node:path';
import { MEMBER_ROLES, ROLES } from '../../src/auth/roles.js';
import { REPOSITORIES, statementsOf } from './named-statements.js';
import { sharedApplication } from '../support/application/shared-application.js';

/** Each call of a function, by the names of the functions, with one level of calls among its arguments. */
function callsOf(names: string, sql: string): string[] {
  return sql.match(new RegExp(`\\b(?:${names})\\s*\\((?:[^()]|\\((?:[^()]|\\([^()]*\\))*\\))*\\)`, 'gi')) ?? [];
}

/** What of a text of SQL depends on the alphabetical order of roles. */
function rolesInAlphabeticalOrder(sql: string): string[] {
  const ranked = callsOf('role_rank', sql).reduce((text, call) => text.replace(call, 'rank'), sql);
  const extremes = callsOf('least|greatest|min|max', ranked).filter((call) => /role/i.test(call));
  const comparisons = ranked.match(/\w*role\w*\s*(?:[<>]=?)\s*[\w'.]+|\border\s+by\s[^()]*role/gi) ?? [];
  return [...extremes, ...comparisons.filter((comparison) => !comparison.includes('<>'))];
}

describe('the order of roles in SQL', () => {
  const app = sharedApplication();

  it.each([
    'least(manual_role, scim_role)',
    'LEAST((known.manual_role)::text, scim_role)',
    'SELECT min(mapping.role) FROM mapping',
    'max(coalesce(known.manual_role, kept.role))',
    'WHERE known.scim_role > excluded.scim_role',
    'ORDER BY role, id',
  ])('is reported as alphabetical in "%s"', (sql) => {
    expect(rolesInAlphabeticalOrder(sql)).toHaveLength(1);
  });

  it.each([
    'role_of_rank(greatest(role_rank(coalesce(known.manual_role, kept.role)), role_rank(scim_role)))',
    'max(version), min(created_at)',
    `WHERE role <> 'admin' ORDER BY id`,
    'WHERE role_rank(known.scim_role) < role_rank(excluded.scim_role)',
  ])('is not reported as alphabetical in "%s"', (sql) => {
    expect(rolesInAlphabeticalOrder(sql)).toEqual([]);
  });

  it('follows their ranks in every function of the database', async () => {
    const functions = await app.rows<{ name: string; text: string }>(
      `SELECT proname AS name, pg_get_functiondef(oid) AS text FROM pg_proc WHERE pronamespace = 'public'::regnamespace`,
    );

    expect(functions.map(({ name }) => name)).toContain('converge_workspace_members');
    expect(functions.flatMap(({ name, text }) => rolesInAlphabeticalOrder(text).map((part) => [name, part]))).toEqual(
      [],
    );
  });

  it('follows their ranks in every constraint and index of the database', async () => {
    const objects = await app.rows<{ name: string; text: string }>(
      `SELECT conname AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE contype = 'c'
       UNION ALL SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'`,
    );

    expect(objects.map(({ name }) => name)).toContain('ck_workspace_members_sources');
    expect(objects.flatMap(({ name, text }) => rolesInAlphabeticalOrder(text).map((part) => [name, part]))).toEqual([]);
  });

  it('follows their ranks in every statement of a repository', async () => {
    const found: string[] = [];
    for (const file of REPOSITORIES) {
      const exports = (await import(path.resolve(file))) as Record<string, unknown>;
      const statements = statementsOf(exports);
      found.push(
        ...statements.flatMap(({ name, text }) => rolesInAlphabeticalOrder(text).map((part) => `${name}: ${part}`)),
      );
    }

    expect(found).toEqual([]);
  });

  it('has the rank of every role of members, and the role of every rank', async () => {
    const rows = await app.rows<{ role: string; rank: number; back: string }>(
      `SELECT role, role_rank(role) AS rank, role_of_rank(role_rank(role)) AS back FROM unnest($1::text[]) AS role`,
      [MEMBER_ROLES],
    );

    expect(rows).toEqual(Object.entries(ROLES).map(([role, { rank }]) => ({ role, rank, back: role })));
  });

  it('is of all roles of members and of no other in every constraint of a column with one', async () => {
    const rows = await app.rows<{ name: string; roles: string[] }>(
      `SELECT conname AS name, array(
           SELECT listed[1] FROM regexp_matches(pg_get_constraintdef(o.oid), '''(\\w+)''', 'g') AS listed
         ) AS roles
       FROM pg_constraint o JOIN pg_attribute a ON a.attrelid = o.conrelid AND o.conkey = ARRAY[a.attnum]
       WHERE o.contype = 'c' AND a.attname ~ '(^|_)role$' ORDER BY 1`,
    );

    expect(rows.map(({ name }) => name)).toEqual([
      'ck_organization_members_role',
      'ck_scim_group_mappings_role',
      'ck_workspace_members_manual_role',
      'ck_workspace_members_role',
      'ck_workspace_members_scim_role',
    ]);
    for (const { roles } of rows) expect(roles.sort()).toEqual(MEMBER_ROLES.toSorted());
  });
});
