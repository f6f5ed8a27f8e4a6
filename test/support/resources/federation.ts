import type { FederationIssuer } from '../../../src/modules/federation/dto/issuer.dto.js';
import type { FederationPolicy } from '../../../src/modules/federation/dto/policy.dto.js';
import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../application/test-application.js';
import type { Answer } from '../network/api-client.js';

/** The audience of subject tokens. */
export const AUDIENCE = 'https://gateway.example.com';

/** The subject of subject tokens. */
export const SUBJECT = 'repo:acme/app:ref:refs/heads/main';

/** The keys of an issuer that cannot be reached (RFC 7517, appendix A.1). */
export const INLINE_KEYS = {
  type: 'inline',
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'MKBCTNIcKUSDii11ySs3526iDZ8AiTo7Tu6KPAqv7D4',
      y: '4Etl6SRW2YiLUrN5vfvVHuhp7x8PxltmWWlbbM4IFyM',
      kid: '1',
      use: 'sig',
    },
  ],
};

/** Makes an issuer over HTTP. @param fields in place of those of an issuer that is not asked for its keys @returns its id */
export async function newIssuer(
  app: TestApplication,
  { managementKey: key }: NewOrganization,
  fields: object = {},
): Promise<string> {
  const json = { name: 'Issuer', issuer: 'https://issuer.example.com', jwks: { type: 'discovery' }, ...fields };
  const answer = await app.api.post<{ data: FederationIssuer }>('/federation/issuers', { key, json });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data.id;
}

/** Makes a policy over HTTP, with an issuer and an API key of its own unless the fields name them. @returns its id */
export async function newPolicy(
  app: TestApplication,
  organization: NewOrganization,
  fields: Readonly<Record<string, unknown>> = {},
): Promise<string> {
  const json = {
    name: 'Policy',
    subject: SUBJECT,
    audience: AUDIENCE,
    ...fields,
    issuer_id: fields['issuer_id'] ?? (await newIssuer(app, organization)),
    key_hash: fields['key_hash'] ?? (await app.factory.key(organization)).hash,
  };
  const answer = await app.api.post<{ data: FederationPolicy }>('/federation/policies', {
    key: organization.managementKey,
    json,
  });
  expect({ status: answer.status, text: answer.text }).toEqual({ status: 201, text: answer.text });
  return answer.body.data.id;
}

/** Asks for an access token. @param fields of the form besides the usual ones, or in their place; null leaves one out */
export async function exchange<Body>(
  app: Pick<TestApplication, 'api'>,
  federation_policy_id: string,
  subject_token: string,
  fields: Readonly<Record<string, string | null>> = {},
): Promise<Answer<Body>> {
  const form = {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    federation_policy_id,
    subject_token,
    subject_token_type: 'urn:ietf:params:oauth:token-type:jwt',
    ...fields,
  };
  const given = Object.entries(form).filter((entry): entry is [string, string] => entry[1] !== null);
  return app.api.post<Body>('/oauth/token', {
    raw: new URLSearchParams(given).toString(),
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
}
