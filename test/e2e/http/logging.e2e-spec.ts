import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { issueSecret } from '../../../src/modules/keys/credentials/key-format.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { completeOrganization, type CompleteOrganization } from '../../operations/complete-organization.js';
import { TestApplication } from '../../support/application/test-application.js';

type LogLine = Readonly<Record<string, unknown>>;

/** Every credential in a text. */
const CREDENTIALS = /(?:mk|sk|cs|ac)-gate-v2-[0-9A-Za-z]{22}-[0-9a-f]{72}/g;

describe('the log', () => {
  let app: TestApplication;
  let organization: CompleteOrganization;
  const secrets: string[] = [];
  const encryptionKey = randomBytes(32);

  beforeAll(async () => {
    app = await TestApplication.start({ variables: { ENCRYPTION_KEY: encryptionKey.toString('base64') } });
    organization = await completeOrganization(app);
    secrets.push(
      ...organization.secrets,
      encryptionKey.toString('base64'),
      encryptionKey.toString('hex'),
      app.database.url,
    );
  });

  // Whatever was done before: a line that gives something away fails here, in the file that did it.
  afterAll(async () => {
    const log = app.logLines.join('');
    await app.stop();
    expect(secrets.length).toBeGreaterThan(10);
    for (const secret of secrets) expect(log).not.toContain(secret);
  });

  const lines = (): LogLine[] => app.logLines.map((line) => JSON.parse(line) as LogLine);

  /** Sends a request under an id of its own. @returns the lines with this id, once the request's own is there */
  const linesOf = async (send: (headers: Record<string, string>) => Promise<unknown>): Promise<LogLine[]> => {
    const id = randomBytes(8).toString('hex');
    await send({ 'x-request-id': id });
    for (;;) {
      const found = lines().filter((line) => line['request_id'] === id);
      if (found.some((line) => line['message'] === 'request')) return found;
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  };

  it('has one line of JSON for every request, with its id and its status, 200, 201, 202 or 204', async () => {
    for (const [operationId, { method, path, key, json }] of Object.entries(organization.requests)) {
      let status: number | undefined;
      const found = await linesOf(async (headers) => {
        const answer = await app.api.send(method, path, { key, json, headers });
        status = answer.status;
        expect(`${operationId} ${status}`).toMatch(/ 20[0124]$/);
        secrets.push(...(answer.text.match(CREDENTIALS) ?? []));
      });

      expect(found).toEqual([
        {
          level: 'info',
          time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
          request_id: expect.any(String),
          method,
          path: `/api/v1${path.split('?')[0]}`,
          status,
          duration_ms: expect.any(Number),
          user_id: organization.userId,
          client_address: '127.0.0.1',
          message: 'request',
        },
      ]);
    }
  });

  it('has only lines of JSON', () => {
    for (const line of app.logLines) {
      expect(line.endsWith('\n')).toBe(true);
      expect(line.trimEnd()).not.toContain('\n');
    }
    for (const line of lines()) expect(line).toMatchObject({ level: expect.any(String), time: expect.any(String) });
  });

  it('has a line for a request that is answered 401, 403 or 404, with its caller if known', async () => {
    const unauthorized = await linesOf((headers) => app.api.get('/guardrails', { headers }));
    const client = await linesOf((headers) => app.api.get('/guardrails', { key: organization.clientSecret, headers }));
    const unknown = await linesOf((headers) => fetch(`${app.origin}/nowhere?key=${organization.apiKey}`, { headers }));
    const health = await linesOf((headers) => fetch(`${app.origin}/health/live`, { headers }));

    expect(unauthorized).toMatchObject([{ status: 401, path: '/api/v1/guardrails' }]);
    expect(client).toMatchObject([{ status: 403 }]);
    expect(unknown).toMatchObject([{ status: 404, path: '/nowhere' }]);
    expect(health).toMatchObject([{ status: 200, path: '/health/live' }]);
    for (const [line] of [unauthorized, client, unknown, health]) expect(line).not.toHaveProperty('user_id');
  });

  it('has no queries, headers and bodies', async () => {
    const mark = randomBytes(8).toString('hex');

    await linesOf((headers) =>
      app.api.post(`/guardrails?${mark}=${mark}`, {
        key: organization.managementKey,
        json: { name: mark, [mark]: mark },
        headers: { ...headers, 'user-agent': mark, cookie: `session=${mark}`, referer: `https://example.com/${mark}` },
      }),
    );

    expect(app.logLines.join('')).not.toContain(mark);
  });

  it('has no credential that was sent in a wrong place', async () => {
    const { apiKey, managementKey: key } = organization;
    const encoded = encodeURIComponent(apiKey).replaceAll('-', '%2D');
    await linesOf((headers) => app.api.delete(`/keys/${apiKey}`, { key, headers }));
    await linesOf((headers) => app.api.delete(`/keys/${encoded}`, { key, headers }));
    const encodedAsAWhole = [...apiKey].map((character) => `%${character.charCodeAt(0).toString(16)}`).join('');
    await linesOf((headers) => app.api.delete(`/keys/${encodedAsAWhole}`, { key, headers }));
    await app.api.get('/guardrails', { key, headers: { 'x-request-id': apiKey.slice(-72, -2) } });
    await linesOf((headers) => app.api.delete(`/keys/x${apiKey}y`, { key, headers }));
    await linesOf((headers) => app.api.get(`/model/${apiKey}/${apiKey}?key=${apiKey}`, { key, headers }));
    await linesOf((headers) => app.api.get(`/workspaces/${key}/members`, { key, headers }));
    await linesOf((headers) => fetch(`${app.origin}/${apiKey}`, { headers }));
    await linesOf((headers) => app.api.get('/guardrails', { headers: { ...headers, authorization: `Basic ${key}` } }));
    await linesOf((headers) => app.api.get('/guardrails', { headers: { ...headers, 'x-api-key': key } }));
    await linesOf((headers) => app.api.post('/auth/keys', { key, raw: `{"code":"${apiKey}`, headers }));
    // The answer repeats it as the id of the request, and the log does not.
    const answer = await app.api.get('/guardrails', { key, headers: { 'x-request-id': apiKey } });
    expect(answer.headers.get('x-request-id')).toBe(apiKey);
    await exchangeBytes(app.origin, [`GET /${apiKey} HTTP/9\r\nAuthorization: Bearer ${key}\r\n\r\n`], 'closed');

    const redacted = lines().filter((line) => JSON.stringify(line).includes('[redacted]'));
    expect(redacted.length).toBeGreaterThanOrEqual(9);
    // The random part alone is the credential: the prefix is known, and the checksum can be worked out.
    expect(app.logLines.join('')).not.toContain(apiKey.slice(-72, -8));
    expect(app.logLines.join('')).not.toContain(encodedAsAWhole);
    expect(redacted).toContainEqual(expect.objectContaining({ path: '/api/v1/keys/sk-gate-v2-[redacted]' }));
    expect(redacted).toContainEqual(expect.objectContaining({ request_id: 'sk-gate-v2-[redacted]' }));
  });

  it('has one line for a path with line breaks, answered 404', async () => {
    const found = await linesOf((headers) =>
      fetch(`${app.origin}/a%0A{"level":"fatal"}"\\%22,"status":200,"x":"%E2%80%A8`, { headers }),
    );

    expect(found).toHaveLength(1);
    expect(found[0]).toMatchObject({ level: 'info', status: 404, message: 'request' });
  });

  it('has a line with 499 for a request whose client disconnects before the answer', async () => {
    const release = await lockRows(app, 'LOCK TABLE guardrails IN ACCESS EXCLUSIVE MODE', []);
    const found = await linesOf(async (headers) => {
      const { hostname, port } = new URL(app.origin);
      const socket = net.connect(Number(port), hostname);
      socket.write(
        `GET /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${headers['x-request-id']}\r\n` +
          `Authorization: Bearer ${organization.managementKey}\r\n\r\n`,
      );
      await untilWaitingForLock(app, 1);
      socket.destroy();
    });
    await release();

    expect(found).toMatchObject([{ path: '/api/v1/guardrails', status: 499 }]);
  });

  it.each([
    ['HPE_INVALID_METHOD', 400, 'hello'],
    ['HPE_INVALID_METHOD', 404, 'MYSTERY /{mark} HTTP/1.1'],
    ['HPE_INVALID_VERSION', 400, 'GET /{mark} HTTP/3.7'],
    ['HPE_INVALID_HEADER_TOKEN', 400, 'GET / HTTP/1.1\r\n{mark}\0: x'],
    ['HPE_HEADER_OVERFLOW', 431, `GET / HTTP/1.1\r\nX-{mark}: ${'x'.repeat(17_000)}`],
  ])('has a line for bytes that are no request: %s, answered %i', async (cause, status, bytes) => {
    const mark = randomBytes(8).toString('hex');

    const { answers } = await exchangeBytes(app.origin, [`${bytes.replace('{mark}', mark)}\r\n\r\n`], 'closed');

    const id = answers[0]!.headers.get('x-request-id');
    expect(lines().filter((line) => line['request_id'] === id)).toEqual([
      {
        level: 'info',
        time: expect.any(String),
        request_id: id,
        status,
        cause,
        client_address: '127.0.0.1',
        message: 'unreadable request',
      },
    ]);
    expect(app.logLines.join('')).not.toContain(mark);
  });

  it('has a line for a CONNECT request, answered 404, without its query', async () => {
    const mark = randomBytes(8).toString('hex');
    const bytes = `CONNECT x.example:443?${mark} HTTP/1.1\r\nHost: x\r\n\r\n`;

    const { answers } = await exchangeBytes(app.origin, [bytes], 'closed');

    const id = answers[0]!.headers.get('x-request-id');
    expect(lines().filter((line) => line['request_id'] === id)).toMatchObject([
      { level: 'info', method: 'CONNECT', path: 'x.example:443', status: 404, message: 'request' },
    ]);
    expect(app.logLines.join('')).not.toContain(mark);
  });

  // Last, because it leaves the application without its tables.
  it('has the cause of a 500, without the values of its statement', async () => {
    const { managementKey: key, organizationId } = organization;
    const { plaintext: code } = issueSecret('authorization_code', organizationId);
    const verifier = randomBytes(32).toString('base64url');
    secrets.push(code, verifier);
    await app.rows('ALTER TABLE authorization_codes RENAME TO codes_elsewhere');
    await app.rows('ALTER TABLE guardrails RENAME TO guardrails_elsewhere');
    const name = randomBytes(8).toString('hex');
    secrets.push(name);

    const exchange = await linesOf((headers) =>
      app.api.post('/auth/keys', { key, json: { code, code_verifier: verifier }, headers }),
    );
    const creation = await linesOf((headers) => app.api.post('/guardrails', { key, json: { name }, headers }));

    for (const found of [exchange, creation]) {
      expect(found.map(({ level, message }) => [level, message])).toEqual([
        ['error', 'request failed'],
        ['info', 'request'],
      ]);
      expect(found[0]!['failure']).toMatchObject({
        message: expect.stringMatching(/relation ".+" does not exist/),
        code: '42P01',
        stack: expect.stringContaining('\n    at '),
      });
      expect(found[1]).toMatchObject({ status: 500, user_id: organization.userId });
    }
  });
});
