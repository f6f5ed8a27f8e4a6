import { sharedApplication } from '../../support/application/shared-application.js';
import type { CreateObservabilityDestinationResponse } from '../../../src/modules/observability/dto/destination.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { destinationState, resolveHostsTo } from '../../support/resources/destinations.js';
import { HOST_ADDRESSES } from './forbidden-addresses.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

export const PATH = '/observability/destinations';

export const WEBHOOK = { type: 'webhook', name: 'Hook', config: { url: 'https://public.example.com/hook' } };

/** One code point, two UTF-16 code units. */
export const ASTRAL = '\u{1f512}';

/** What the tests of createObservabilityDestination send, and what they look at. */
export function destinationCreation() {
  const app = sharedApplication({ topic: 'destination-creation' });
  const organization = organizationPerTest(app);

  beforeAll(() => resolveHostsTo(app, HOST_ADDRESSES));

  const post = (
    json: unknown,
    key = organization.managementKey,
    { api } = app,
  ): Promise<Answer<CreateObservabilityDestinationResponse>> => api.post(PATH, { key, json });

  /** Refused, and nothing stored or recorded. */
  const expectRefused = async (json: unknown, reason: string, ...paths: string[]): Promise<Answer> => {
    const before = await destinationState(app);
    const answer = await post(json);
    expectRefusal(answer, { status: 400, reason, paths, userId: organization.userId });
    expectToFitContract('createObservabilityDestination', 400, answer.body);
    expect(await destinationState(app)).toEqual(before);
    return answer;
  };

  return { app, organization, post, expectRefused };
}
