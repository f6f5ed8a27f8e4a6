import { randomBytes } from 'node:crypto';
import net from 'node:net';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { lockRows, untilWaitingForLock } from '../../support/database/row-locks.js';
import { until } from '../../support/time/until.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

const ADDRESS = '127.0.0.1';

describe('the address of a client', () => {
  const app = sharedApplication({ variables: { TRUST_PROXY: '1' } });
  const organization = sharedOrganization(app);

  /** The log line of a request, once it is written. */
  const lineOf = async (requestId: string): Promise<Record<string, unknown>> => {
    const find = (): string | undefined => app.logLines.find((line) => line.includes(requestId));
    await until(() => Promise.resolve(find() !== undefined));
    return JSON.parse(find()!) as Record<string, unknown>;
  };

  it('is in the audit trail and in the log line (status 499) of a request whose client resets the connection before the answer', async () => {
    const key = await app.factory.key(organization);
    const requestId = randomBytes(8).toString('hex');
    const release = await lockRows(app, 'LOCK TABLE api_keys IN SHARE ROW EXCLUSIVE MODE', []);
    const { hostname, port } = new URL(app.origin);
    const socket = net.connect(Number(port), hostname);
    socket.write(
      `DELETE /api/v1/keys/${key.hash} HTTP/1.1\r\nHost: x\r\nX-Request-Id: ${requestId}\r\n` +
        `Authorization: Bearer ${organization.managementKey}\r\n\r\n`,
    );
    await untilWaitingForLock(app, 1);
    socket.resetAndDestroy();
    expect(await lineOf(requestId)).toMatchObject({ status: 499, client_address: ADDRESS });
    await release();

    const events = (): Promise<{ address: string | null }[]> =>
      app.rows(`SELECT address FROM audit_events WHERE action = 'key.delete' AND request_id = $1`, [requestId]);
    await until(async () => (await events()).length > 0);
    expect(await events()).toEqual([{ address: ADDRESS }]);
  });

  it.each([
    [401, '/api/v1/guardrails'],
    [404, '/nowhere'],
    [200, '/health/live'],
  ])('is in the log line of a request that is answered %i: %s', async (status, path) => {
    const requestId = randomBytes(8).toString('hex');
    await fetch(`${app.origin}${path}`, { headers: { 'x-request-id': requestId, 'x-forwarded-for': '203.0.113.9' } });

    expect(await lineOf(requestId)).toMatchObject({ status, client_address: '203.0.113.9' });
  });

  it('is the one of the connection in the log line of bytes that are no request, answered 400', async () => {
    const { answers } = await exchangeBytes(app.origin, ['hello\r\n\r\n'], 'closed');

    expect(await lineOf(answers[0]!.headers.get('x-request-id')!)).toMatchObject({
      status: 400,
      client_address: ADDRESS,
    });
  });

  it('is logged as text without credentials when a proxy passes something else', async () => {
    const requestId = randomBytes(8).toString('hex');
    const forwarded = `"${organization.managementKey}`;
    await fetch(`${app.origin}/health/live`, {
      headers: { 'x-request-id': requestId, 'x-forwarded-for': forwarded },
    });

    expect(await lineOf(requestId)).toMatchObject({ client_address: '"mk-gate-v2-[redacted]' });
  });
});
