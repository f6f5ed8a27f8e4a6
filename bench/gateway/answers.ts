import type { LoadRequest } from '../support/load.js';
import { type Beside, CHAT_PATH, manage, newKey, question, type TestBed } from './test-bed.js';
import { compareInTurn, medians, ratesOf, type Side } from './compared-sides.js';
import type { GatewayOptions, GatewayRow } from './measure.js';

const REQUEST: LoadRequest = { method: 'POST', path: CHAT_PATH, body: question() };

/** A policy with two filters, and a budget that no benchmark spends. */
const POLICY = {
  name: 'Two filters and a budget',
  limit_usd: 1_000_000,
  reset_interval: 'monthly',
  content_filter_builtins: ['email', 'secrets'].map((slug) => ({ slug, action: 'redact' })),
};

/** How many destinations the generations of a workspace go to. */
const DESTINATIONS = 5;

/** Whole answers at 32 connections, plain and under policy and budget: the service in turn with the floor, and with another revision. */
export async function measureAnswers(testBed: TestBed, options: GatewayOptions): Promise<GatewayRow[]> {
  const { proxy, beside } = testBed;
  const rows: GatewayRow[] = [];
  for (const [what, keyOf] of [
    ['whole answers', plainKey],
    ['whole answers under policy and budget', governedKey],
  ] as const) {
    const own = sideOf(testBed, await keyOf(testBed));
    rows.push(...(await compared(`${what} beside a proxy`, own, { ...own, server: proxy }, '', options)));
    if (beside === undefined) continue;
    const other = sideOf(beside, await keyOf(beside));
    rows.push(...(await compared(`${what} beside the other revision`, own, other, '>= 0.85', options)));
  }
  const without = sideOf(testBed, await plainKey(testBed));
  const sending = { ...testBed, service: await testBed.startService({ ALLOW_PRIVATE_DESTINATIONS: 'true' }) };
  const own = sideOf(sending, await broadcastingKey(sending));
  rows.push(...(await compared('whole answers with five destinations beside none', own, without, '', options)));
  return rows;
}

function sideOf({ service: server }: Pick<Beside, 'service'>, key: string): Side {
  return { server, key, next: () => REQUEST };
}

async function compared(
  what: string,
  own: Side,
  beside: Side,
  goal: string,
  options: GatewayOptions,
): Promise<GatewayRow[]> {
  const pairs = await compareInTurn([own, beside], options);
  return [
    [`${what}, requests/s`, ...ratesOf(pairs), goal],
    [`${what}, CPU ms`, ...medians(pairs, ({ processorMs }) => processorMs, 2), '', ''],
  ];
}

/** The key of the tenant, which nothing restricts. */
export async function plainKey({ tenant }: Beside): Promise<string> {
  return Promise.resolve(tenant.api_key);
}

/** A key whose generations go to five destinations, all of which the provider takes. */
async function broadcastingKey(place: Pick<TestBed, 'service' | 'tenant' | 'upstream'>): Promise<string> {
  const { management_key: managementKey } = place.tenant;
  const settings = { name: 'Broadcasting', slug: 'broadcasting', is_observability_broadcast_enabled: true };
  const { data } = await manage<{ data: { id: string } }>(place, managementKey, '/workspaces', settings);
  for (let number = 1; number <= DESTINATIONS; number += 1) {
    await manage(place, managementKey, '/observability/destinations', {
      type: 'otel-collector',
      name: `Collector ${number}`,
      workspace_id: data.id,
      config: { endpoint: `${place.upstream.origin}/v1/traces` },
    });
  }
  return (await newKey(place, managementKey, { workspace_id: data.id })).key;
}

/** A new key under a policy with two filters, and with a budget that no benchmark spends. */
export async function governedKey(place: Beside): Promise<string> {
  const { management_key: managementKey } = place.tenant;
  const { data } = await manage<{ data: { id: string } }>(place, managementKey, '/guardrails', POLICY);
  const { key, hash } = await newKey(place, managementKey);
  await manage(place, managementKey, `/guardrails/${data.id}/assignments/keys`, { key_hashes: [hash] });
  return key;
}
