import { KEY_VERSION } from '../../../src/modules/keys/credentials/key-version.js';
import { decodeJwt, decodeProtectedHeader, importJWK, jwtVerify } from 'jose';
import type { OAuthJwks, TokenExchangeResponse } from '../../../src/modules/federation/dto/token-exchange.dto.js';
import type { IssuedCredential } from '../../../src/modules/keys/keys.service.js';
import { keyPerTest, organizationPerTest } from '../../support/application/shared-organization.js';
import { labelOf } from '../../support/resources/keys.js';
import { AUDIENCE, exchange, newPolicy, SUBJECT } from '../../support/resources/federation.js';
import { newIssuerKey } from '../../support/network/token-issuer.js';
import { federatingApplication, issuerPerTest } from './federating-application.js';

const CLAIMS = { sub: SUBJECT, aud: AUDIENCE };

const CHAT = { model: 'gatehouse/echo', messages: [{ role: 'user', content: 'Hello' }] };

describe('createOauthToken', () => {
  const app = federatingApplication();
  const organization = organizationPerTest(app);
  const key: IssuedCredential = keyPerTest(app, organization);
  const issuer = issuerPerTest(app, organization);

  const policy = (fields: object = {}): Promise<string> =>
    newPolicy(app, organization, { issuer_id: issuer.id, key_hash: key.hash, ...fields });

  const tokenFor = async (policyId: string, claims: object = CLAIMS): Promise<string> => {
    const answer = await exchange<TokenExchangeResponse>(app, policyId, await issuer.server.token({ ...claims }));
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
    return answer.body.access_token;
  };

  it('answers 200 with a token that is accepted at inference as the key that it acts as', async () => {
    const policyId = await policy();
    const subjectToken = await issuer.server.token({ ...CLAIMS });
    const answer = await exchange<TokenExchangeResponse>(app, policyId, subjectToken);

    expect(answer.status).toBe(200);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    const { access_token: token, expires_in: expiresIn, ...rest } = answer.body;
    expect(rest).toEqual({
      issued_token_type: 'urn:ietf:params:oauth:token-type:access_token',
      token_type: 'Bearer',
      scope: 'inference',
    });
    // No longer than the subject token.
    expect(expiresIn).toBeGreaterThan(590);
    expect(expiresIn).toBeLessThanOrEqual(600);
    const { kid, ...header } = decodeProtectedHeader(token);
    expect(header).toEqual({ alg: 'ES256', typ: 'at+jwt' });

    const jwks = await app.api.get<OAuthJwks>('/oauth/jwks');
    expect(jwks.status).toBe(200);
    const jwk = jwks.body.keys.find((candidate) => candidate.kid === kid)!;
    const { payload } = await jwtVerify(token, await importJWK({ ...jwk }, 'ES256'), { subject: SUBJECT });
    expect(payload).toMatchObject({
      federation_policy_id: policyId,
      federation_issuer_id: issuer.id,
      scope: 'inference',
    });
    expect(payload.exp! - payload.iat!).toBe(expiresIn);

    const chat = await app.api.post<{ id: string }>('/chat/completions', { key: token, json: CHAT });
    expect({ status: chat.status, text: chat.text }).toEqual({ status: 200, text: chat.text });
    expect(await app.rows('SELECT key_id FROM generations WHERE id = $1', [chat.body.id])).toEqual([
      { key_id: key.id },
    ]);
    const current = await app.api.get<{ data: { label: string } }>('/key', { key: token });
    expect(current.body.data.label).toBe(labelOf(key.plaintext));
  });

  it('issues tokens for 15 minutes at most, and answers 200 for a token that expires after years', async () => {
    const exp = Math.floor(Date.now() / 1000) + 100_000_000;
    const answer = await exchange<TokenExchangeResponse>(
      app,
      await policy(),
      await issuer.server.token({ ...CLAIMS, exp }),
    );
    expect(answer.body.expires_in).toBe(900);
    expect(decodeJwt(answer.body.access_token).exp! - Math.floor(Date.now() / 1000)).toBeLessThanOrEqual(900);
  });

  it.each([
    ['disabled', 'UPDATE api_keys SET disabled = true WHERE id = $1', 'credential_disabled'],
    ['expired', 'UPDATE api_keys SET expires_at = now() WHERE id = $1', 'credential_expired'],
    [
      'suspended',
      `UPDATE api_keys SET suspension_causes = '{workspace_membership}' WHERE id = $1`,
      'credential_suspended',
    ],
    [
      'of a newer release',
      `UPDATE api_keys SET version = ${KEY_VERSION + 1} WHERE id = $1`,
      'credential_of_newer_release',
    ],
    ['deleted', 'DELETE FROM api_keys WHERE id = $1', 'invalid_credential'],
  ])(
    'answers 200 for tokens that are refused with a 401 at once when the key is %s, on another replica too',
    async (_, statement, reason) => {
      const token = await tokenFor(await policy());
      const other = app.otherReplica;
      for (const { api } of [app, other]) expect((await api.get('/key', { key: token })).status).toBe(200);
      await app.rows(statement, [key.id]);

      for (const { api } of [app, other]) {
        const chat = await api.post<{ error: { metadata: { reason: string } } }>('/chat/completions', {
          key: token,
          json: CHAT,
        });
        expect([chat.status, chat.body.error.metadata.reason]).toEqual([401, reason]);
      }
    },
  );

  it('takes the token in X-Api-Key where the key is taken there (200)', async () => {
    const token = await tokenFor(await policy());
    const json = { ...CHAT, max_tokens: 10 };
    const answer = await app.api.post('/messages', {
      json,
      headers: { 'x-api-key': token, 'anthropic-version': '2023-06-01' },
    });
    expect(answer.status).toBe(200);
  });

  it('answers 200 for RS256, for one of several audiences, for scopes and a condition, and 400 for other claims', async () => {
    const rsa = await newIssuerKey('rsa', 'RS256');
    issuer.server.keys.push(rsa);
    const policyId = await policy({
      subject: null,
      condition: 'subject.startsWith("repo:acme/") && "deploy" in scopes && token_type == "workload"',
      required_scope: 'deploy',
      required_token_type: 'workload',
    });
    const claims = { sub: SUBJECT, aud: ['other', AUDIENCE], scopes: ['read', 'deploy'], token_type: 'workload' };
    const answer = await exchange(app, policyId, await issuer.server.token(claims, rsa));
    expect(answer.status).toBe(200);

    for (const changed of [
      { scopes: ['read'] },
      { token_type: 'other' },
      { sub: 'repo:other/app' },
      { scopes: 'deploy' },
    ]) {
      const refused = await exchange<{ error: string }>(
        app,
        policyId,
        await issuer.server.token({ ...claims, ...changed }, rsa),
      );
      expect([refused.status, refused.body.error]).toEqual([400, 'invalid_grant']);
    }
  });
});
