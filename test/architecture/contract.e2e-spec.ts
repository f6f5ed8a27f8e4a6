import { contractRequests, requestDifferences } from '../support/contract/contract-requests.js';
import { interfaceOf } from '../support/openapi/described-operations.js';
import { OPERATIONS } from '../operations/operations.js';
import { filledBefore } from '../support/application/filled-before.js';
import { sharedApplication } from '../support/application/shared-application.js';
import { DECIDED, isOfOpenBody } from './request-differences.js';
import { NEVER_ANSWERED } from './unanswered-statuses.js';

const contract = contractRequests();

describe('the public contract', () => {
  const app = sharedApplication();
  const api = filledBefore(beforeAll, () => interfaceOf(app.application));

  it('has every operation under the same name, method, path and success status', () => {
    const shared = api.operations.filter(({ operationId }) => OPERATIONS[operationId]?.isBeyondContract !== true);
    for (const { operationId, method, path, answers } of shared) {
      const theirs = contract.operations.get(operationId);
      expect({ operationId, method, path }).toEqual({ operationId, method: theirs?.method, path: theirs?.path });
      expect([...answers.keys()].filter((status) => status < 300)).toEqual([theirs!.success]);
    }
  });

  it('documents every error status of the contract for every operation, but for those that it never answers', () => {
    const missing = api.operations.flatMap(({ operationId, answers }) => {
      const statuses = [...(contract.operations.get(operationId)?.answers.keys() ?? [])];
      const errors = statuses.filter(
        (status) => status >= 400 && NEVER_ANSWERED[operationId]?.[0].includes(status) !== true,
      );
      return errors.filter((status) => !answers.has(status)).map((status) => `${operationId} ${status}`);
    });
    expect(missing).toEqual([]);
  });

  it('has the same form of requests for every operation, with the listed exceptions', () => {
    const differences = Object.fromEntries(
      api.operations.flatMap((operation) => {
        const theirs = contract.operations.get(operation.operationId);
        if (theirs === undefined) return [];
        const all = requestDifferences(contract, theirs, api, operation);
        // Whatever files may configure takes it (docs/configuration.md#owners).
        const ofInterface = all.filter((difference) => !difference.startsWith('query override '));
        const found = ofInterface.filter((difference) => !isOfOpenBody(operation.operationId, difference));
        return found.length === 0 ? [] : [[operation.operationId, found]];
      }),
    );

    const decided = Object.entries(DECIDED).map(
      ([operationId, decisions]) => [operationId, decisions.map(([difference]) => difference).sort()] as const,
    );
    expect(differences).toEqual(Object.fromEntries(decided));
  });
});
