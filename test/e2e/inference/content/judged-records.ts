import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { NewOrganization } from '../../../../src/modules/installation/installation.service.js';
import type { IssuedCredential } from '../../../../src/modules/keys/keys.service.js';
import type { TestApplication } from '../../../support/application/test-application.js';
import type { ShownGeneration } from '../test-gateway.js';

/** The usage that judges of tests report, and what one question then costs at Beta. */
export const JUDGE_USAGE = { prompt_tokens: 400, completion_tokens: 3, total_tokens: 403 };
export const JUDGE_COST = 0.000406;

/** What a judge is asked. */
export interface Question {
  readonly model: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
}

/** The charges of a record sum up to its cost, and what judges cost stands in both places. */
export function expectSums(record: ShownGeneration): void {
  const charges = record['charges'] as { cost: number; inspector_id?: string }[];
  const actions = record['inspector_actions'] as { cost?: number }[];
  const sum = (costs: readonly number[]): number => costs.reduce((one, other) => one + other, 0);
  expect(sum(charges.map(({ cost }) => cost))).toBeCloseTo(record.total_cost, 12);
  const ofJudges = charges.filter(({ inspector_id: id }) => id !== undefined).map(({ cost }) => cost);
  expect(sum(actions.map(({ cost = 0 }) => cost))).toBeCloseTo(sum(ofJudges), 12);
}

/** The costs of an organization are the same when they are calculated again from what its records keep. */
export async function expectRecomputed(app: TestApplication, { organizationId }: NewOrganization): Promise<void> {
  const text = await readFile(path.join(process.cwd(), 'catalog/recompute.sql'), 'utf8');
  const differences = await app.rows<{ organization_id: string }>(text);
  expect(differences.filter(({ organization_id: id }) => id === organizationId)).toEqual([]);
}

/** What a key has used, and what its records cost, which are the same to the last digit. */
export async function spentBy(
  app: TestApplication,
  { managementKey }: NewOrganization,
  { id, hash }: IssuedCredential,
): Promise<number> {
  const [sum] = await app.rows<{ cost: string }>(
    'SELECT coalesce(sum(cost_usd), 0)::text AS cost FROM generations WHERE key_id = $1',
    [id],
  );
  const { body } = await app.api.get<{ data: { usage: number; byok_usage: number } }>(`/keys/${hash}`, {
    key: managementKey,
  });
  expect(body.data.usage + body.data.byok_usage).toBeCloseTo(Number(sum!.cost), 15);
  return Number(sum!.cost);
}

/** What is reserved for requests of an organization. */
export async function reservedFor(app: TestApplication, { organizationId }: NewOrganization): Promise<unknown[]> {
  return app.rows('SELECT * FROM spend_reservations WHERE organization_id = $1', [organizationId]);
}

/** What was counted on each limit by condition and group, where nothing is reserved any more. */
export async function countedOn(
  app: TestApplication,
  { organizationId }: NewOrganization,
): Promise<ReadonlyMap<string, number>> {
  const counters = await app.rows<{ limit_id: string; amount: string; reserved: string }>(
    `SELECT limit_id, trim_scale(amount)::text AS amount, trim_scale(reserved)::text AS reserved
     FROM limit_counters WHERE organization_id = $1`,
    [organizationId],
  );
  expect(counters.map(({ reserved }) => reserved)).toEqual(counters.map(() => '0'));
  return new Map(counters.map(({ limit_id: id, amount }) => [id, Number(amount)]));
}
