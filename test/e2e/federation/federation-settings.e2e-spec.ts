import { sharedApplication } from '../../support/application/shared-application.js';
import type { FederationIssuer } from '../../../src/modules/federation/dto/issuer.dto.js';
import type { FederationPolicy } from '../../../src/modules/federation/dto/policy.dto.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';
import { auditEventsOf } from '../../support/expectations/audit-events.js';
import type { Answer, ErrorBody } from '../../support/network/api-client.js';
import { newIssuerKey } from '../../support/network/token-issuer.js';
import { AUDIENCE, INLINE_KEYS, newIssuer, newPolicy, SUBJECT } from '../../support/resources/federation.js';
import { exportJWK } from 'jose';

describe('createFederationIssuer', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  const create = <Body = { data: FederationIssuer }>(json: object): Promise<Answer<Body>> =>
    app.api.post<Body>('/federation/issuers', { key: organization.managementKey, json });

  it('answers 201 with what it has made, and records it', async () => {
    const settings = { name: 'Cluster', issuer: 'https://kubernetes.default.svc.cluster.local' };
    const [key] = INLINE_KEYS.keys;
    const answer = await create({ ...settings, jwks: { type: 'inline', keys: [{ ...key, x5c: ['left out'] }] } });

    expect(answer.status).toBe(201);
    expect(answer.body.data).toMatchObject({ ...settings, jwks: { type: 'inline', url: null, keys: [key] } });
    const [event] = await auditEventsOf(app, answer.body.data.id);
    expect(event).toMatchObject({ action: 'federation_issuer.create', actor_id: organization.userId });
  });

  it('answers 400 for addresses that lead into private networks, and for what is no public key', async () => {
    const { privateKey } = await newIssuerKey('private');
    const issuer = 'https://issuer.example.com';
    const refused: [json: object, path: string][] = [
      [{ issuer: 'https://127.0.0.1', jwks: { type: 'discovery' } }, 'issuer'],
      [{ issuer: 'https://metadata.internal', jwks: { type: 'discovery' } }, 'issuer'],
      [{ issuer: 'http://issuer.example.com', jwks: { type: 'discovery' } }, 'issuer'],
      [{ issuer: 'http://issuer.example.com', jwks: INLINE_KEYS }, 'issuer'],
      [{ issuer, jwks: { type: 'explicit_url', url: 'https://169.254.169.254/keys' } }, 'jwks.url'],
      [{ issuer, jwks: { type: 'explicit_url' } }, 'jwks.url'],
      [{ issuer, jwks: { type: 'discovery', url: 'https://keys.example.com' } }, 'jwks.url'],
      [{ issuer, jwks: { type: 'inline' } }, 'jwks.keys'],
      [{ issuer, jwks: { type: 'inline', keys: [await exportJWK(privateKey)] } }, 'jwks.keys[0]'],
      [{ issuer, jwks: { type: 'inline', keys: [{ kty: 'oct', k: 'c2VjcmV0' }] } }, 'jwks.keys[0]'],
      [{ issuer, jwks: { type: 'inline', keys: [{ kty: 'RSA', n: 'AQAB', e: 'AQAB' }] } }, 'jwks.keys[0]'],
      [{ issuer, jwks: { type: 'inline', keys: [{ ...INLINE_KEYS.keys[0], x: 'AAAA' }] } }, 'jwks.keys[0]'],
    ];
    for (const [json, path] of refused) {
      const { status, body } = await create<ErrorBody>({ name: 'Issuer', ...json });
      expect([json, status, body.error.metadata.issues?.map((issue) => issue.path)]).toEqual([json, 400, [path]]);
    }
  });
});

describe('deleteFederationIssuer', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  it('answers 409 while a policy names the issuer, and 200 after that', async () => {
    const { managementKey: key } = organization;
    const issuerId = await newIssuer(app, organization);
    const policyId = await newPolicy(app, organization, { issuer_id: issuerId });
    const remove = (): Promise<Answer> => app.api.delete(`/federation/issuers/${issuerId}`, { key });

    expect((await remove()).status).toBe(409);
    expect((await app.api.delete(`/federation/policies/${policyId}`, { key })).status).toBe(200);
    expect((await remove()).status).toBe(200);
    expect((await remove()).status).toBe(404);
  });

  it('answers 200 and leaves no policy without its issuer, whichever of the two comes first', async () => {
    const { managementKey: key } = organization;
    const { hash } = await app.factory.key(organization);
    for (let round = 0; round < 5; round += 1) {
      const issuer_id = await newIssuer(app, organization);
      const json = { name: 'Policy', subject: SUBJECT, audience: AUDIENCE, issuer_id, key_hash: hash };
      const [made, removed] = await Promise.all([
        app.api.post('/federation/policies', { key, json }),
        app.api.delete(`/federation/issuers/${issuer_id}`, { key }),
      ]);
      expect([
        [201, 409],
        [400, 200],
      ]).toContainEqual([made.status, removed.status]);
    }
  });
});

describe('updateFederationPolicy', () => {
  const app = sharedApplication({ topic: 'suite' });
  const organization = organizationPerTest(app);

  it('answers 200, changes the fields in the request, and records what was changed', async () => {
    const id = await newPolicy(app, organization);
    const other = await app.factory.key(organization);
    const json = { key_hash: other.hash, condition: 'subject != ""', subject: null, enabled: false };
    const path = `/federation/policies/${id}`;
    const answer = await app.api.patch<{ data: FederationPolicy }>(path, { key: organization.managementKey, json });

    expect(answer.status).toBe(200);
    expect(answer.body.data).toMatchObject(json);
    const events = await auditEventsOf(app, id);
    expect(events.map(({ action }) => action)).toEqual(['federation_policy.create', 'federation_policy.update']);
    expect(Object.keys(events[1]!.changes as object).sort()).toEqual(['condition', 'enabled', 'key_hash', 'subject']);
  });

  it('answers 400 for a policy that would take every token, a bad condition, and keys that none may act as', async () => {
    const path = `/federation/policies/${await newPolicy(app, organization)}`;
    const { hash: managementKey } = await app.factory.key(organization, { kind: 'management_key' });
    const client = await app.factory.client(organization);
    const { hash: ofClient } = await app.factory.key(organization, { connectClientId: client.id });
    const refused: [json: object, reason: string][] = [
      [{ subject: null }, 'invalid_parameters'],
      [{ condition: 'subject.matches("a")' }, 'invalid_condition'],
      [{ key_hash: managementKey }, 'key_not_found'],
      [{ key_hash: ofClient }, 'key_of_connect_client'],
      [{ key_hash: 'x' }, 'key_not_found'],
    ];
    for (const [json, reason] of refused) {
      const { status, body } = await app.api.patch<ErrorBody>(path, { key: organization.managementKey, json });
      expect([json, status, body.error.metadata.reason]).toEqual([json, 400, reason]);
    }
  });

  it('answers 200 for the key after its rotation, and 404 once the key is deleted, with which it goes', async () => {
    const { managementKey: key } = organization;
    const acted = await app.factory.key(organization);
    const path = `/federation/policies/${await newPolicy(app, organization, { key_hash: acted.hash })}`;
    const rotated = await app.api.post<{ data: { hash: string } }>(`/keys/${acted.hash}/rotate`, { key, json: {} });
    const { hash } = rotated.body.data;
    expect((await app.api.get<{ data: FederationPolicy }>(path, { key })).body.data.key_hash).toBe(hash);
    expect((await app.api.delete(`/keys/${hash}`, { key })).status).toBe(200);
    expect((await app.api.get(path, { key })).status).toBe(404);
  });
});
