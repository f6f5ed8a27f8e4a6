import { sharedApplication } from '../../support/application/shared-application.js';
import type {
  ObservabilityDestination,
  UpdateObservabilityDestinationResponse,
} from '../../../src/modules/observability/dto/destination.dto.js';
import type { Answer } from '../../support/network/api-client.js';
import { expectToFitContract } from '../../support/contract/contract-answers.js';
import { destinationState, resolveHostsTo } from '../../support/resources/destinations.js';
import { HOST_ADDRESSES } from './forbidden-addresses.js';
import { expectRefusal, type Refusal } from '../../support/expectations/error-envelope.js';
import { organizationPerTest } from '../../support/application/shared-organization.js';

/** What the tests of updateObservabilityDestination send, and what they look at. */
export function destinationUpdate() {
  const app = sharedApplication({ topic: 'destination-update' });
  const organization = organizationPerTest(app);

  beforeAll(() => resolveHostsTo(app, HOST_ADDRESSES));

  const patch = (id: string, json: unknown): Promise<Answer<UpdateObservabilityDestinationResponse>> =>
    app.api.patch(`/observability/destinations/${id}`, { key: organization.managementKey, json });

  const update = async (id: string, json: unknown): Promise<ObservabilityDestination> => {
    const answer = await patch(id, json);
    expect({ status: answer.status, text: answer.text }).toEqual({ status: 200, text: answer.text });
    expectToFitContract('updateObservabilityDestination', 200, answer.body);
    return answer.body.data;
  };

  /** Refused, and nothing changed or recorded. */
  const expectRefused = async (id: string, json: unknown, refusal: Refusal): Promise<Answer> => {
    const before = await destinationState(app);
    const answer = await patch(id, json);
    expectRefusal(answer, { userId: organization.userId, ...refusal });
    expectToFitContract('updateObservabilityDestination', answer.status, answer.body);
    expect(await destinationState(app)).toEqual(before);
    return answer;
  };

  const invalid = (...paths: string[]): Refusal => ({ status: 400, reason: 'invalid_parameters', paths });

  /** Changes nothing: not the row, not even when it was changed, and no event says so. */
  const expectUnchanged = async (made: ObservabilityDestination, json: unknown): Promise<void> => {
    const before = await destinationState(app);
    expect(await update(made.id, json)).toEqual(made);
    expect(await destinationState(app)).toEqual(before);
  };

  return { app, organization, patch, update, expectRefused, invalid, expectUnchanged };
}
