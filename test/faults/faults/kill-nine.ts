import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { clusterDirectory } from '../../../packages/embedded-postgres/cluster.js';
import { connectEmbeddedPostgres } from '../../../packages/embedded-postgres/index.js';
import type { Caller } from '../support/caller.js';
import type { Fault } from '../support/fault.js';
import { query } from '../support/postgres-server.js';
import { Random } from '../support/random.js';
import type { Scene } from '../support/scene.js';
import type { ServiceProcess } from '../support/service-process.js';
import { becomesTrue } from '../support/becomes-true.js';
import { runCommand } from '../support/command.js';
import { WriteLedger } from '../support/write-ledger.js';
import { makeStock, PRESET_SLUG, type WriteOwner } from '../support/writes.js';

/** Two of each kind, so that both change the same budget and add to the same preset. */
const WRITERS = 16;

/** The service is killed some time after each writer has written once on average: how long after at most, in milliseconds. */
const SPREAD_MS = 500;
const TIMEOUT_MS = 60_000;

/** More rows of each kind than the writers of one round use up. */
const STOCK = 200;

/** Power fails for the process, and every second time for its database too. */
export const KILL_NINE: Fault = {
  name: 'kill-nine',
  title: `kill -9 of the service while ${WRITERS} writers run, on the embedded server; every second time of PostgreSQL too`,
  run: async (scene) => killAgainAndAgain(scene, await scene.directory()),
};

async function killAgainAndAgain(scene: Scene, dataDirectory: string): Promise<void> {
  const { verdict } = scene;
  const rounds = scene.count(20, 2);
  const random = new Random(scene.seed);
  const ledger = new WriteLedger();
  const starts: number[] = [];

  const start = async (): Promise<{ service: ServiceProcess; url: string }> => {
    const startedAt = performance.now();
    const service = await scene.serviceWith({ DATA_DIR: dataDirectory, KEY_DELETION_RATE_LIMIT: '1000000' });
    starts.push(performance.now() - startedAt);
    const { url } = await connectEmbeddedPostgres({ dataDirectory, log: () => undefined });
    return { service, url };
  };

  let { service, url } = await start();
  const owner = await firstOwner(scene, service, url);
  scene.keepSecret(owner.managementKey, new URL(url).password);
  for (let round = 0; round < rounds; round += 1) {
    const caller = scene.caller(service, owner.managementKey);
    const stock = await makeStock(url, owner, `round-${round}`, STOCK);
    const load = scene.load(WRITERS, (writer) => ledger.write(caller, owner, stock, writer));
    const enough = (round + 1) * WRITERS;
    await becomesTrue(() => ledger.answered > enough, TIMEOUT_MS);
    await delay(random.below(SPREAD_MS));
    // Read before: PostgreSQL may have ended when the service has.
    const postmaster = await postmasterOf(dataDirectory);
    service.signal('SIGKILL');
    if (round % 2 === 1) process.kill(postmaster, 'SIGKILL');
    ledger.interrupt();
    await service.exit();
    await load.stop();
    ({ service, url } = await start());
    const [{ lost, doubled, halved, unrecorded }, verified] = await Promise.all([
      ledger.compare(url),
      runCommand(['audit', 'verify'], { DATA_DIR: dataDirectory }),
    ]);
    verdict.expect(lost.length === 0, 'every write that was answered is there afterwards', lost);
    verdict.expect(doubled.length === 0, 'no write is there twice', doubled);
    verdict.expect(halved.length === 0, 'no write is there by half', halved);
    verdict.expect(unrecorded.length === 0, 'every write that was answered has one event', unrecorded);
    verdict.expect(verified.succeeded, '`gatehouse audit verify` finds the chain unbroken', verified.output);
  }
  await requireTrueTotals(scene, scene.caller(service, owner.managementKey), url);
  const { code } = await service.stop();
  verdict.expect(code === 0, 'the service that was left alone at last stops with exit code 0', code);

  verdict.figure('kills', rounds);
  verdict.figure('writes sent', ledger.sent);
  verdict.figure('answered', ledger.answered);
  verdict.figure('of these', ledger.answeredByKind);
  verdict.figure('cut off', ledger.sent - ledger.answered);
  verdict.figure('failed', ledger.failures.length);
  verdict.figure('lost', ledger.lost);
  verdict.figure('doubled', ledger.doubled);
  verdict.figure('longest start after a kill ms', Math.round(Math.max(...starts.slice(1))));
  verdict.expect(ledger.failures.length === 0, 'a write is answered with success or not at all', ledger.failures);
  verdict.expect(ledger.answered > rounds * WRITERS, 'the writers wrote', ledger.answered);
}

/** The organization that the first start created, with a guardrail to assign to keys. */
async function firstOwner(scene: Scene, service: ServiceProcess, url: string): Promise<WriteOwner> {
  await query(url, 'UPDATE organizations SET scim_enabled = true');
  const [row] = await query<{ organization_id: string; user_id: string; workspace_id: string }>(
    url,
    `SELECT m.organization_id, m.user_id, w.id AS workspace_id FROM organization_members m
     JOIN workspaces w ON w.organization_id = m.organization_id AND w.is_default`,
  );
  if (row === undefined || service.shownKey === undefined) throw new Error('the first start has made no organization');
  const { text } = await scene.caller(service, service.shownKey).post('/guardrails', { name: 'of keys' });
  const { data } = JSON.parse(text) as { data: { id: string } };
  return { ...row, managementKey: service.shownKey, guardrailId: data.id };
}

async function postmasterOf(dataDirectory: string): Promise<number> {
  const file = await readFile(path.join(clusterDirectory(dataDirectory), 'postmaster.pid'), 'utf8');
  return Number(file.split('\n')[0]);
}

/** What triggers have counted is what is there. */
async function requireTrueTotals({ verdict }: Scene, caller: Caller, url: string): Promise<void> {
  for (const [list, table] of [
    ['guardrails', 'guardrails'],
    ['scim/group-mappings', 'scim_group_mappings'],
    ['guardrails/assignments/keys', 'guardrail_key_assignments'],
    [`presets/${PRESET_SLUG}/versions`, 'preset_versions'],
  ] as const) {
    const { text } = await caller.get(`/${list}?limit=1`);
    const { total_count: total } = JSON.parse(text) as { total_count?: number };
    const [row] = await query<{ count: string }>(url, `SELECT count(*) FROM ${table}`);
    verdict.expect(total === Number(row!.count), `the total of ${list} is the number of its rows`, {
      total,
      ...row,
    });
  }
}
