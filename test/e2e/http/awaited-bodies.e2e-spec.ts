import { exchangeBytes } from '../../support/network/raw-connection.js';
import { UnfinishedRequest } from '../../support/network/unfinished-request.js';
import { rawExchanges } from './raw-exchanges.js';

/** The limit of the body of a key, and one more. */
const TOO_MANY_BYTES = 16_385;

describe('a request with Expect: 100-continue', () => {
  const { app, organization, exchange, statuses } = rawExchanges();

  /** The head alone: the body waits for a 100. */
  const head = (path: string, headers: Readonly<Record<string, string | number>>): string => {
    const lines = Object.entries({
      Host: 'x',
      Expect: '100-continue',
      'Content-Type': 'application/json',
      'Content-Length': 19,
      ...headers,
    }).map(([name, value]) => `${name}: ${value}\r\n`);
    return `POST ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
  };

  const bearer = (key: string): Record<string, string> => ({ Authorization: `Bearer ${key}` });

  it.each([
    ['without a key', 401, {}],
    ['with an unknown key', 401, bearer(`mk-gate-v2-${'0'.repeat(43)}`)],
  ])('%s is answered %i and closed, and never asked for its body', async (_name, status, headers) => {
    const { answers, isClosed } = await exchange(head('/api/v1/keys', headers), 'closed');

    expect(statuses(answers)).toEqual([status]);
    expect(isClosed).toBe(true);
  });

  it.each([
    ['of another kind of key', 403, '/api/v1/chat/completions', {}],
    ['that is too large', 413, '/api/v1/keys', { 'Content-Length': TOO_MANY_BYTES }],
    ['of another media type', 400, '/api/v1/keys', { 'Content-Type': 'text/plain' }],
    ['that is compressed', 415, '/api/v1/keys', { 'Content-Encoding': 'gzip' }],
    ['for an unknown path', 404, '/api/v1/nothing', {}],
  ])('%s is answered %i and never asked for its body', async (_name, status, path, headers) => {
    const { answers } = await exchange(head(path, { ...bearer(organization.managementKey), ...headers }), 'closed');

    expect(statuses(answers)).toEqual([status]);
  });

  it('is asked for its body once its key was accepted, and answered 201', async () => {
    const half = await UnfinishedRequest.post(`${app.origin}/api/v1/keys`, organization.managementKey, { name: 'K' });

    expect((await half.finish()).status).toBe(201);
  });

  it('that is asked for its body goes on with the same connection: the next one is answered 201, too', async () => {
    const request = `${head('/api/v1/guardrails', bearer(organization.managementKey))}{"name":"expected"}`;
    const { answers } = await exchangeBytes(app.origin, [request, request], 4);

    expect(statuses(answers)).toEqual([100, 201, 100, 201]);
  });

  it('of an operation without a body is answered 200 and never asked for one', async () => {
    const { answers } = await exchange(`GET /health/live HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n`, 1);

    expect(statuses(answers)).toEqual([200]);
  });
});
