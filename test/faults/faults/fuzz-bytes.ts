import { setTimeout as delay } from 'node:timers/promises';
import { ByteConnection } from '../support/byte-connection.js';
import { byteRequest, byteRequestOf } from '../support/byte-request.js';
import type { Fault } from '../support/fault.js';
import { mutated } from '../support/fuzz/byte-mutations.js';
import { fuzzedRequest } from '../support/fuzz/fuzzed-request.js';
import { KnownValues } from '../support/fuzz/known-values.js';
import { SecretWatch } from '../support/fuzz/secret-watch.js';
import { forEachNumber } from '../support/load.js';
import { requireQuietLog } from '../support/quiet-log.js';
import { Random } from '../support/random.js';
import { hashOf, makeCodes } from '../support/rows.js';
import type { Scene } from '../support/scene.js';

const AT_ONCE = 128;

/** How long an answer is waited for; a request that is cut short never gets one. In milliseconds. */
const TIMEOUT_MS = 5_000;

/** How long further answers may take to come behind the first, in milliseconds. */
const QUIET_MS = 10;

/** How many requests are generated, besides those that would succeed. */
const MADE_UP = 100;

/** How many of the connections are broken off once the answer begins to come. */
const RESET_PART = 0.2;

/** The head of an answer that is one document of JSON: the export of the audit trail has one in each line. */
const IS_OBJECT = /^content-type: application\/json\b/im;

/** Real requests with a few bytes wrong. */
export const FUZZ_BYTES: Fault = {
  name: 'fuzz-bytes',
  title: '10,000 real requests with bytes changed, left out, put in and said twice',
  run: async (scene) => {
    const { verdict } = scene;
    const service = await scene.service();
    const random = new Random(scene.seed);
    const requests = [...(await realRequests(scene)), ...madeUpRequests(scene, random)];
    const watch = new SecretWatch(scene);
    const statuses = new Map<number, number>();
    let unanswered = 0;
    const unreadable: string[] = [];
    const count = scene.count(10_000, 1_000);

    await forEachNumber(count, AT_ONCE, async () => {
      const bytes = mutated(random.pick(requests), random.pick(requests), random);
      const connection = new ByteConnection(service.origin);
      connection.send(bytes);
      await connection.wait(1, TIMEOUT_MS);
      if (random.chance(RESET_PART)) connection.reset();
      else if (connection.isOpen) await delay(QUIET_MS);
      connection.destroy();
      if (connection.answers.length === 0) unanswered += 1;
      for (const { status, head, body } of connection.answers) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (Number.isNaN(status)) unreadable.push(head.slice(0, 500));
        watch.look({
          // A mutation can turn a request into one of another operation.
          operationId: undefined,
          status,
          text: `${head}\n${body}`,
          body:
            IS_OBJECT.test(head) && body.startsWith('{') ? (JSON.parse(body) as Record<string, unknown>) : undefined,
          request: withoutCredential(bytes),
        });
      }
    });

    const failed = [...statuses].filter(([status]) => status >= 500);
    verdict.figure('sent', count);
    verdict.figure(
      'failed',
      failed.reduce((sum, [, times]) => sum + times, 0),
    );
    verdict.figure('leaks', watch.leaks.length);
    verdict.figure('never ended, and so not answered', unanswered);
    verdict.figure('answers', [...statuses].map(([status, times]) => `${status} x ${times}`).join(', '));
    verdict.expect(unanswered < count / 2, 'most are answered, so that their answers say something', unanswered);
    verdict.expect(failed.length === 0, 'no answer is a failure of the service', failed);
    verdict.expect(unreadable.length === 0, 'every answer is HTTP', unreadable.slice(0, 3));
    verdict.expect(watch.leaks.length === 0, 'no credential stands in an answer but where it is told', watch.leaks);
    // Too few create something to expect it of each run.
    verdict.expect(statuses.has(200) && statuses.has(400), 'some go through, and some do not');
    requireQuietLog(verdict, service);
    const afterwards = await scene.caller(service).get('/images/models');
    verdict.expect(afterwards.status === 200, 'the service answers afterwards', afterwards.status);
  },
};

/** Requests of all operations, generated from the OpenAPI document. */
function madeUpRequests({ tenant }: Scene, random: Random): Buffer[] {
  const known = new KnownValues(tenant, tenant.models);
  const credentials = {
    management: tenant.management_key,
    inference: tenant.api_key,
    others: [tenant.api_key, tenant.client_secret],
  };
  return Array.from({ length: MADE_UP }, () => {
    const { method, path, ...parts } = fuzzedRequest(random, known, credentials);
    return Buffer.from(byteRequestOf(method, path, parts));
  });
}

/** Requests that would succeed, and some that are for no operation. */
async function realRequests(scene: Scene): Promise<Buffer[]> {
  const { tenant } = scene;
  const key = tenant.management_key;
  const [code] = await makeCodes(await scene.database(), tenant, 1);
  const guardrail = {
    name: 'Production',
    limit_usd: 100,
    reset_interval: 'monthly',
    allowed_models: tenant.models.slice(0, 1),
    content_filters: [{ pattern: '[a-z]+', action: 'redact', label: null }],
  };
  const workspace = `/api/v1/workspaces/${tenant.workspace.slug}`;
  return [
    byteRequest('POST', '/api/v1/guardrails', key, guardrail),
    byteRequest('GET', '/api/v1/guardrails?offset=0&limit=10', key),
    byteRequest('POST', '/api/v1/auth/keys', key, { code }),
    byteRequest('POST', '/api/v1/auth/keys/code', key, { callback_url: 'https://fuzz.example/callback' }),
    byteRequest('DELETE', `/api/v1/keys/${hashOf('no such key')}`, key),
    byteRequest('POST', '/api/v1/scim/group-mappings', key, {
      scim_group_id: tenant.scim_group_ids[0],
      workspace_id: tenant.workspace.id,
    }),
    byteRequest('GET', '/api/v1/scim/group-mappings', key),
    byteRequest('GET', '/api/v1/images/models', tenant.api_key),
    byteRequest('GET', `/api/v1/model/${tenant.models[0]}`, tenant.api_key),
    byteRequest('GET', `/api/v1/presets/${tenant.preset_slug}/versions`, tenant.api_key),
    byteRequest('GET', `${workspace}/members`, key),
    byteRequest('DELETE', `${workspace}/budgets/daily`, key),
    byteRequest('GET', `/api/v1/observability/destinations/${tenant.destination_ids[0]}`, key),
    byteRequest('GET', '/health/ready', key),
    byteRequest('CONNECT', 'elsewhere.example:443', key),
  ].map((request) => Buffer.from(request, 'latin1'));
}

function withoutCredential(bytes: Buffer): string {
  return bytes.toString('latin1').replaceAll(/^authorization: bearer .*$/gim, '');
}
