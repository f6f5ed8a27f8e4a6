import type { Caller, Outcome } from './caller.js';
import { isSuccess } from './outcomes.js';
import { query } from './postgres-server.js';
import { hashOf, makeCodes, makeGroups, makeKeys, type Owner } from './rows.js';

/** Who writes. */
export interface WriteOwner extends Owner {
  readonly workspace_id: string;
  readonly managementKey: string;
}

/** The rows that writes use up. */
export interface WriteStock {
  readonly label: string;
  readonly groups: string[];
  readonly codes: string[];
  readonly keys: string[];
}

type Kind = 'guardrail' | 'mapping' | 'exchange' | 'deletion';

interface Write {
  readonly kind: Kind;
  /** What tells its row from all others. */
  readonly name: string;
  isAnswered: boolean;
  /** The hash of the key that an exchange was answered with. */
  issued?: string;
}

/** Writes that are not in the database as they should be, by name. */
export interface Discrepancies {
  readonly lost: readonly string[];
  readonly doubled: readonly string[];
  readonly halved: readonly string[];
}

const KINDS: readonly Kind[] = ['guardrail', 'mapping', 'exchange', 'deletion'];

/** Makes what the writers of one round use up. */
export async function makeStock(url: string, owner: WriteOwner, label: string, count: number): Promise<WriteStock> {
  const codes = Array.from({ length: count }, (_, number) => `${label}-code-${number}`);
  await makeCodes(url, owner, codes);
  return {
    label,
    groups: await makeGroups(url, owner, count),
    codes,
    keys: await makeKeys(url, owner, 'api_key', count),
  };
}

/** Every write that was sent, whether it was answered, and whether it is in the database. */
export class WriteLedger {
  private readonly writes: Write[] = [];
  private isInterrupted = false;
  failed = 0;
  lost = 0;
  doubled = 0;

  get sent(): number {
    return this.writes.length;
  }

  get answered(): number {
    return this.writes.filter(({ isAnswered }) => isAnswered).length;
  }

  /** From now until {@link compare}, the service is gone and nothing is written. */
  interrupt(): void {
    this.isInterrupted = true;
  }

  /** One write of one of the writers, each of which makes its own kind; of what there is no more stock, a guardrail. */
  async write(caller: Caller, owner: WriteOwner, stock: WriteStock, writer: number): Promise<void> {
    if (this.isInterrupted) return new Promise((resolve) => setTimeout(resolve, 1));
    const write = this.next(KINDS[writer % KINDS.length]!, stock);
    this.writes.push(write);
    const outcome = await send(caller, owner, write);
    write.isAnswered = isSuccess(outcome);
    if (outcome.status !== undefined && !write.isAnswered) this.failed += 1;
    if (write.isAnswered && write.kind === 'exchange') {
      write.issued = hashOf((JSON.parse(outcome.text) as { key: string }).key);
    }
  }

  /** Holds every write against the database. */
  async compare(url: string): Promise<Discrepancies> {
    this.isInterrupted = false;
    const found = await findAll(url);
    const lost: string[] = [];
    const doubled: string[] = [];
    const halved: string[] = [];
    for (const write of this.writes) {
      const { kind, name, isAnswered, issued } = write;
      if (kind === 'deletion') {
        if (isAnswered && found.keys.has(hashOf(name))) lost.push(`deletion ${name}`);
      } else if (kind === 'exchange') {
        const key = found.redemptions.get(hashOf(name));
        if (isAnswered && key !== issued) lost.push(`exchange ${name}`);
        // Used up, but without the key that it stands for.
        if (key === null) halved.push(`exchange ${name}`);
      } else {
        const rows = found.rows.get(name) ?? 0;
        if (isAnswered && rows === 0) lost.push(`${kind} ${name}`);
        if (rows > 1) doubled.push(`${kind} ${name}`);
      }
    }
    const exchanges = new Set([...found.redemptions.values()].filter((key) => key !== null));
    if (found.issued !== exchanges.size) doubled.push(`${found.issued} keys from ${exchanges.size} codes`);
    this.lost = Math.max(this.lost, lost.length);
    this.doubled = Math.max(this.doubled, doubled.length);
    return { lost, doubled, halved };
  }

  private next(kind: Kind, stock: WriteStock): Write {
    const supply = { guardrail: undefined, mapping: stock.groups, exchange: stock.codes, deletion: stock.keys }[kind];
    const name = supply?.pop();
    return name === undefined
      ? { kind: 'guardrail', name: `${stock.label}-guardrail-${this.writes.length}`, isAnswered: false }
      : { kind, name, isAnswered: false };
  }
}

function send(caller: Caller, owner: WriteOwner, { kind, name }: Write): Promise<Outcome> {
  switch (kind) {
    case 'guardrail':
      return caller.post('/guardrails', { name });
    case 'mapping':
      return caller.post('/scim/group-mappings', { scim_group_id: name, workspace_id: owner.workspace_id });
    case 'exchange':
      return caller.post('/auth/keys', { code: name });
    case 'deletion':
      return caller.delete(`/keys/${hashOf(name)}`);
  }
}

interface Found {
  /** How many rows guardrails and mappings have. */
  readonly rows: ReadonlyMap<string, number>;
  /** The hash of every key. */
  readonly keys: ReadonlySet<string>;
  /** Of every code that is used up, by its hash, the hash of its key; null where there is none. */
  readonly redemptions: ReadonlyMap<string, string | null>;
  /** How many keys were made by exchanges. */
  readonly issued: number;
}

async function findAll(url: string): Promise<Found> {
  const rows = await query<{ name: string; count: string }>(
    url,
    `SELECT name, count(*) FROM guardrails GROUP BY name
     UNION ALL SELECT scim_group_id::text, count(*) FROM scim_group_mappings GROUP BY scim_group_id`,
  );
  const keys = await query<{ hash: string; name: string }>(
    url,
    `SELECT encode(hash, 'hex') AS hash, name FROM api_keys`,
  );
  const redemptions = await query<{ code: string; key: string | null }>(
    url,
    `SELECT encode(c.code_hash, 'hex') AS code, encode(k.hash, 'hex') AS key
     FROM authorization_codes c LEFT JOIN api_keys k ON k.id = c.issued_key_id WHERE c.used_at IS NOT NULL`,
  );
  return {
    rows: new Map(rows.map(({ name, count }) => [name, Number(count)])),
    keys: new Set(keys.map(({ hash }) => hash)),
    redemptions: new Map(redemptions.map(({ code, key }) => [code, key])),
    issued: keys.filter(({ name }) => name === 'OAuth key').length,
  };
}
