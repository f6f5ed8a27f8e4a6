import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { MemberIdentityResponse } from '../../../src/modules/sign-in/dto/member-identity.dto.js';
import type { SignInConnectionResponse } from '../../../src/modules/sign-in/dto/sign-in-connection.dto.js';
import type { TestApplication } from '../application/test-application.js';

let count = 0;

/** The settings of an identity provider that is not asked. */
export function connectionSettings(): { name: string; issuer: string; client_id: string } {
  return { name: 'Provider', issuer: 'https://idp.example.com', client_id: `client-${++count}` };
}

/** Adds an identity provider over HTTP. @param fields besides those that it needs @returns its id */
export async function newSignInConnection(
  app: TestApplication,
  { managementKey: key }: NewOrganization,
  fields: object = {},
): Promise<string> {
  const json = { ...connectionSettings(), ...fields };
  const answer = await app.api.post<SignInConnectionResponse>('/sign-in/connections', { key, json });
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}

/** Links the administrator of an organization over HTTP to who it is at an issuer. @returns the id of the identity */
export async function newMemberIdentity(
  app: TestApplication,
  { managementKey: key, userId }: NewOrganization,
): Promise<string> {
  const json = { issuer: 'https://idp.example.com', subject: `subject-${++count}` };
  const path = `/organization/members/${userId}/identities`;
  const answer = await app.api.post<MemberIdentityResponse>(path, { key, json });
  expect(answer.status).toBe(201);
  return answer.body.data.id;
}
