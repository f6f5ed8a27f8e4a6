import type { Caller, Outcome } from './caller.js';
import { hashOf, makeCodes, makeGroups, makeKeys, type Owner } from './rows.js';

/** Who writes, and what all writers change. */
export interface WriteOwner extends Owner {
  readonly workspace_id: string;
  readonly managementKey: string;
  /** The guardrail that keys are given. */
  readonly guardrailId: string;
}

/** The preset that every version is one of. */
export const PRESET_SLUG = 'written';

/** The interval of the one budget that is set again and again. */
export const BUDGET_INTERVAL = 'lifetime';

/** What writers do, each kind of them. */
export const WRITE_KINDS = [
  'guardrail',
  'mapping',
  'exchange',
  'deletion',
  'budget',
  'version',
  'assignment',
  'rotation',
] as const;

export type WriteKind = (typeof WRITE_KINDS)[number];

/** A write that was sent. */
export interface Write {
  readonly kind: WriteKind;
  /** What identifies its effects among those of all others. */
  readonly name: string;
  /** What its event in the audit trail has, and that of no other. */
  readonly requestId: string;
  isAnswered: boolean;
  /** The hash of the key that an exchange or a rotation was answered with. */
  issued?: string;
}

/** The rows that writes use up, by the kinds that do so. */
export interface WriteStock {
  readonly label: string;
  readonly names: Readonly<Partial<Record<WriteKind, string[]>>>;
}

/** Makes what the writers of one round use up. */
export async function makeStock(url: string, owner: WriteOwner, label: string, count: number): Promise<WriteStock> {
  const exchange = await makeCodes(url, owner, count);
  const keys = (): Promise<string[]> => makeKeys(url, owner, 'api_key', count);
  const [deletion, rotation, ones, others] = [await keys(), await keys(), await keys(), await keys()];
  // Two at once, so that one of them alone is a write by half.
  const assignment = ones.map((key, index) => `${key} ${others[index]}`);
  return {
    label,
    names: { mapping: await makeGroups(url, owner, count), exchange, deletion, rotation, assignment },
  };
}

/** Sends a write. */
export function sendWrite(caller: Caller, owner: WriteOwner, { kind, name, requestId }: Write): Promise<Outcome> {
  const send = (method: string, path: string, json?: unknown): Promise<Outcome> =>
    caller.send(method, path, json === undefined ? undefined : JSON.stringify(json), undefined, {
      'x-request-id': requestId,
    });
  const { workspace_id: workspaceId, guardrailId } = owner;
  switch (kind) {
    case 'guardrail':
      return send('POST', '/guardrails', { name });
    case 'mapping':
      return send('POST', '/scim/group-mappings', { scim_group_id: name, workspace_id: workspaceId });
    case 'exchange':
      return send('POST', '/auth/keys', { code: name });
    case 'deletion':
      return send('DELETE', `/keys/${hashOf(name)}`);
    case 'budget':
      return send('PUT', `/workspaces/${workspaceId}/budgets/${BUDGET_INTERVAL}`, { limit_usd: Number(name) });
    case 'version':
      return send('POST', `/presets/${PRESET_SLUG}/chat/completions`, {
        messages: [{ role: 'system', content: name }],
        temperature: 0,
      });
    case 'assignment':
      return send('POST', `/guardrails/${guardrailId}/assignments/keys`, { key_hashes: name.split(' ').map(hashOf) });
    case 'rotation':
      return send('POST', `/keys/${hashOf(name)}/rotate`, {});
  }
}
