import type { Outcome } from '../support/caller.js';
import { runCommand } from '../support/command.js';
import type { Fault } from '../support/fault.js';
import { type FuzzedRequest, fuzzedRequest } from '../support/fuzz/fuzzed-request.js';
import { KnownValues } from '../support/fuzz/known-values.js';
import { type DocumentedOperation, OPERATIONS } from '../support/fuzz/open-api.js';
import { SecretWatch } from '../support/fuzz/secret-watch.js';
import { forEachNumber } from '../support/load.js';
import { isSuccess, summaryOf } from '../support/outcomes.js';
import { query } from '../support/postgres-server.js';
import { Random } from '../support/random.js';
import { hashOf, makeKeys } from '../support/rows.js';
import { requireQuietLog } from '../support/quiet-log.js';

const AT_ONCE = 16;

/** How many requests there are, and at most as many again for operations that none of them has reached. */
const REQUESTS = 10_000;

/** How many provider keys there are at the beginning. */
const PROVIDER_KEYS = 20;

/** How many inspectors there are at the beginning: chance finds no address that may be called. */
const INSPECTORS = 10;

/** How many MCP servers there are at the beginning. */
const MCP_SERVERS = 10;

/** How many limits by condition and group there are at the beginning, each with an exception. */
const LIMITS = 10;

/** How many alerts there are at the beginning. */
const ALERTS = 20;

/** How many deactivated members there are at the beginning. */
const MEMBERS = 10;

/** How many providers and endpoints of the organization's own there are at the beginning. */
const PRIVATE_ENDPOINTS = 20;

/** How many issuers and policies there are at the beginning. */
const FEDERATION_POLICIES = 20;

/** How many identity providers people sign in with at the beginning. */
const SIGN_IN_CONNECTIONS = 20;

/** What only an authorization server lets succeed, of which none answers here. */
const AT_AUTHORIZATION_SERVERS: readonly string[] = ['authorizeMcpConnection', 'createMcpConnection'];

/** The operations that make what others use up: codes, each of which can be exchanged once, and guardrails. */
const MAKERS: readonly string[] = ['createAuthKeysCode', 'createGuardrail'];

/** Adds the builtin provider's model for moderations. */
const ADD_MODERATION_MODEL = [
  ...['model', 'add', 'gatehouse/echo-moderation', '--provider', 'gatehouse', '--context', '8192'],
  ...['--output', 'moderation', '--prompt-price', '0', '--completion-price', '0'],
];

/** A request to the builtin provider. */
const ECHOED = JSON.stringify({ model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] });

/** Valid and invalid requests that are generated from the OpenAPI document, with every kind of credential in every place. */
export const FUZZ_INTERFACE: Fault = {
  name: 'fuzz-interface',
  title: '10,000 requests made up from the OpenAPI document',
  run: async (scene) => {
    const { verdict, tenant } = scene;
    // The starter catalog has no model for moderations.
    const added = await runCommand(ADD_MODERATION_MODEL, await scene.variables());
    verdict.expect(added.succeeded, 'a model for moderations is added', added.output);
    const service = await scene.service();
    const caller = scene.callerAt(service.origin);
    const random = new Random(scene.seed);
    const spare = await makeKeys(await scene.database(), tenant, 'api_key', 60);
    scene.keepSecret(...spare);
    const watch = new SecretWatch(scene);
    const credentials = {
      management: tenant.management_key,
      inference: tenant.api_key,
      others: [
        tenant.api_key,
        tenant.client_secret,
        tenant.other_client_secret,
        tenant.other_organization.management_key,
        ...spare.slice(0, 10),
      ],
    };
    // The sample of models may have none that makes images.
    const known = new KnownValues(tenant, [...tenant.models, 'openai/gpt-image-2']);
    known.addMade('/keys/', spare.slice(-50).map(hashOf));
    const manage = (method: string, path: string, body: object): Promise<Outcome> =>
      caller.send(method, `/api/v1${path}`, JSON.stringify(body), tenant.management_key);
    for (const { id } of [tenant.workspace, tenant.default_workspace]) {
      await manage('PATCH', `/workspaces/${id}`, { is_observability_io_logging_enabled: true });
    }
    // Few requests of the fuzz make a provider key, and others delete them.
    for (let number = 0; number < PROVIDER_KEYS; number += 1) {
      const secret = `sk-own-key-of-the-fuzz-${number}-${'x'.repeat(20)}`;
      scene.keepSecret(secret);
      const made = await manage('POST', '/byok', { provider: 'openai', key: secret, name: `Key ${number}` });
      known.addMade('/byok/', [(parse(made.text)?.['data'] as { id: string }).id]);
    }
    // Chance finds no webhook for an alert, and there is no SMTP server.
    const webhook = { type: 'webhook', name: 'For alerts', config: { url: 'https://hooks.example.com/alerts' } };
    const destination = await manage('POST', '/observability/destinations', webhook);
    const destinationId = (parse(destination.text)?.['data'] as { id: string }).id;
    known.setField('destination_id', [destinationId]);
    for (const name of ['thresholds', 'days_before', 'guardrail_id']) known.setField(name, [null]);
    known.setField('emails', [[]]);
    for (let number = 0; number < ALERTS; number += 1) {
      const alert = { name: `Alert ${number}`, kind: 'budget', destination_id: destinationId };
      const made = await manage('POST', '/alerts', alert);
      known.addMade('/alerts/', [(parse(made.text)?.['data'] as { id: string }).id]);
    }
    for (let number = 0; number < INSPECTORS; number += 1) {
      const made = await manage('POST', '/inspectors', { name: 'Guard', url: 'https://guard.example.com' });
      known.addMade('/inspectors/', [(parse(made.text)?.['data'] as { id: string }).id]);
    }
    for (let count = 0; count < MCP_SERVERS; count += 1) {
      const made = await manage('POST', '/mcp-servers', {
        name: `server-${count}`,
        url: 'https://mcp.example.com/mcp',
      });
      known.addMade('/mcp-servers/', [(parse(made.text)?.['data'] as { id: string }).id]);
    }
    // No server answers with tools: some are stored as if they had been seen, each second one as approved.
    const digest = 'a'.repeat(64);
    for (const columns of [
      'definition, digest',
      'definition, digest, approved_definition, approved_digest, approved_at',
    ]) {
      const isApproved = columns.includes('approved');
      const tool = `'{"name": "tool", "inputSchema": {}}', '${digest}'`;
      await query(
        await scene.database(),
        `INSERT INTO mcp_tools (organization_id, server_id, name, seen_at, ${columns})
         SELECT organization_id, id, '${isApproved ? 'approved' : 'seen'}', now(), ${tool}${isApproved ? `, ${tool}, now()` : ''}
         FROM mcp_servers WHERE organization_id = $1`,
        [tenant.organization_id],
      );
    }
    known.setField('tools', [[{ name: 'seen', digest }], ['approved']]);
    await query(
      await scene.database(),
      `INSERT INTO mcp_connections (organization_id, id, server_id, user_id, encrypted_tokens, created_at, updated_at)
       SELECT s.organization_id, gen_random_uuid(), s.id, m.user_id, 'unreadable', now(), now()
       FROM mcp_servers s JOIN organization_members m ON m.organization_id = s.organization_id WHERE s.organization_id = $1`,
      [tenant.organization_id],
    );
    known.addMade(
      '/mcp-connections/',
      Array.from({ length: MCP_SERVERS }, (_, count) => `server-${count}`),
    );
    // Chance finds no values of the keys that a limit groups by, and no replay.
    known.setField('values', [{ user: 'ada' }]);
    for (let number = 0; number < LIMITS; number += 1) {
      const limit = { name: 'Limit', group_by: ['user'], measure: 'usd', amount: 1_000_000, window: 'daily' };
      const made = await manage('POST', '/limits', limit);
      const { id } = parse(made.text)?.['data'] as { id: string };
      known.addMade('/limits/', [id]);
      const exception = await manage('POST', `/limits/${id}/exceptions`, { values: { user: 'grace' }, amount: 5 });
      known.addMade('/limits/{id}/exceptions/', [(parse(exception.text)?.['data'] as { id: string }).id]);
    }
    const replays = await query<{ id: string }>(
      await scene.database(),
      `INSERT INTO replay_jobs (organization_id, id, guardrail_id, "from", "to", sample, state, read_count, created_at, alive_until)
       SELECT $1, gen_random_uuid(), gen_random_uuid(), '2026-01-01', '2026-01-02', 1, 'failed', 0, now(), now()
       FROM generate_series(1, 20) RETURNING id`,
      [tenant.organization_id],
    );
    known.addMade(
      '/replays/',
      replays.map(({ id }) => id),
    );
    // Only who is deactivated can be erased, which chance seldom does one after the other.
    for (let number = 0; number < MEMBERS; number += 1) {
      const member = { name: `Member ${number}`, email: `member-${number}@fuzz.example`, role: 'org:member' };
      const made = await manage('POST', '/organization/members', member);
      const { id } = parse(made.text)?.['data'] as { id: string };
      await manage('PATCH', `/organization/members/${id}`, { status: 'deactivated' });
      known.addMade('/organization/members/', [id]);
    }
    // Chance finds no issuer, no public key and no condition.
    known.setField('issuer', ['https://issuer.example.com']);
    known.setField('jwks', [{ type: 'discovery' }]);
    known.setField('condition', ['subject != ""']);
    const issuer = { name: 'Issuer', issuer: 'https://issuer.example.com', jwks: { type: 'discovery' } };
    const madeIssuer = await manage('POST', '/federation/issuers', issuer);
    const issuerId = (parse(madeIssuer.text)?.['data'] as { id: string }).id;
    known.setField('issuer_id', [issuerId]);
    for (let number = 0; number < FEDERATION_POLICIES; number += 1) {
      const policy = {
        name: 'Policy',
        issuer_id: issuerId,
        key_hash: hashOf(tenant.api_key),
        subject: 'x',
        audience: 'y',
      };
      const made = await manage('POST', '/federation/policies', policy);
      known.addMade('/federation/policies/', [(parse(made.text)?.['data'] as { id: string }).id]);
      const further = await manage('POST', '/federation/issuers', issuer);
      known.addMade('/federation/issuers/', [(parse(further.text)?.['data'] as { id: string }).id]);
    }
    for (let number = 0; number < SIGN_IN_CONNECTIONS; number += 1) {
      const connection = { name: 'Sign-in', issuer: `https://idp-${number}.example.com`, client_id: 'client' };
      const made = await manage('POST', '/sign-in/connections', connection);
      known.addMade('/sign-in/connections/', [(parse(made.text)?.['data'] as { id: string }).id]);
    }
    await manage('POST', '/external-users', { user: 'customer' });
    known.addMade('/external-users/', ['customer']);
    // No server answers, so that none is active unless the database says so.
    const pricing = { prompt: '0', completion: '0' };
    for (let number = 0; number < PRIVATE_ENDPOINTS; number += 1) {
      const provider = await manage('POST', '/private-providers', { name: `Servers ${number}` });
      const { slug } = parse(provider.text)?.['data'] as { slug: string };
      known.addMade('/private-providers/', [slug]);
      known.setField('provider_slug', [slug]);
      const endpoint = { model_permaslug: 'openai/gpt-5.4', upstream_model_id: 'x', provider_slug: slug, pricing };
      const made = await manage('POST', '/private-endpoints', endpoint);
      known.addMade('/private-endpoints/', [(parse(made.text)?.['data'] as { id: string }).id]);
    }
    await query(await scene.database(), `UPDATE private_endpoints SET status = 'active'`);
    known.setField('model_permaslug', ['openai/gpt-5.4']);
    known.setField('base_url', ['https://models.example.com/v1']);
    known.setField('pricing', [pricing]);
    // The record of a request, and its content: the fuzz cannot generate ids of generations.
    const asked = await caller.send('POST', '/api/v1/chat/completions', ECHOED, tenant.api_key);
    known.setField('id', [parse(asked.text)?.['id']]);
    known.setField('generation_id', [parse(asked.text)?.['id']]);
    known.setField('messages', [[{ role: 'user', content: 'Hello' }]]);
    known.setField('input', ['Hello', ['Hello', 'world']]);
    known.setField('prompt', ['Hello', ['Hello']]);
    // Any others make nearly every body with so many fields one that is refused.
    known.setField('n', [1]);
    known.setField('best_of', [1]);
    known.setField('suffix', ['']);
    known.setField('echo', [false]);
    known.setField('reasoning', [{ effort: 'low' }]);
    for (const name of ['temperature', 'top_p', 'top_a', 'min_p', 'frequency_penalty'])
      known.setField(name, [0, 0.5, 1]);
    known.setField('model', [
      'gatehouse/echo',
      'gatehouse/echo-embedding',
      'gatehouse/echo-rerank',
      'gatehouse/echo-image',
      'gatehouse/echo-transcription',
      'gatehouse/echo-speech',
      'gatehouse/echo-moderation',
    ]);
    known.setField('images', [[{ image_url: 'data:image/gif;base64,R0lGODlhAQABAAAAACw=' }]]);
    known.setField('mask', [null]);
    known.setField('input_audio', [{ data: 'UklGRiQAAABXQVZFZm10IA==', format: 'wav' }]);
    // A guardrail that leaves no model would have all later requests of inference refused.
    known.setField('allowed_models', [['gatehouse/echo', 'gatehouse/echo-embedding']]);
    known.setField('ignored_models', [['openai/gpt-latest']]);
    known.setField('allowed_providers', [['gatehouse', 'openai']]);
    known.setField('ignored_providers', [['anthropic']]);
    known.setField('metrics', [['request_count'], ['total_usage', 'avg_latency']]);
    known.setField('dimensions', [['model'], ['api_key_id', 'workspace']]);
    const outcomes: Outcome[] = [];
    const succeeded = new Set<string>();
    const unenveloped: string[] = [];

    const tryOne = async (operations: readonly DocumentedOperation[]): Promise<void> => {
      known.setField('code', watch.codes.slice(-5));
      const request = fuzzedRequest(random, known, credentials, operations);
      const { operation, method, path, key, headers, body } = request;
      const outcome = await caller.send(method, path, body, key, headers);
      outcomes.push(outcome);
      const { status, text, head } = outcome;
      if (status === undefined) return;
      const parsed = method === 'HEAD' ? undefined : parse(text);
      if (isSuccess(outcome) && method === operation.method) {
        succeeded.add(operation.operationId);
        if (parsed !== undefined) known.learn(operation, parsed);
      }
      if (status >= 400 && method !== 'HEAD' && codeOf(parsed) !== status)
        unenveloped.push(`${method} ${path} ${text}`);
      watch.look({
        operationId: operation.operationId,
        status,
        text: `${head}\n${text}`,
        body: parsed,
        request: withoutCredential(request),
      });
    };
    // Without an operator's organization its operations are not there.
    const untried = (): DocumentedOperation[] =>
      OPERATIONS.filter(
        ({ operationId, isForOperator }) =>
          !succeeded.has(operationId) && !isForOperator && !AT_AUTHORIZATION_SERVERS.includes(operationId),
      );
    await forEachNumber(REQUESTS, AT_ONCE, () => tryOne(OPERATIONS));
    // A guardrail or a limit that chance has made may have every request of inference refused from then on.
    await query(await scene.database(), 'DELETE FROM guardrails');
    await query(await scene.database(), `UPDATE limits SET enforcement = 'observe', updated_at = now()`);
    // Of so many operations chance may leave out one or the other. What they use up is made further on.
    const makers = OPERATIONS.filter(({ operationId }) => MAKERS.includes(operationId));
    for (let more = 0; more < REQUESTS && untried().length > 0; more += 1)
      await tryOne(more % 2 === 0 ? untried() : makers);

    const failed = outcomes.filter(
      ({ status, text }) => (status === undefined || status >= 500) && !isOfProviders(text),
    );
    const untouched = untried().map(({ operationId }) => operationId);
    verdict.figure('sent', outcomes.length);
    verdict.figure('failed', failed.length);
    verdict.figure('leaks', watch.leaks.length);
    verdict.figure('secrets made', scene.keptSecrets.length);
    verdict.figure('answers', summaryOf(outcomes));
    verdict.expect(failed.length === 0, 'no request fails within the service', summaryOf(failed));
    verdict.expect(unenveloped.length === 0, 'every refusal is in the envelope', unenveloped.slice(0, 3));
    verdict.expect(watch.leaks.length === 0, 'no credential stands in an answer but where it is told', watch.leaks);
    verdict.expect(untouched.length === 0, 'every operation was reached', untouched);
    requireQuietLog(verdict, service);
  },
};

/** Whether no server outside could be reached: chance may ask one that the fuzz has made up. */
function isOfProviders(text: string): boolean {
  return /"reason":"(?:provider_unavailable|mcp_authorization_failed)"/.test(text);
}

/** Undefined for what is no JSON object, as a feed is not, and several lines are not. */
function parse(text: string): Record<string, unknown> | undefined {
  return text.startsWith('{') && !text.trimEnd().includes('\n')
    ? (JSON.parse(text) as Record<string, unknown>)
    : undefined;
}

function codeOf(body: Record<string, unknown> | undefined): unknown {
  return (body?.['error'] as Record<string, unknown> | undefined)?.['code'];
}

/** All of a request but its credential. */
function withoutCredential({ path, headers, body }: FuzzedRequest): string {
  return [path, ...Object.values(headers), body ?? ''].join('\n');
}
