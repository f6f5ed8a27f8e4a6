import { acceptedKey, acceptedKeys } from '../../operations/accepted-key.js';
import { interfaceOf, pathOf } from '../../support/openapi/described-operations.js';
import { bodyWith, placeName, scalarPlaces } from '../../support/openapi/example-bodies.js';
import { filledBefore } from '../../support/application/filled-before.js';
import { sharedApplication } from '../../support/application/shared-application.js';
import { sharedOrganization } from '../../support/application/shared-organization.js';

/** Objects that cannot be made a text or a number: a check that takes one for a text fails itself. */
const NO_PRIMITIVES: readonly unknown[] = [
  { toString: 1, valueOf: 1 },
  [{ toString: null }],
  { toString: { call: 1 }, length: 1 },
];

describe('fields of texts and numbers', () => {
  const app = sharedApplication();
  const organization = sharedOrganization(app);
  const keys = filledBefore(beforeAll, () => acceptedKeys(app, organization));
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  it.each(NO_PRIMITIVES)('are never answered 500 with %j', async (value) => {
    const failed: string[] = [];
    let count = 0;
    for (const operation of api.operations) {
      for (const { place } of operation.body ? scalarPlaces(api, operation.body) : []) {
        const answer = await app.api.send(operation.method, pathOf(operation), {
          key: acceptedKey(operation.operationId, keys),
          json: bodyWith(api, operation.body!, place, value),
        });
        count += 1;
        if (answer.status >= 500) failed.push(`${operation.operationId} ${placeName(place)} ${answer.status}`);
      }
    }
    expect(count).toBeGreaterThan(500);
    expect(failed).toEqual([]);
  });
});
