import { gzipSync } from 'node:zlib';
import { query } from '../postgres-server.js';
import type { Attack, Attacker } from './attack.js';
import { INFERENCE_ATTACKS } from './inference-attacks.js';

/** As large as a body may be, and as deep as that allows. */
const DEEP_BODY = `${'['.repeat(500_000)}${']'.repeat(500_000)}`;

const COMPRESSED_DEEP_BODY = gzipSync(DEEP_BODY);

/** Of this many characters a pattern was once compiled on the event loop, however much it expands to. */
const SHORT_PATTERN_LENGTH = 2_000;

/** Long enough to be compiled aside, and slow to compile. */
const SLOW_PATTERNS = Array.from({ length: 5 }, (_, number) => `(?i)(${'[a-z]{1,20}x|'.repeat(140)}${number})`);

const DAYS_OF_USE = 3 * 365;

function repeated(piece: string): string {
  return piece.repeat(Math.floor(SHORT_PATTERN_LENGTH / piece.length));
}

function createGuardrail({ caller, unusedName }: Attacker, patterns: readonly string[]): ReturnType<Attack['send']> {
  const content_filters = patterns.map((pattern) => ({ pattern, action: 'redact' }));
  return caller.post('/guardrails', { name: unusedName(), content_filters });
}

/** A guardrail with as many custom filters as the service takes, found by halving. */
async function createLargeGuardrail(attacker: Attacker, prefix: string): Promise<string> {
  for (let count = 16_384; count > 0; count = Math.floor(count / 2)) {
    const patterns = Array.from({ length: count }, (_, number) => `${prefix}${number}[a-z]`);
    const { status, text } = await createGuardrail(attacker, patterns);
    if (status === 200 || status === 201) return (JSON.parse(text) as { data: { id: string } }).data.id;
  }
  throw new Error('no guardrail with custom filters can be made');
}

async function makeGuardrailsOfLargestPage(attacker: Attacker): Promise<void> {
  const pattern = 'a'.repeat(90_000);
  for (let number = 0; number < 100; number += 1) await createGuardrail(attacker, [`${pattern}${number}`]);
}

/** Everything that one organization with ordinary credentials was once able to stop all others with. */
export const ATTACKS: readonly Attack[] = [
  ...['(x){0,999}', 'x{0,1000}', '(){0,999}', '(x{0,999})'].map((piece): Attack => ({
    name: `patterns of ${piece}`,
    send: (attacker) => createGuardrail(attacker, [repeated(piece)]),
  })),
  { name: 'patterns that are slow to compile', send: (attacker) => createGuardrail(attacker, SLOW_PATTERNS) },
  {
    name: 'effective policy of many filters',
    prepare: async (attacker) => {
      const { caller, tenant } = attacker;
      const [own, owner] = [await createLargeGuardrail(attacker, 'own'), await createLargeGuardrail(attacker, 'owner')];
      const { api_key_hash: hash, user_id } = tenant;
      await caller.post(`/guardrails/${own}/assignments/keys`, { key_hashes: [hash] });
      await caller.post(`/guardrails/${owner}/assignments/members`, { member_user_ids: [user_id] });
    },
    send: ({ caller, tenant }) => caller.get(`/guardrails/effective?key_hash=${tenant.api_key_hash}`),
  },
  {
    name: 'models of a key with many filters',
    send: ({ caller, tenant }) => caller.get('/models/user?limit=1', tenant.api_key),
  },
  {
    name: 'deep bodies',
    send: ({ caller, tenant }) => caller.send('POST', '/auth/keys', DEEP_BODY, tenant.api_key),
  },
  {
    name: 'deep bodies in presets',
    send: ({ caller }) => caller.send('POST', '/presets/deep/chat/completions', DEEP_BODY),
  },
  {
    name: 'compressed deep bodies',
    send: ({ caller, tenant }) =>
      caller.send('POST', '/auth/keys', COMPRESSED_DEEP_BODY, tenant.api_key, { 'content-encoding': 'gzip' }),
  },
  {
    name: 'pages of large guardrails',
    prepare: makeGuardrailsOfLargestPage,
    send: ({ caller }) => caller.get('/guardrails?limit=100'),
  },
  { name: 'pages of large audit events', send: ({ caller }) => caller.get('/audit-events?limit=100') },
  {
    name: 'pages of keys with years of use',
    prepare: async ({ tenant }, databaseUrl) => {
      await query(
        databaseUrl,
        `INSERT INTO key_spend (organization_id, key_id, day, amount_usd, byok_amount_usd)
           SELECT organization_id, id, current_date - day, 1, 1
           FROM api_keys CROSS JOIN generate_series(0, ${DAYS_OF_USE}) AS day
           WHERE organization_id = $1 ON CONFLICT DO NOTHING`,
        [tenant.organization_id],
      );
    },
    send: ({ caller }) => caller.get('/keys?limit=100'),
  },
  {
    name: 'destinations of hosts without an address',
    send: ({ caller, unusedName }) =>
      caller.post('/observability/destinations', {
        type: 'webhook',
        name: unusedName(),
        config: { url: `https://${unusedName()}.example.net/` },
      }),
  },
  {
    name: 'changes of one row',
    send: ({ caller, tenant, unusedName }) =>
      caller.send('PATCH', `/workspaces/${tenant.workspace.id}`, JSON.stringify({ description: unusedName() })),
  },
  { name: 'the OpenAPI document', send: ({ root }) => root.get('/docs/openapi.json') },
  ...INFERENCE_ATTACKS,
];
