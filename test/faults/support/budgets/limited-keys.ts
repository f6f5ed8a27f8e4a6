import { createHash, randomUUID } from 'node:crypto';
import type { Demonstration } from '../../../../src/cli/demo/demonstration.js';
import type { Caller } from '../caller.js';
import { query } from '../postgres-server.js';
import { makeKeys } from '../rows.js';

/** Keys that one limit is about together, and nothing else. */
export interface LimitedKeys {
  /** The limit, in words. */
  readonly name: string;
  readonly keys: readonly string[];
  /** Whether what the keys spend counts toward the limit, so that requests beyond it must be refused. */
  readonly isCounted: boolean;
}

/** Whose objects are made, and how. */
export interface LimitMaker {
  readonly caller: Caller;
  readonly tenant: Demonstration;
  readonly databaseUrl: string;
}

type Make = (maker: LimitMaker, limitUsd: number) => Promise<readonly string[]>;

interface LimitKind {
  readonly name: string;
  readonly make: Make;
  readonly isCounted?: boolean;
}

const WORKSPACE_INTERVALS = ['lifetime', 'monthly', 'weekly', 'daily'] as const;
const RESETS = ['daily', 'weekly', 'monthly'] as const;

/** Every kind of limit that a request can meet (docs/budgets.md#whose-spend). */
const KINDS: readonly LimitKind[] = [
  { name: 'limit of a key, lifetime', make: async (maker, limit) => [await newKey(maker, { limit })] },
  ...RESETS.map((interval) => ({
    name: `limit of a key, ${interval}`,
    make: async (maker: LimitMaker, limit: number) => [await newKey(maker, { limit, limit_reset: interval })],
  })),
  ...WORKSPACE_INTERVALS.map((interval) => ({
    name: `budget of a workspace, ${interval}`,
    make: (maker: LimitMaker, limit: number) => keysOfWorkspace(maker, interval, { limit_usd: limit }),
  })),
  { name: 'budget of a guardrail that a key holds', make: guardedKey },
  { name: 'budget of a guardrail that a member holds', make: keysOfMember },
  {
    name: 'budget of a workspace that counts own provider keys',
    make: async (maker, limit) => {
      const budget = { limit_usd: limit, include_byok_in_budgets: true };
      return keysOfWorkspace(maker, 'daily', budget, await newWorkspace(maker, { ownProviderKey: true }));
    },
  },
  {
    name: 'limit of a key that counts own provider keys',
    make: async (maker, limit) => {
      const workspaceId = await newWorkspace(maker, { ownProviderKey: true });
      return [await newKey(maker, { limit, include_byok_in_limit: true, workspace_id: workspaceId })];
    },
  },
  {
    name: 'limit of a key that does not count own provider keys',
    isCounted: false,
    make: async (maker, limit) => {
      const workspaceId = await newWorkspace(maker, { ownProviderKey: true });
      return [await newKey(maker, { limit, workspace_id: workspaceId })];
    },
  },
];

/** Makes new keys under a limit of each kind. @param limitUsd each limit, in US dollars */
export async function makeLimitedKeys(maker: LimitMaker, limitUsd: number): Promise<LimitedKeys[]> {
  return Promise.all(
    KINDS.map(async ({ name, make, isCounted = true }) => ({ name, isCounted, keys: await make(maker, limitUsd) })),
  );
}

/** The SHA-256 of each key, as the path of a key has it. */
export function hashesOf(keys: readonly string[]): string[] {
  return keys.map((key) => createHash('sha256').update(key).digest('hex'));
}

async function keysOfWorkspace(
  maker: LimitMaker,
  interval: string,
  budget: object,
  workspaceId?: string,
): Promise<string[]> {
  const id = workspaceId ?? (await newWorkspace(maker));
  await manage(maker, 'PUT', `/workspaces/${id}/budgets/${interval}`, budget);
  return Promise.all([1, 2].map(() => newKey(maker, { workspace_id: id })));
}

async function guardedKey(maker: LimitMaker, limitUsd: number): Promise<string[]> {
  const key = await newKey(maker, {});
  const id = await newGuardrail(maker, limitUsd, 'weekly');
  await manage(maker, 'POST', `/guardrails/${id}/assignments/keys`, { key_hashes: hashesOf([key]) });
  return [key];
}

async function keysOfMember(maker: LimitMaker, limitUsd: number): Promise<string[]> {
  const { tenant, databaseUrl } = maker;
  const organizationId = tenant.organization_id;
  const userId = `user_${randomUUID().replaceAll('-', '')}`;
  await query(
    databaseUrl,
    `WITH new_user AS (INSERT INTO users (id, name, email, created_at) VALUES ($2, 'Member', $2 || '@fault.example', now()))
     INSERT INTO organization_members (id, organization_id, user_id, role, created_at)
     VALUES (gen_random_uuid(), $1, $2, 'member', now())`,
    [organizationId, userId],
  );
  const keys = await makeKeys(databaseUrl, { organization_id: organizationId, user_id: userId }, 'api_key', 2);
  const id = await newGuardrail(maker, limitUsd, 'monthly');
  await manage(maker, 'POST', `/guardrails/${id}/assignments/members`, { member_user_ids: [userId] });
  return keys;
}

async function newWorkspace(maker: LimitMaker, { ownProviderKey = false } = {}): Promise<string> {
  const name = `budget-${randomUUID()}`;
  const { data } = await manage<{ data: { id: string } }>(maker, 'POST', '/workspaces', { name, slug: name });
  if (ownProviderKey) {
    await manage(maker, 'POST', '/byok', { provider: 'openai', key: 'sk-own-of-the-fault', workspace_id: data.id });
  }
  return data.id;
}

async function newKey(maker: LimitMaker, fields: object): Promise<string> {
  const { key } = await manage<{ key: string }>(maker, 'POST', '/keys', { name: 'budget', ...fields });
  return key;
}

async function newGuardrail(maker: LimitMaker, limitUsd: number, interval: string): Promise<string> {
  const fields = { name: 'budget', limit_usd: limitUsd, reset_interval: interval };
  return (await manage<{ data: { id: string } }>(maker, 'POST', '/guardrails', fields)).data.id;
}

async function manage<Body>({ caller }: LimitMaker, method: string, path: string, json: object): Promise<Body> {
  const { status, text, fault } = await caller.send(method, path, JSON.stringify(json));
  if (status !== 200 && status !== 201) throw new Error(`${method} ${path}: ${status ?? fault} ${text}`);
  return JSON.parse(text) as Body;
}
