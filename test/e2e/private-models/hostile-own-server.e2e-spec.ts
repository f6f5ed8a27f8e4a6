import type { ServerResponse } from 'node:http';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { ProviderServer } from '../../support/network/provider-server.js';
import {
  newKeyForOwnProvider,
  newPrivateEndpoint,
  newPrivateProvider,
  validated,
} from '../../support/resources/private-models.js';
import { until } from '../../support/time/until.js';
import { answerAsAsked, chunk, STREAM_END, STREAM_HEAD } from '../inference/provider-answers.js';
import { sharedGateway } from '../inference/shared-gateway.js';

/** A model that no other provider serves. */
const MODEL = 'acme/unconnected';

/** The processor time that all of a test takes at most, in seconds: a tenth of what searches in lists of lists took. */
const MOST_SECONDS = 5;

const SIGNED = { extra_content: { google: { thought_signature: 'c2ln' } } };

const many = <Entry>(length: number, entryAt: (at: number) => Entry): Entry[] =>
  Array.from({ length }, (_, at) => entryAt(at));

const calls = (length: number): string =>
  chunk({
    tool_calls: many(length, (index) => ({ index, id: `c${index}`, function: { name: 'look_up', arguments: '{' } })),
  });

const signedParts = (length: number): string =>
  chunk({ tool_calls: many(length, () => ({ index: 0, function: { arguments: '' }, ...SIGNED })) });

const data = (document: object): string => `data: ${JSON.stringify(document)}\n\n`;

const half = 'a'.repeat(1_000_000);

/** What a server of a tenant sends, and the status that its client gets. */
const ANSWERS = {
  'more calls than fit, and as many signed parts of one': { sent: calls(9_000) + signedParts(9_000), status: 503 },
  'a thousand calls, and a thousand signed parts of one, many times': {
    sent: calls(1_000) + signedParts(1_000).repeat(20),
    status: 200,
  },
  'thousands of choices that have ended, and as many small events': {
    sent:
      data({ choices: many(4_000, (index) => ({ index, delta: { content: 'a' }, finish_reason: 'stop' })) }) +
      chunk({ content: 'a' }).repeat(4_000),
    status: 200,
  },
  'an error whose long texts are nearly the same': {
    sent: data({ error: { message: 'a'.repeat(4_000_000), originalMessage: `${half}b${half}` } }),
    status: 503,
  },
  'lists that nest as deep as is read': {
    sent: chunk({ content: 'a', unknown: JSON.parse(`${'['.repeat(150)}${']'.repeat(150)}`) as unknown }),
    status: 200,
  },
  'lists that nest deeper': {
    sent: `data: {"choices":[{"index":0,"delta":{"content":"a","unknown":${'['.repeat(2_000_000)}${']'.repeat(2_000_000)}}}]}\n\n`,
    status: 503,
  },
  'arguments that nest deep': {
    sent: chunk({
      tool_calls: [{ index: 0, id: 'c', function: { name: 'look_up', arguments: '['.repeat(1_000_000) } }],
    }),
    status: 200,
  },
} as const;

describe('a server of a tenant', () => {
  const gateway = sharedGateway();
  const organization = organizationPerTest(gateway);
  let server: ProviderServer;

  beforeAll(async () => {
    server = await ProviderServer.start();
  });
  afterAll(() => server.stop());

  /** A key whose organization has the server as a provider of its own. */
  const keyOfOwner = async (): Promise<IssuedCredential> => {
    server.answerWith(answerAsAsked);
    const { slug } = await newPrivateProvider(gateway.app, organization, { base_url: server.baseUrl });
    await newKeyForOwnProvider(gateway.app, organization, slug, 'sk-own-server-0123456789');
    const names = { model_permaslug: MODEL, upstream_model_id: 'theirs' };
    const { id } = await newPrivateEndpoint(gateway.app, organization, slug, names);
    expect(await validated(gateway.app, organization, id)).toMatchObject({ passed: true });
    const activated = await gateway.app.api.post(`/private-endpoints/${id}/activate`, {
      key: organization.managementKey,
    });
    expect(activated.status).toBe(200);
    return gateway.app.factory.key(organization);
  };

  it.each(Object.keys(ANSWERS) as (keyof typeof ANSWERS)[])(
    'that sends %s lets others have their answers of status 200 meanwhile',
    async (name) => {
      const { sent, status } = ANSWERS[name];
      const owner = await keyOfOwner();
      const other = await gateway.factory.key(await gateway.factory.organization());
      let open: ServerResponse | undefined;
      server.answerWith((response) => {
        response.writeHead(200, STREAM_HEAD).write(sent);
        open = response;
      });
      const began = process.cpuUsage();
      const streaming = gateway.stream(owner, { model: MODEL, provider: null });
      await until(() => Promise.resolve(open !== undefined));
      const [asked, alive] = await Promise.all([
        gateway.ask(other),
        fetch(`${gateway.app.origin}/health/live`).then((answer) => answer.status),
      ]);
      open!.end(STREAM_END);
      const answer = await streaming;
      const { user } = process.cpuUsage(began);

      expect([asked.status, alive, answer.status]).toEqual([200, 200, status]);
      expect(user / 1_000_000).toBeLessThan(MOST_SECONDS);
    },
  );
});
