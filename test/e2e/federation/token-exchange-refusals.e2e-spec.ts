import { KEY_VERSION } from '../../../src/modules/keys/credentials/key-version.js';
import { createHmac } from 'node:crypto';
import { exportSPKI, importJWK, type CryptoKey, SignJWT } from 'jose';
import { Ajv } from 'ajv';
import { readFileSync } from 'node:fs';
import type { TokenExchangeResponse } from '../../../src/modules/federation/dto/token-exchange.dto.js';
import { policyIdOf } from '../../../src/modules/federation/policies/policy-id.js';
import { SigningKeys } from '../../../src/modules/federation/signing/signing-keys.service.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { newUuid } from '../../../src/persistence/identifiers.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import type { Answer } from '../../support/network/api-client.js';
import { newIssuerKey, signedToken } from '../../support/network/token-issuer.js';
import { newCode } from '../../support/resources/authorization-codes.js';
import { AUDIENCE, exchange, INLINE_KEYS, newIssuer, newPolicy, SUBJECT } from '../../support/resources/federation.js';
import { federatingApplication, issuerPerTest } from './federating-application.js';

const CLAIMS = { sub: SUBJECT, aud: AUDIENCE };

const INVALID_GRANT = {
  error: 'invalid_grant',
  error_description: 'the subject token is not valid for this federation policy',
};

interface Failure {
  readonly error: string;
  readonly error_description?: string;
}

const now = (): number => Math.floor(Date.now() / 1000);

describe('createOauthToken', () => {
  const app = federatingApplication();
  const organization = organizationPerTest(app);
  const key: IssuedCredential = keyPerTest(app, organization);
  const issuer = issuerPerTest(app, organization);

  const policy = (fields: object = {}): Promise<string> =>
    newPolicy(app, organization, { issuer_id: issuer.id, key_hash: key.hash, ...fields });

  const expectInvalidGrant = ({ status, body }: Answer<Failure>): void => {
    expect([status, body]).toEqual([400, INVALID_GRANT]);
  };

  it('answers 400 with one text for whatever the policy does not accept', async () => {
    const policyId = await policy();
    const other = await newIssuerKey('key-1');
    const { server } = issuer;
    const tokens: Record<string, Promise<string>> = {
      'of another subject': server.token({ ...CLAIMS, sub: `${SUBJECT}x` }),
      'without a subject': server.token({ aud: AUDIENCE }),
      'for another audience': server.token({ ...CLAIMS, aud: `${AUDIENCE}/` }),
      'without an audience': server.token({ sub: SUBJECT }),
      'of another issuer': server.token({ ...CLAIMS, iss: `${server.issuer}/` }),
      'that has expired': server.token({ ...CLAIMS, exp: now() - 1 }),
      'that is not valid yet': server.token({ ...CLAIMS, nbf: now() + 60 }),
      'without an expiry': server.token({ ...CLAIMS, exp: undefined }),
      'with a long subject': server.token({ ...CLAIMS, sub: 'x'.repeat(513) }),
      'with many scopes': server.token({ ...CLAIMS, scopes: Array.from({ length: 17 }, () => 's') }),
      'signed with another key of the same name': server.token({ ...CLAIMS }, other),
      'signed with a key of another name': server.token({ ...CLAIMS }, { ...server.keys[0]!, kid: 'key-2' }),
    };
    for (const [name, token] of Object.entries(tokens)) {
      const { status, body } = await exchange<Failure>(app, policyId, await token);
      expect([name, status, body]).toEqual([name, 400, INVALID_GRANT]);
    }
  });

  it('answers 400 for the confusion of algorithms (none, HS256 with the public key, our own token), none of which is accepted as a key (401)', async () => {
    const policyId = await policy();
    const [jwk] = issuer.server.keys.map(({ publicJwk }) => publicJwk);
    const encoded = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
    const claims = encoded({ iss: issuer.server.issuer, exp: now() + 600, ...CLAIMS });
    const unsigned = `${encoded({ alg: 'none', kid: 'key-1' })}.${claims}.`;
    const spki = await exportSPKI((await importJWK(jwk!, 'ES256', { extractable: true })) as CryptoKey);
    const content = `${encoded({ alg: 'HS256', kid: 'key-1' })}.${claims}`;
    const symmetric = `${content}.${createHmac('sha256', spki).update(content).digest('base64url')}`;
    const valid = await issuer.server.token(CLAIMS);
    const { body } = await exchange<TokenExchangeResponse>(app, policyId, valid);

    for (const token of [unsigned, symmetric, body.access_token, `${valid.slice(0, -4)}AAAA`]) {
      expectInvalidGrant(await exchange(app, policyId, token));
      // Nor are they accepted as our own.
      if (token !== body.access_token) expect((await app.api.get('/key', { key: token })).status).toBe(401);
    }
  });

  it('answers 401 to what looks like our token: signed by others, of another type, or expired', async () => {
    const policyId = await policy();
    const { body } = await exchange<TokenExchangeResponse>(app, policyId, await issuer.server.token(CLAIMS));
    const { key: ours, kid } = await app.application.get(SigningKeys).active();
    const payload = { federation_policy_id: policyId, api_key_id: key.id };
    const token = (typ: string, exp: number, signer: CryptoKey = ours): Promise<string> =>
      new SignJWT(payload).setProtectedHeader({ alg: 'ES256', typ, kid }).setExpirationTime(exp).sign(signer);
    const { privateKey } = await newIssuerKey(kid);

    const reasons: unknown[] = [];
    for (const made of [
      await token('at+jwt', now() + 60, privateKey),
      await token('JWT', now() + 60),
      await token('at+jwt', now() - 1),
      `${body.access_token.slice(0, -4)}AAAA`,
      await token('at+jwt', now() + 60),
    ]) {
      const answer = await app.api.get<{ error?: { metadata: { reason: string } } }>('/key', { key: made });
      reasons.push([answer.status, answer.body.error?.metadata.reason]);
    }
    const invalid = [401, 'invalid_credential'];
    expect(reasons).toEqual([invalid, invalid, [401, 'credential_expired'], invalid, [200, undefined]]);
  });

  it('answers 400 byte for byte alike for policies that do not exist, of others, that are disabled, and whose key is out of use', async () => {
    const token = await issuer.server.token(CLAIMS);
    const { organizationId } = organization;
    const stranger = await app.factory.organization();
    const theirs = await newPolicy(app, stranger, {
      issuer_id: await newIssuer(app, stranger, { issuer: issuer.server.issuer }),
      audience: 'other',
    });
    const disabledKey = await app.factory.key(organization);
    const ofDisabledKey = await policy({ key_hash: disabledKey.hash });
    await app.rows('UPDATE api_keys SET disabled = true WHERE id = $1', [disabledKey.id]);
    const newerKey = await app.factory.key(organization);
    const ofNewerKey = await policy({ key_hash: newerKey.hash });
    await app.rows(`UPDATE api_keys SET version = ${KEY_VERSION + 1} WHERE id = $1`, [newerKey.id]);
    const suspendedKey = await app.factory.key(organization);
    const ofSuspendedKey = await policy({ key_hash: suspendedKey.hash });
    await app.rows(`UPDATE api_keys SET suspension_causes = '{workspace_membership}' WHERE id = $1`, [suspendedKey.id]);
    const expiredKey = await app.factory.key(organization);
    const ofExpiredKey = await policy({ key_hash: expiredKey.hash });
    await app.rows('UPDATE api_keys SET expires_at = now() WHERE id = $1', [expiredKey.id]);
    const texts = new Set<string>();
    for (const id of [
      policyIdOf({ organizationId, id: newUuid() }),
      policyIdOf({ organizationId: `org_${'0'.repeat(32)}`, id: newUuid() }),
      theirs,
      theirs.replace(/^fp-.{22}/, policyIdOf({ organizationId, id: newUuid() }).slice(0, 25)),
      await policy({ enabled: false }),
      ofDisabledKey,
      ofNewerKey,
      ofSuspendedKey,
      ofExpiredKey,
      'nothing',
    ]) {
      const answer = await exchange<Failure>(app, id, token);
      expectInvalidGrant(answer);
      texts.add(answer.text);
    }
    expect(texts.size).toBe(1);
  });

  it.each([
    ['no grant', { grant_type: null }, 'invalid_request'],
    ['another grant', { grant_type: 'client_credentials' }, 'unsupported_grant_type'],
    ['no policy', { federation_policy_id: null }, 'invalid_request'],
    ['an empty policy', { federation_policy_id: '' }, 'invalid_request'],
    ['no token', { subject_token: null }, 'invalid_request'],
    ['no JWT', { subject_token: 'abc' }, 'invalid_request'],
    ['an encrypted JWT', { subject_token: 'eyJhbGciOiJkaXIifQ..a.b.c' }, 'invalid_request'],
    ['a long token', { subject_token: 'x'.repeat(16_385) }, 'invalid_request'],
    ['another type of token', { subject_token_type: 'urn:ietf:params:oauth:token-type:saml2' }, 'invalid_request'],
    ['a refresh token', { requested_token_type: 'urn:ietf:params:oauth:token-type:refresh_token' }, 'invalid_request'],
    ['another scope', { scope: 'inference keys_write' }, 'invalid_scope'],
  ] as const)('answers 400 to %s', async (_, fields, error) => {
    const answer = await exchange<Failure>(app, await policy(), await issuer.server.token(CLAIMS), fields);
    expect([answer.status, answer.body.error]).toEqual([400, error]);
    expect(answer.headers.get('cache-control')).toBe('no-store');
  });

  it('answers 400 to JSON and to a field that is there twice, and 413 to 32 KiB', async () => {
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    const send = (raw: string, headers: Record<string, string> = form): Promise<Answer<Failure>> =>
      app.api.post<Failure>('/oauth/token', { raw, headers });
    const answers = [
      await send('{}', { 'content-type': 'application/json' }),
      await send('grant_type=a&grant_type=b'),
      await send('grant_type=%ff'),
      await send('é=1'),
      await send(`x=${'y'.repeat(32 * 1024)}`),
    ];
    expect(answers.map(({ status, body }) => [status, body.error])).toEqual([
      ...Array.from({ length: 4 }, () => [400, 'invalid_request']),
      [413, 'invalid_request'],
    ]);
  });

  it('answers 200 whatever else the form and the Authorization header have, with the body of the public contract', async () => {
    const token = await issuer.server.token(CLAIMS);
    const fields = { audience: 'anything', resource: 'https://other.example.com', scope: 'inference' };
    const answer = await exchange(app, await policy(), token, fields);
    expect(answer.status).toBe(200);
    const contract = JSON.parse(readFileSync('test/contract/identity-contract.json', 'utf8')) as object;
    const validator = new Ajv({ strict: false }).addSchema({ $id: 'identity', ...contract });
    const fits = (name: string, body: unknown): boolean =>
      validator.validate(`identity#/components/schemas/${name}`, body);
    expect(fits('TokenExchangeResponse', answer.body)).toBe(true);
    const jwks = await app.api.get('/oauth/jwks', { headers: { authorization: 'Basic nothing' } });
    expect([jwks.status, fits('OAuthJwks', jwks.body)]).toEqual([200, true]);
    expect(jwks.text).not.toContain('"d"');
  });

  it('answers 200 to one token twice, and 403 to an access token that asks for a key', async () => {
    const policyId = await policy();
    const token = await issuer.server.token(CLAIMS);
    const first = await exchange<TokenExchangeResponse>(app, policyId, token);
    const second = await exchange<TokenExchangeResponse>(app, policyId, token);
    expect([first.status, second.status]).toEqual([200, 200]);
    expect(first.body.access_token).not.toBe(second.body.access_token);

    const code = await newCode(app, organization.managementKey);
    const refused = await app.api.post('/auth/keys', { key: first.body.access_token, json: { code } });
    expect(refused.status).toBe(403);
    expect((await app.api.post('/auth/keys', { key: key.plaintext, json: { code } })).status).toBe(200);
  });

  it('accepts no token with a 200 once a key is disabled while tokens are exchanged for it', async () => {
    const policyId = await policy();
    const subjectTokens = await Promise.all(Array.from({ length: 20 }, () => issuer.server.token(CLAIMS)));
    const exchanges = subjectTokens.map((token) => exchange<TokenExchangeResponse>(app, policyId, token));
    const disabled = await app.api.patch(`/keys/${key.hash}`, {
      key: organization.managementKey,
      json: { disabled: true },
    });
    expect(disabled.status).toBe(200);
    const tokens = (await Promise.all(exchanges)).flatMap(({ status, body }) =>
      status === 200 ? [body.access_token] : [],
    );
    for (const token of tokens) {
      for (const { api } of [app, app.otherReplica]) expect((await api.get('/key', { key: token })).status).toBe(401);
    }
    expectInvalidGrant(await exchange(app, policyId, subjectTokens[0]!));
  });

  it('answers 503 with Retry-After while the issuer cannot be read, and asks it once for many tokens', async () => {
    const policyId = await policy();
    const tokens = await Promise.all(Array.from({ length: 20 }, () => issuer.server.token(CLAIMS)));
    issuer.server.answer = (response) => void response.writeHead(500).end();
    const answers = await Promise.all(tokens.map((token) => exchange<Failure>(app, policyId, token)));

    for (const { status, body, headers } of answers) {
      expect([status, body.error]).toEqual([503, 'temporarily_unavailable']);
      expect(Number(headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(issuer.server.requests).toHaveLength(1);
  });

  it.each([
    ['a redirect', 302, { location: 'http://127.0.0.1:1/' }, ''],
    ['an endless document', 200, {}, `{"issuer":"${'x'.repeat(300_000)}"}`],
    ['no JSON', 200, {}, '<html>'],
  ])('answers 503 where the issuer answers %s', async (_, status, headers, text) => {
    const policyId = await policy();
    issuer.server.answer = (response) => void response.writeHead(status, headers).end(text);
    const answer = await exchange<Failure>(app, policyId, await issuer.server.token(CLAIMS));
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
  });

  it('answers 503 where the document is of another issuer, though it leads to the right keys', async () => {
    const policyId = await policy();
    const { server } = issuer;
    const documents = {
      '/keys': { keys: server.keys.map(({ publicJwk }) => publicJwk) },
      '/.well-known/openid-configuration': { issuer: 'https://other.example.com', jwks_uri: server.jwksUrl },
    };
    server.answer = (response, path) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(JSON.stringify(documents[path as keyof typeof documents]));
    };
    const answer = await exchange<Failure>(app, policyId, await server.token(CLAIMS));
    expect([answer.status, answer.body.error]).toEqual([503, 'temporarily_unavailable']);
    expect(server.keyRequests).toBe(0);
  });

  it('answers 400 to a storm of unknown keys after a 200, for which the issuer is asked once', async () => {
    const policyId = await policy();
    expect((await exchange(app, policyId, await issuer.server.token(CLAIMS))).status).toBe(200);
    for (let number = 0; number < 30; number += 1) {
      const made = await signedToken(
        { ...issuer.server.keys[0]!, kid: `kid-${number}` },
        { iss: issuer.server.issuer, exp: now() + 600, ...CLAIMS },
      );
      expectInvalidGrant(await exchange(app, policyId, made));
    }
    expect(issuer.server.keyRequests).toBe(1);
  });

  it('answers 200 with keys that are part of the settings, without asking anyone', async () => {
    const { server } = issuer;
    const jwks = { type: 'inline', keys: [server.keys[0]!.publicJwk] };
    const inline = await newIssuer(app, organization, { issuer: 'https://kubernetes.default.svc.cluster.local', jwks });
    const policyId = await policy({ issuer_id: inline });
    const token = await server.token({ ...CLAIMS, iss: 'https://kubernetes.default.svc.cluster.local' });
    expect((await exchange(app, policyId, token)).status).toBe(200);
    expect(server.requests).toEqual([]);

    const path = `/federation/issuers/${inline}`;
    await app.api.patch(path, { key: organization.managementKey, json: { jwks: INLINE_KEYS } });
    expectInvalidGrant(await exchange(app, policyId, token));
  });

  it('answers 429 with Retry-After beyond the exchanges of an address', async () => {
    const replica = await app.replica({ TOKEN_EXCHANGES_PER_MINUTE: '2', OIDC_ALLOW_PRIVATE_ISSUERS: 'true' });
    const policyId = await policy();
    const statuses: number[] = [];
    for (let number = 0; number < 3; number += 1) {
      const answer = await exchange<Failure>(replica, policyId, await issuer.server.token(CLAIMS));
      statuses.push(answer.status);
      if (answer.status !== 429) continue;
      expect(answer.body.error).toBe('invalid_request');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    }
    expect(statuses).toEqual([200, 200, 429]);
  });
});

describe('the keys that access tokens are signed with', () => {
  const app = federatingApplication();

  const kids = async (): Promise<string[]> => {
    const { body } = await app.api.get<{ keys: { kid: string }[] }>('/oauth/jwks');
    return body.keys.map(({ kid }) => kid);
  };

  /** Moves all keys into the past. */
  const pass = async (interval: string): Promise<void> => {
    await app.rows('UPDATE token_signing_keys SET active_at = active_at - $1::interval', [interval]);
    await app.application.get(SigningKeys).rotate();
  };

  it('are published (200) an hour before they sign, and kept for twenty minutes after', async () => {
    const keys = app.application.get(SigningKeys);
    const { kid: first } = await keys.active();
    await Promise.all([keys.rotate(), app.otherReplica.application.get(SigningKeys).rotate()]);
    expect(await kids()).toEqual([first]);

    await pass('29 days 22 hours');
    expect(await kids()).toEqual([first]);
    await pass('1 hour 1 minute');
    const [second, ...others] = await kids();
    expect(others).toEqual([first]);
    expect((await keys.active()).kid).toBe(first);

    await pass('1 hour');
    expect((await keys.active()).kid).toBe(second);
    expect(await kids()).toEqual([second, first]);
    await pass('21 minutes');
    expect(await kids()).toEqual([second]);
    expect(await app.rows('SELECT id FROM token_signing_keys')).toEqual([{ id: second }]);
  });
});
