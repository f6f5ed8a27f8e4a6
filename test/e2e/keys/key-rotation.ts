import { replicaOfSuite, sharedApplication } from '../../support/application/shared-application.js';
import type { IssuedKeyResponse } from '../../../src/modules/keys/dto/key.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { sha256 } from '../../support/resources/authorization-codes.js';
import { statusOfCurrentKey } from '../../support/resources/keys.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** What the tests of rotateKey send, and what they look at. */
export function keyRotation() {
  const app = sharedApplication({ topic: 'suite' });
  const replica = replicaOfSuite(app);
  const organization = sharedOrganization(app);

  const rotate = (
    hash: string,
    json?: object,
    credential = organization.managementKey,
  ): Promise<Answer<IssuedKeyResponse>> =>
    app.api.post(`/keys/${hash}/rotate`, { key: credential, ...(json && { json }) });

  const rotated = async (
    hash: string,
    json?: object,
    credential = organization.managementKey,
  ): Promise<IssuedKeyResponse> => {
    const answer = await rotate(hash, json, credential);
    expect(answer.status).toBe(201);
    expect(answer.body.data.hash).toBe(sha256(answer.body.key));
    return answer.body;
  };

  /** Moves the end of a grace. */
  const endGrace = (hash: string): Promise<unknown> =>
    app.rows(
      `UPDATE api_keys SET previous_hash_expires_at = now() - interval '1 second' WHERE hash = decode($1, 'hex')`,
      [hash],
    );

  /** Which of some secrets each replica takes. */
  const taken = async (...secrets: string[]): Promise<boolean[]> => {
    const statuses = await Promise.all(
      [app, replica].map((server) => Promise.all(secrets.map((secret) => statusOfCurrentKey(server, secret)))),
    );
    expect(statuses[0]).toEqual(statuses[1]);
    return statuses[0]!.map((status) => status === 200);
  };

  return { app, replica, organization, rotate, rotated, endGrace, taken };
}
