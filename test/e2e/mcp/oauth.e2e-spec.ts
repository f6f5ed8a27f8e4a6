import { callbackOf } from '../../../src/modules/mcp-servers/authorization/client-metadata.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedReplica } from '../../support/application/shared-application.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import type { Answer } from '../../support/network/api-client.js';
import { madeMcpServer } from '../../support/resources/mcp-servers.js';
import { Browser } from '../sign-in/browser.js';
import { type CallResult, mcpGateway, modernMessage, type RpcAnswer } from './mcp-gateway.js';
import { CLIENTS, type ProtectedServer, startProtectedServer, USUAL } from './protected-server.js';

const PUBLIC_URL = 'http://gatehouse.test';

const SERVICE = {
  authentication: 'oauth_client_credentials',
  client_id: CLIENTS.service.id,
  secret: CLIENTS.service.secret,
};

const MEMBERS = { authentication: 'oauth_member', client_id: CLIENTS.members.id, secret: CLIENTS.members.secret };

const SAID = { content: [{ type: 'text', text: 'You said: Hello' }] };

describe('MCP servers with tokens of an authorization server', () => {
  const gateway = mcpGateway({ PUBLIC_URL });
  const { app, organization, real } = gateway;
  const server = filledBefore(beforeAll, () => startProtectedServer(real.modern.url, callbackOf(PUBLIC_URL)));
  afterAll(() => server.stop());
  beforeEach(() => {
    server.grants.length = 0;
    server.accepted.length = 0;
    server.shown.length = 0;
    Object.assign(server.behavior, USUAL);
  });
  const other = filledBefore(beforeAll, () => startProtectedServer(real.modern.url, callbackOf(PUBLIC_URL)));
  afterAll(() => other.stop());

  /** Has the server name another authorization server from now on, which no one has asked yet. */
  const nameOther = (): void => {
    server.behavior.issuer = other.issuer;
    other.asked.length = 0;
  };

  const secretsAsked = (): readonly string[] => other.asked.filter((path) => !path.startsWith('/.well-known/'));

  const say = (key: IssuedCredential): Promise<Answer<RpcAnswer>> =>
    gateway.send(key, 'tools/call', { name: 'tickets__echo', arguments: { text: 'Hello' } });

  const said = async (key: IssuedCredential): Promise<unknown> => {
    const { body } = await say(key);
    return body.error?.data?.['reason'] ?? { content: (body.result as unknown as CallResult).content };
  };

  describe('for the gateway itself', () => {
    it('answer 200 with one token for all who use them at the same time, and are shown no credential of a client', async () => {
      await gateway.added('tickets', server.url, SERVICE);
      const key = await gateway.guarded({ allowed_mcp_tools: ['tickets/*'] });
      const answers = await Promise.all(Array.from({ length: 5 }, () => said(key)));
      expect(answers).toEqual(Array.from({ length: 5 }, () => SAID));
      expect(server.grants).toEqual(['client_credentials']);
      expect(new Set(server.accepted)).toEqual(new Set([CLIENTS.service.id]));
      expect(new Set(server.shown).size).toBe(1);
      expect(server.shown).not.toContain(key.plaintext);
    });

    it('answer 200 once a token that they do not take any more is replaced', async () => {
      await gateway.added('tickets', server.url, SERVICE);
      const key = await gateway.guarded({ allowed_mcp_tools: ['tickets/*'] });
      expect(await said(key)).toEqual(SAID);
      server.revokeAll();
      expect(await said(key)).toEqual(SAID);
      expect(server.grants).toEqual(['client_credentials', 'client_credentials']);
    });

    it('answer 200 where their own answers name no authorization server, which their address leads to', async () => {
      server.behavior.isNamingIssuer = false;
      await gateway.added('tickets', server.url, SERVICE);
      const key = await gateway.guarded({ allowed_mcp_tools: ['tickets/*'] });
      expect(await said(key)).toEqual(SAID);
    });

    it('say in a test (200) that they name another authorization server than before, which is shown no secret until it is set', async () => {
      const { id } = await madeMcpServer(app, organization, { url: server.url, ...SERVICE });
      const key = organization.managementKey;
      const tested = async (change: object): Promise<unknown> => {
        const changed = await app.api.patch(`/mcp-servers/${id}`, { key, json: change });
        const { body } = await app.api.post<{ data: object }>(`/mcp-servers/${id}/test`, { key });
        return { status: changed.status, ...body.data };
      };
      expect(await tested({ trusted: true })).toMatchObject({ status: 200, succeeded: true });
      nameOther();
      const failure = 'the server names another authorization server than before';
      expect(await tested({ trusted: false })).toMatchObject({ status: 200, succeeded: false, failure });
      expect(secretsAsked()).toEqual([]);
      const set = { authorization_server: other.issuer, secret: SERVICE.secret };
      expect(await tested(set)).toMatchObject({ status: 200, succeeded: false });
      expect(secretsAsked()).toEqual(['/token']);
      expect(await tested({ authorization_server: null, secret: SERVICE.secret })).toMatchObject({ status: 200 });
      expect(secretsAsked()).toEqual(['/token', '/token']);
    });

    it.each<[what: string, fields: object, failure: string]>([
      [
        'a wrong secret',
        { secret: 'wrong-SECRET-0123456789' },
        'the authorization server of the server answered invalid_client',
      ],
      [
        'another authorization server, where nothing is',
        { authorization_server: 'http://127.0.0.1:9' },
        'the authorization server of the server did not answer as it should',
      ],
    ])('say in a test (200) why there is no token with %s, and nothing of a secret', async (_, fields, failure) => {
      const { id } = await madeMcpServer(app, organization, { url: server.url, ...SERVICE, ...fields });
      const key = organization.managementKey;
      const { status, body } = await app.api.post<{ data: object }>(`/mcp-servers/${id}/test`, { key });
      expect({ status, ...body.data }).toMatchObject({ status: 200, succeeded: false, failure });
      expect(JSON.stringify([body, app.logLines])).not.toContain('SECRET');
    });
  });

  describe('for each member', () => {
    const replica = sharedReplica(app, { ALLOW_PRIVATE_DESTINATIONS: 'true', PUBLIC_URL });

    /** A management key of a member who administers nothing. */
    const memberKey = async (userId: string): Promise<string> =>
      (await app.factory.key(organization, { kind: 'management_key', userId })).plaintext;

    const keyOf = async (userId: string): Promise<IssuedCredential> => {
      const key = await app.factory.key(organization, { userId });
      const { id } = await app.factory.guardrail(organization, { allowed_mcp_tools: ['tickets/*'] });
      const answer = await app.api.post(`/guardrails/${id}/assignments/keys`, {
        key: organization.managementKey,
        json: { key_hashes: [key.hash] },
      });
      expect(answer.status).toBe(200);
      return key;
    };

    const added = (fields: object = {}): Promise<string> =>
      madeMcpServer(app, organization, { name: 'tickets', url: server.url, follow: true, ...MEMBERS, ...fields }).then(
        ({ id }) => id,
      );

    const begin = async (key: string): Promise<string> => {
      const { status, body } = await app.api.post<{ data: { authorization_url: string } }>(
        '/mcp-connections/authorize',
        { key, json: { server: 'tickets' } },
      );
      expect({ status, body }).toMatchObject({ status: 200 });
      return body.data.authorization_url;
    };

    /** What the authorization server sends the browser back with. */
    const comeBack = async (url: string): Promise<string> => {
      const { url: back } = await new Browser().follow(url, (address) => address.startsWith(PUBLIC_URL));
      return new URL(back).search.slice(1);
    };

    const complete = (key: string, query: string): Promise<Answer<{ data: object }>> =>
      app.api.post('/mcp-connections', { key, json: { query } });

    const connect = async (key: string): Promise<void> => {
      const { status, body } = await complete(key, await comeBack(await begin(key)));
      expect({ status, body }).toMatchObject({ status: 201, body: { data: { server: 'tickets' } } });
    };

    const endTokens = (): Promise<unknown> =>
      app.rows(`UPDATE mcp_connections SET expires_at = now() WHERE organization_id = $1`, [
        organization.organizationId,
      ]);

    const connections = (): Promise<unknown[]> =>
      app.rows('SELECT user_id, expires_at > now() AS "isGood" FROM mcp_connections WHERE organization_id = $1', [
        organization.organizationId,
      ]);

    /** A member who has connected, with a key. */
    const connected = async (): Promise<{ userId: string; management: string; key: IssuedCredential }> => {
      const userId = await app.factory.member(organization.organizationId);
      const management = await memberKey(userId);
      await connect(management);
      return { userId, management, key: await keyOf(userId) };
    };

    it('answer 200 with the token of the member whose key it is, and 200 with an error to other members', async () => {
      await added();
      const { userId, management, key } = await connected();
      const other = await keyOf(await app.factory.member(organization.organizationId));
      const list = await app.api.get('/mcp-connections', { key: management });
      expect(list.body).toEqual({
        data: [{ server: 'tickets', url: server.url, connected_at: expect.any(String) as string }],
      });
      expect(await said(key)).toEqual(SAID);
      expect(new Set(server.accepted)).toEqual(new Set(['ada']));
      expect(await connections()).toEqual([{ user_id: userId, isGood: true }]);
      const { body } = await say(other);
      expect(body.error).toMatchObject({
        message: `Connect to the MCP server tickets first, at ${PUBLIC_URL}/console/mcp-connections.`,
        data: { reason: 'mcp_connection_required' },
      });
    });

    it('hold tokens encrypted, and record who has connected (201)', async () => {
      await added();
      const { key } = await connected();
      await said(key);
      const [row] = await app.rows<{ id: string }>(
        'SELECT c.id, encode(c.encrypted_tokens, $2) AS tokens FROM mcp_connections c WHERE organization_id = $1',
        [organization.organizationId, 'escape'],
      );
      const kept = JSON.stringify([row, app.logLines]);
      for (const token of server.shown) expect(kept).not.toContain(token);
      expect(server.shown.length).toBeGreaterThan(0);
      expect(await auditEventsOf(app, row!.id)).toMatchObject([{ action: 'mcp_connection.create' }]);
    });

    it('have tokens refreshed once for all requests at all replicas (200)', async () => {
      await added();
      const { key } = await connected();
      expect(await said(key)).toEqual(SAID);
      await endTokens();
      const message = modernMessage('tools/call', { name: 'tickets__echo', arguments: { text: 'Hello' } });
      const answers = await Promise.all(
        [app, replica, app, replica, app, replica].map(({ api }) =>
          api.post<RpcAnswer>('/mcp', { key: key.plaintext, json: message.json, headers: message.headers }),
        ),
      );
      expect(answers.map(({ body }) => body.result)).toMatchObject(answers.map(() => SAID));
      expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
    });

    it('have a token refreshed that they do not take any more (200)', async () => {
      await added();
      const { key } = await connected();
      expect(await said(key)).toEqual(SAID);
      server.revokeAll();
      expect(await said(key)).toEqual(SAID);
      expect(server.grants).toEqual(['authorization_code', 'refresh_token']);
    });

    it('are sent to no other authorization server that the server names later, where they are refreshed, revoked (200) and connected (502)', async () => {
      await added();
      const { management, key } = await connected();
      expect(await said(key)).toEqual(SAID);
      await endTokens();
      const query = await comeBack(await begin(management));
      nameOther();
      const message = modernMessage('tools/call', { name: 'tickets__echo', arguments: { text: 'Hello' } });
      const { body } = await replica.api.post<RpcAnswer>('/mcp', {
        key: key.plaintext,
        json: message.json,
        headers: message.headers,
      });
      expect(body.error?.message).toBe(
        'The MCP server tickets failed: the server names another authorization server than before.',
      );
      expect(await connections()).toMatchObject([{ isGood: false }]);
      const completed = await replica.api.post('/mcp-connections', { key: management, json: { query } });
      const deleted = await replica.api.delete('/mcp-connections/tickets', { key: management });
      expect([completed.status, deleted.status]).toEqual([502, 200]);
      expect(secretsAsked()).toEqual([]);
    });

    it('have a token that is good for longer than any date can say (201), and refreshed for one (200)', async () => {
      await added();
      server.behavior.life = 1e15;
      const { key } = await connected();
      expect(await said(key)).toEqual(SAID);
      await endTokens();
      expect(await said(key)).toEqual(SAID);
      expect(await connections()).toMatchObject([{ isGood: true }]);
    });

    it('forget the tokens of a member who has disconnected (200; 404 once more), or whose tokens cannot be refreshed', async () => {
      await added();
      const { management, key } = await connected();
      expect(await said(key)).toEqual(SAID);
      const deleted = await app.api.delete('/mcp-connections/tickets', { key: management });
      expect([deleted.status, deleted.body]).toEqual([200, { deleted: true }]);
      expect(await said(key)).toBe('mcp_connection_required');
      expect((await app.api.delete('/mcp-connections/tickets', { key: management })).status).toBe(404);

      await connect(management);
      await app.rows(
        'CREATE TABLE kept_tokens AS SELECT encrypted_tokens FROM mcp_connections WHERE organization_id = $1',
        [organization.organizationId],
      );
      try {
        await endTokens();
        expect(await said(key)).toEqual(SAID);
        // A refresh token that has been used already is taken for a stolen one.
        await app.rows(
          `UPDATE mcp_connections SET expires_at = now(), encrypted_tokens = (SELECT encrypted_tokens FROM kept_tokens)
            WHERE organization_id = $1`,
          [organization.organizationId],
        );
        expect(await said(key)).toBe('mcp_connection_required');
        expect(await connections()).toEqual([]);
      } finally {
        await app.rows('DROP TABLE kept_tokens');
      }
    });

    it('forget the tokens of members who are deactivated (200)', async () => {
      await added();
      const { userId } = await connected();
      const key = organization.managementKey;
      const path = `/organization/members/${userId}`;
      const deactivated = await app.api.patch(path, { key, json: { status: 'deactivated' } });
      expect({ status: deactivated.status, text: deactivated.text }).toMatchObject({ status: 200 });
      expect(await connections()).toEqual([]);
    });

    it.each<[what: string, change: (server: ProtectedServer) => object]>([
      [
        'another address',
        ({ url, issuer }) => ({ url: `${issuer}/other`, secret: CLIENTS.members.secret, ...(url && {}) }),
      ],
      ['another client', () => ({ client_id: CLIENTS.service.id })],
      [
        'another authorization server',
        ({ issuer }) => ({ authorization_server: issuer, secret: CLIENTS.members.secret }),
      ],
    ])('forget all tokens with %s (200)', async (_, change) => {
      const id = await added();
      await connected();
      const begun = await begin(organization.managementKey);
      const query = await comeBack(begun);
      const changed = await app.api.patch(`/mcp-servers/${id}`, {
        key: organization.managementKey,
        json: change(server),
      });
      expect({ status: changed.status, text: changed.text }).toMatchObject({ status: 200 });
      expect(await connections()).toEqual([]);
      expect((await complete(organization.managementKey, query)).status).toBe(409);
      expect(await connections()).toEqual([]);
    });

    it('answer 409 to a member who completes what another one has begun, and to what no one has', async () => {
      await added();
      const query = await comeBack(await begin(organization.managementKey));
      const other = await memberKey(await app.factory.member(organization.organizationId));
      const refused = await complete(other, query);
      expect(refused.body).toMatchObject({ error: { metadata: { reason: 'mcp_connection_refused' } } });
      expect([refused.status, (await complete(other, 'code=1&state=2')).status]).toEqual([409, 409]);
      expect(await connections()).toEqual([]);
      expect((await complete(organization.managementKey, query)).status).toBe(201);
      // A code is good once.
      expect((await complete(organization.managementKey, query)).status).toBe(409);
    });

    it('answer 409 to a member who has refused', async () => {
      await added();
      server.behavior.account = null;
      const refused = await complete(
        organization.managementKey,
        await comeBack(await begin(organization.managementKey)),
      );
      expect(refused.body).toMatchObject({ error: { message: 'The authorization server refused: access_denied.' } });
      expect(refused.status).toBe(409);
    });

    it('answer 502 where the gateway is not registered and cannot say who it is, and 404 for other servers', async () => {
      await added({ client_id: null, secret: null });
      const key = organization.managementKey;
      const authorize = (name: string): Promise<Answer<object>> =>
        app.api.post('/mcp-connections/authorize', { key, json: { server: name } });
      const failed = await authorize('tickets');
      expect([failed.status, failed.body]).toMatchObject([
        502,
        {
          error: {
            message:
              'The MCP server cannot be connected to: the gateway is not registered at the authorization server, so that a client_id is needed.',
          },
        },
      ]);
      await gateway.added('docs', real.modern.url);
      expect((await authorize('docs')).status).toBe(404);
    });

    it('take no tool for gone (200) because a member does not see it', async () => {
      const id = await added();
      const { key } = await connected();
      expect(await said(key)).toEqual(SAID);
      await app.rows(
        `INSERT INTO mcp_tools (organization_id, server_id, name, definition, digest, approved_definition, approved_digest, approved_at, seen_at)
          VALUES ($1, $2, 'rare', '{"name": "rare", "inputSchema": {"type": "object"}}', 'abc', '{"name": "rare", "inputSchema": {"type": "object"}}', 'abc', now(), now())`,
        [organization.organizationId, id],
      );
      const message = modernMessage('tools/list');
      const { body } = await replica.api.post<RpcAnswer>('/mcp', {
        key: key.plaintext,
        json: message.json,
        headers: message.headers,
      });
      expect((body.result!['tools'] as { name: string }[]).map(({ name }) => name)).toContain('tickets__rare');
    });
  });

  it('read who the gateway is without a credential (200)', async () => {
    const { status, body } = await app.api.get('/mcp-client-metadata', {});
    expect([status, body]).toEqual([
      200,
      {
        client_id: `${PUBLIC_URL}/api/v1/mcp-client-metadata`,
        client_name: 'Gatehouse',
        client_uri: PUBLIC_URL,
        redirect_uris: [`${PUBLIC_URL}/console/mcp-connections/callback`],
        grant_types: ['authorization_code', 'refresh_token'],
        response_types: ['code'],
        token_endpoint_auth_method: 'none',
      },
    ]);
  });
});
