import type { ServerResponse } from 'node:http';
import net from 'node:net';
import { once } from 'node:events';
import type { Answer, ErrorBody } from '../../../support/network/api-client.js';
import { until } from '../../../support/time/until.js';
import { CHAT } from '../test-gateway.js';
import { chunk, completion, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { keyPerTest, organizationPerTest } from '../../../support/application/shared-organization.js';
import { sharedGateway } from '../shared-gateway.js';

/** Two of them are less than an organization may have open, three are more. */
const LARGE = [{ role: 'user', content: 'x'.repeat(80 * 1024) }];

/** More than a body may have. */
const TOO_LARGE = [{ role: 'user', content: 'x'.repeat(110 * 1024) }];

const ANNOUNCED_BYTES = 90 * 1024;

describe('the bodies of open inference requests', () => {
  const gateway = sharedGateway({
    variables: { INFERENCE_BODY_LIMIT: '100KiB', INFERENCE_MEMORY_PER_ORGANIZATION: '200KiB' },
  });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let held: ServerResponse[];

  beforeEach(() => {
    held = [];
    gateway.alpha.answerWith((response) => void held.push(response));
  });

  const asked = async (count: number): Promise<void> => until(() => Promise.resolve(held.length === count));

  const large = <Body = ErrorBody>(of = key): Promise<Answer<Body>> => gateway.ask<Body>(of, { messages: LARGE });

  const answerAll = (): void => {
    for (const response of held.filter(({ headersSent }) => !headersSent)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('Done.')));
    }
  };

  /** Sends the head of a request, which tells how large the body is, and no body. @returns what comes back */
  const answerToHead = async (length: number): Promise<string> => {
    const { port } = new URL(gateway.app.origin);
    const socket = net.connect(Number(port), '127.0.0.1');
    socket.write(
      `POST /api/v1${CHAT} HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key.plaintext}\r\n` +
        `Content-Type: application/json\r\nContent-Length: ${length}\r\n\r\n`,
    );
    const [answer] = (await once(socket, 'data')) as [Buffer];
    socket.destroy();
    return answer.toString();
  };

  it('are answered 429 with Retry-After beyond the memory of the organization, before anybody is asked, and 200 afterwards', async () => {
    const open = [large(), large()];
    await asked(2);

    const refused = await large();
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.body.error.metadata).toEqual({
      reason: 'too_much_inference_memory',
      error_type: 'rate_limit_exceeded',
    });
    expect(held).toHaveLength(2);
    const small = gateway.ask(key);
    const theirs = large(await gateway.app.factory.key(await gateway.app.factory.organization()));
    await asked(4);

    answerAll();
    for (const answer of [...open, small, theirs]) expect((await answer).status).toBe(200);
    const again = large();
    await asked(5);
    answerAll();
    expect((await again).status).toBe(200);
  });

  it('are answered 429 before they are read, where their size is announced', async () => {
    const open = [large(), large()];
    await asked(2);

    expect(await answerToHead(ANNOUNCED_BYTES)).toContain('429 Too Many Requests');
    answerAll();
    await Promise.all(open);
  });

  it('count in operations of every kind: 429 in one for what another has open', async () => {
    const open = [gateway.embed(key, { input: LARGE[0]!.content }), large()];
    await asked(2);

    expect((await gateway.embed(key, { input: LARGE[0]!.content })).status).toBe(429);
    for (const response of held) response.writeHead(500).end();
    await Promise.all(open);
  });

  it('are answered 413 when one is larger than a body may be', async () => {
    const refused = await gateway.ask<ErrorBody>(key, { messages: TOO_LARGE });

    expect(refused.status).toBe(413);
    expect(refused.body.error.metadata).toEqual({
      reason: 'body_too_large',
      limit_bytes: 100 * 1024,
      error_type: 'payload_too_large',
    });
  });

  it('are free again behind refusals of 400, 404 and 413, and answered 200', async () => {
    for (let round = 0; round < 3; round += 1) {
      const answers = [
        await gateway.ask(key, { messages: LARGE, temperature: 7 }),
        await gateway.ask(key, { messages: LARGE, model: 'acme/unconnected', provider: undefined }),
        await gateway.ask(key, { messages: TOO_LARGE }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([400, 404, 413]);
    }
    const open = [large(), large()];
    await asked(2);
    answerAll();
    for (const answer of open) expect((await answer).status).toBe(200);
  });

  it('are free again when a stream has ended, and when the client of one leaves: 429 before, 200 afterwards', async () => {
    const client = new AbortController();
    const streams = [
      gateway.open(key, { messages: LARGE }),
      gateway.open(key, { messages: LARGE }, client.signal).catch(() => undefined),
    ];
    await asked(2);
    for (const response of held) response.writeHead(200, STREAM_HEAD).write(chunk({ content: 'All ' }));
    const [ending] = await Promise.all(streams);
    expect((await large()).status).toBe(429);

    client.abort();
    for (const response of held) response.end(STREAM_END);
    await ending!.text();
    gateway.reset();
    await until(async () => (await Promise.all([large(), large()])).every(({ status }) => status === 200));
  });

  it('are free again when the clients of whole answers leave: 429 before, 200 afterwards', async () => {
    const clients = [new AbortController(), new AbortController()];
    const left = clients.map(({ signal }) =>
      fetch(`${gateway.app.origin}/api/v1${CHAT}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${key.plaintext}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'acme/writer', messages: LARGE, provider: { order: ['alpha'] } }),
        signal,
      }).catch(() => undefined),
    );
    await asked(2);
    expect((await large()).status).toBe(429);
    for (const client of clients) client.abort();
    await Promise.all(left);
    gateway.reset();
    await until(async () => (await large()).status === 200);
  });
});

describe('the bodies of open inference requests of all organizations', () => {
  // An organization alone may have half of three quarters, a second one a quarter of them.
  const gateway = sharedGateway({ variables: { INFERENCE_BODY_LIMIT: '100KiB', INFERENCE_MEMORY: '500KiB' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);

  it('are answered 429 for the organization that has most, and 200 for others, small ones too while nothing is left for large ones', async () => {
    const held: ServerResponse[] = [];
    gateway.alpha.answerWith((response) => void held.push(response));
    const asked = async (count: number): Promise<void> => until(() => Promise.resolve(held.length === count));
    const ofAnother = async (): Promise<typeof key> =>
      gateway.app.factory.key(await gateway.app.factory.organization());
    const open = [gateway.ask(key, { messages: LARGE }), gateway.ask(key, { messages: LARGE })];
    await asked(2);

    const refused = await gateway.ask<ErrorBody>(key, { messages: LARGE });
    expect([refused.status, refused.headers.get('retry-after')]).toEqual([429, '5']);
    expect(refused.body.error.metadata).toEqual({
      reason: 'too_much_inference_memory',
      error_type: 'rate_limit_exceeded',
    });
    open.push(gateway.ask(await ofAnother(), { messages: LARGE }));
    await asked(3);
    const late = await ofAnother();
    expect((await gateway.ask(late, { messages: LARGE })).status).toBe(429);
    open.push(gateway.ask(late));
    await asked(4);

    for (const response of held) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('Done.')));
    }
    for (const answer of open) expect((await answer).status).toBe(200);
  });
});

describe('the open inference requests of an organization', () => {
  const gateway = sharedGateway({ variables: { STREAMS_PER_ORGANIZATION: '10' } });
  const organization = organizationPerTest(gateway);
  const key = keyPerTest(gateway, organization);
  let held: ServerResponse[];

  beforeEach(() => {
    held = [];
    gateway.alpha.answerWith((response) => void held.push(response));
  });

  const asked = async (count: number): Promise<void> => until(() => Promise.resolve(held.length === count));

  const answerAll = (): void => {
    for (const response of held.filter(({ destroyed }) => !destroyed)) {
      response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(completion('Done.')));
    }
  };

  it('are nine tenths of one key at most: 429 beyond them, while the last tenth is answered 200 for another key', async () => {
    const open = Array.from({ length: 9 }, () => gateway.ask(key));
    await asked(9);

    const refused = await gateway.ask<ErrorBody>(key);
    expect(refused.status).toBe(429);
    expect(refused.body.error.metadata).toMatchObject({ reason: 'too_many_open_inference_requests' });
    const another = await gateway.app.factory.key(organization);
    open.push(gateway.ask(another));
    await asked(10);
    expect((await gateway.ask(await gateway.app.factory.key(organization))).status).toBe(429);

    answerAll();
    for (const answer of open) expect((await answer).status).toBe(200);
  });

  it('are counted together for all keys of a Connect client, and answered 200 for a key that is not of it', async () => {
    const { id: connectClientId } = await gateway.app.factory.client(organization);
    const ofClient = (): ReturnType<typeof gateway.app.factory.key> =>
      gateway.app.factory.key(organization, { connectClientId });
    const [first, second] = [await ofClient(), await ofClient()];
    const open = [first, second, first, second, first, second, first, second, first].map((one) => gateway.ask(one));
    await asked(9);

    expect((await gateway.ask(second)).status).toBe(429);
    open.push(gateway.ask(key));
    await asked(10);
    answerAll();
    for (const answer of open) expect((await answer).status).toBe(200);
  });
});
