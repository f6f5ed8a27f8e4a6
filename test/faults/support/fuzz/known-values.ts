import type { Demonstration } from '../../../../src/cli/demo/demonstration.js';
import type { DocumentedOperation } from './open-api.js';

/** What identifies an object of a collection in paths. */
const IDENTIFIERS = ['id', 'slug', 'hash'];

/** An answer of success, as far as ids are learned from it. */
interface Told {
  readonly data?: unknown;
}

/**
 * Values that exist in the tenant, and so make requests reach the rows, and not only the checks ahead of them. Those of
 * parameters in paths are kept by the path up to the parameter.
 */
export class KnownValues {
  /** By the name of a field or of a parameter of the query. */
  private readonly fields: Map<string, readonly unknown[]>;
  /** What the tenant had from the start. */
  private readonly given: Map<string, unknown[]>;
  /** Objects that this run has created, and may delete. */
  private readonly made = new Map<string, unknown[]>();
  /** Objects from lists: others may need them, so they are only read. */
  private readonly seen = new Map<string, unknown[]>();

  /** @param models names of models, `author/slug` */
  constructor(
    tenant: Demonstration,
    readonly models: string[],
  ) {
    const { workspace, default_workspace: standard, other_organization: other, user_id: user } = tenant;
    const { guarded_key: guarded, scim_mapping: mapping, connect_client: client } = tenant;
    const workspaces = [workspace.id, standard.id, other.workspace.id];
    const guardrails = [guarded.workspace_guardrail_id, guarded.member_guardrail_id, guarded.key_guardrail_id];
    this.fields = new Map<string, readonly unknown[]>([
      ['workspace_id', workspaces],
      ['scim_group_id', tenant.scim_group_ids],
      ['user_id', [user]],
      ['creator_user_id', [user]],
      ['member_user_ids', [[user]]],
      ['user_ids', [[user]]],
      ['key_hashes', [[tenant.api_key_hash], [tenant.client_key_hash, tenant.api_key_hash]]],
      ['key_hash', [tenant.api_key_hash, guarded.hash]],
      ['with', guardrails],
      ['api_key_hashes', [[tenant.api_key_hash]]],
      ['allowed_models', models.map((model) => [model])],
      ['ignored_models', models.map((model) => [model])],
      ['callback_url', ['https://fuzz.example/callback', 'http://127.0.0.1:8080/']],
      ['pattern', ['secret', '[a-z]+@example', '(a|b)*c']],
      ['slug', Array.from({ length: 500 }, (_, number) => `fuzz-${number}`)],
    ]);
    this.given = new Map<string, unknown[]>([
      ['/workspaces/', [...workspaces, workspace.slug, standard.slug]],
      ['/guardrails/', guardrails],
      // Not the credentials of the requests: a rotation would invalidate them.
      ['/keys/', [guarded.hash, tenant.limited_key.hash, tenant.disabled_key_hash, tenant.client_key_hash]],
      ['/connect/clients/', [client.id]],
      ['/scim/group-mappings/', [mapping.id]],
      ['/observability/destinations/', [...tenant.destination_ids, other.destination_id]],
      ['/presets/', [tenant.preset_slug]],
      ['/presets/{slug}/versions/', [1, 2, 3]],
    ]);
  }

  /** Of a field, or of a parameter of the query. */
  ofField(name: string): readonly unknown[] {
    return this.fields.get(name) ?? [];
  }

  /** Of a parameter in the path of an operation. */
  ofParameter(name: string, { method, path }: DocumentedOperation): readonly unknown[] {
    const key = path.slice(PREFIX.exec(path)![0].length, path.indexOf(`{${name}}`));
    const made = this.made.get(key) ?? [];
    if (method === 'DELETE' && path.endsWith(`{${name}}`)) return made;
    const kept = [...made, ...(this.given.get(key) ?? [])];
    return method === 'GET' ? [...kept, ...(this.seen.get(key) ?? [])] : kept;
  }

  /** From now on a field is given one of these. */
  setField(name: string, values: readonly unknown[]): void {
    this.fields.set(name, values);
  }

  /** Takes note of things in a collection that may be removed. @param key the path up to the parameter */
  addMade(key: string, values: readonly unknown[]): void {
    add(this.made, key, values);
  }

  /** Learns what a collection has from what an operation on it has answered with success. */
  learn({ method, path }: DocumentedOperation, { data }: Told): void {
    const key = `${path.slice(PREFIX.exec(path)![0].length)}/`;
    if (Array.isArray(data)) add(this.seen, key, data.flatMap(identifiersOf));
    else if (method === 'POST') add(this.made, key, identifiersOf(data));
  }
}

/** What the paths of all operations begin with: `/api/v1`. */
const PREFIX = /^\/[^/]+\/[^/]+/;

/** How many values of a collection are remembered: the later ones, of which more are still there. */
const REMEMBERED = 50;

function add(values: Map<string, unknown[]>, key: string, added: readonly unknown[]): void {
  values.set(key, [...new Set([...(values.get(key) ?? []), ...added])].slice(-REMEMBERED));
}

function identifiersOf(thing: unknown): unknown[] {
  if (typeof thing !== 'object' || thing === null) return [];
  return Object.entries(thing).flatMap(([name, value]) => (IDENTIFIERS.includes(name) ? [value as unknown] : []));
}
