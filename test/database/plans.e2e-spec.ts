import { readFile, writeFile } from 'node:fs/promises';
import pg from 'pg';
import { insertForeignRows } from '../../bench/growth/foreign-rows.js';
import type { Statement } from '../../src/database/statements.js';
import * as catalog from '../../src/modules/catalog/catalog.repository.js';
import * as guardrails from '../../src/modules/guardrails/guardrails.repository.js';
import * as codes from '../../src/modules/keys/authorization-codes.repository.js';
import * as keys from '../../src/modules/keys/keys.repository.js';
import * as observability from '../../src/modules/observability/observability.repository.js';
import * as organizations from '../../src/modules/organizations/organizations.repository.js';
import * as presets from '../../src/modules/presets/presets.repository.js';
import * as scim from '../../src/modules/scim/scim.repository.js';
import * as workspaces from '../../src/modules/workspaces/workspaces.repository.js';
import { planShapeOf } from '../support/plan-shape.js';
import { createTestDatabase, type TestDatabase } from '../support/test-server.js';

/** In each table that grows, and of each organization: many organizations, so that no table is small. */
const ROWS = 20_000;
const SHARE = 10;

const MODELS = 2_000;

const CHECKED_IN = 'test/database/plans.txt';

/** Every statement that a repository exports: what it runs for a request. */
const STATEMENTS = [catalog, guardrails, codes, keys, observability, organizations, presets, scim, workspaces]
  .flatMap((repository) => Object.values(repository as Record<string, unknown>))
  .filter(isStatement)
  .sort((one, other) => (one.name < other.name ? -1 : 1));

/** Lists of the whole catalog have to read all of it, and it does not grow with the deployment. */
const READ_WHOLE = ['models', 'image_endpoints'];

// To accept plans that have changed: UPDATE_PLANS=1 npx jest test/database/plans, and read the difference.
describe('the plans of the hot statements', () => {
  let database: TestDatabase;
  let client: pg.Client;
  let shapes: Record<string, { text: string; scannedTables: readonly string[] }>;

  beforeAll(async () => {
    database = await createTestDatabase();
    client = new pg.Client({ connectionString: database.url });
    await client.connect();
    await fillCatalog(client);
    await insertForeignRows((text) => client.query(text), ROWS, SHARE);
    shapes = {};
    for (const statement of STATEMENTS) shapes[statement.name] = await planShapeOf(client, statement);
  });

  afterAll(async () => {
    await client.end();
    await database.drop();
  });

  it('are those of every operation', () => {
    expect(STATEMENTS.length).toBeGreaterThanOrEqual(23);
  });

  it.each(STATEMENTS.map(({ name }) => name))('%s reads no table from end to end that grows', (name) => {
    expect(shapes[name]!.scannedTables.filter((table) => !READ_WHOLE.includes(table))).toEqual([]);
  });

  it('are the ones that are checked in, on every version of PostgreSQL', async () => {
    const text = STATEMENTS.map(({ name }) => `${name}\n${shapes[name]!.text.replaceAll(/^/gm, '  ')}\n`).join('\n');
    if (process.env['UPDATE_PLANS'] !== undefined) await writeFile(CHECKED_IN, text);

    expect(text).toBe(await readFile(CHECKED_IN, 'utf8'));
  });

  it('find what refers to a deleted row by an index, too', async () => {
    const { rows } = await client.query(
      `SELECT c.conname, c.conrelid::regclass AS referring FROM pg_constraint c
       WHERE c.contype = 'f' AND c.confrelid IN ('api_keys'::regclass, 'workspace_budgets'::regclass)
         AND NOT EXISTS (SELECT FROM pg_index i WHERE i.indrelid = c.conrelid AND i.indpred IS NULL
           AND (i.indkey::int2[])[0:cardinality(c.conkey) - 1] @> c.conkey)`,
    );

    expect(rows).toEqual([]);
  });
});

function isStatement(value: unknown): value is Statement {
  return typeof value === 'object' && value !== null && 'name' in value && 'text' in value;
}

/** More models than there are, so that looking one up is not the same as reading all of them. */
async function fillCatalog(client: pg.Client): Promise<void> {
  await client.query(
    `INSERT INTO models (id, canonical_slug, name, description, created, architecture, pricing, top_provider,
       supported_parameters, in_model_list, in_image_model_list)
     SELECT 'author/model-' || n, 'author/model-' || n || '-2026', 'Model ' || n, 'A model', n,
       '{"output_modalities": ["image"]}', '{}', '{}', '{}', true, n % 10 = 0 FROM generate_series(1, ${MODELS}) AS n`,
  );
  await client.query(`INSERT INTO model_names (name, model_id, kind) SELECT id, id, 'id' FROM models`);
  await client.query(
    `INSERT INTO image_endpoints (model_id, position, provider_slug, supported_parameters, supports_streaming,
       allowed_passthrough_parameters, pricing)
     SELECT id, 0, 'provider', '{}', false, '{}', '[]' FROM models WHERE in_image_model_list`,
  );
}
