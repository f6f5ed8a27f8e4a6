import type { TestApplication } from '../support/application/test-application.js';
import { type OperationRow, pathWith } from './operation-row.js';
import { OPERATIONS } from './operations.js';
import { type SampleOrganization, sampleOrganization } from './sample-organization.js';

/** A request that an operation answers with success. */
export interface SuccessfulRequest {
  readonly method: OperationRow['method'];
  readonly path: string;
  readonly key: string;
  readonly json?: Readonly<Record<string, unknown>>;
}

/** A sample organization with a request for every operation. */
export interface CompleteOrganization extends SampleOrganization {
  /** By operationId, in the order of the alphabet; each may be sent once. */
  readonly requests: Readonly<Record<string, SuccessfulRequest>>;
}

/** A request of the table that succeeds and was not sent before, without its credential. */
export async function successfulRequest(
  organization: SampleOrganization,
  operationId: string,
): Promise<SuccessfulRequest> {
  const row = OPERATIONS[operationId]!;
  const parts = await row.request(organization);
  const { json, key = organization.managementKey } = parts;
  return { method: row.method, path: pathWith(row, parts), key, ...(json && { json }) };
}

/** Makes a sample organization, and for every operation a request that succeeds. */
export async function completeOrganization(app: TestApplication): Promise<CompleteOrganization> {
  const organization = await sampleOrganization(app);
  const requests: Record<string, SuccessfulRequest> = {};
  for (const operationId of Object.keys(OPERATIONS)) {
    requests[operationId] = await successfulRequest(organization, operationId);
  }
  return { ...organization, requests };
}
