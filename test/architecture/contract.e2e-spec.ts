import { contractRequests, requestDifferences } from '../support/contract-requests.js';
import { type Interface, interfaceOf } from '../support/operations.js';
import { TestApplication } from '../support/test-application.js';

type Decision = readonly [difference: string, reason: string];

const NO_NULL_OFFSET: Decision = [
  'query offset type: integer, null -> integer',
  'DECISIONS.md, 1: "query `offset` (integer >= 0, default 0)"; a query has no null, and "Not an integer, ... or empty: 400".',
];

const SEGMENT = 'RFC 3986: a segment of a path that is empty makes another path, which leads nowhere.';

/** Where requests differ from the contract's on purpose, and what decides so. */
const DECIDED: Readonly<Record<string, readonly Decision[]>> = {
  createAuthKeysCode: [
    [
      'body.code_challenge maxLength: nothing -> 128',
      'RFC 7636, 4.2: a plain challenge is a verifier, of 43 to 128 characters.',
    ],
    [
      'body.code_challenge minLength: nothing -> 43',
      'RFC 7636, 4.2: a plain challenge is a verifier, of 43 to 128 characters.',
    ],
    [
      'body.code_challenge pattern: nothing -> ^[A-Za-z0-9._~-]+$',
      'RFC 7636, 4.2: a challenge is made of unreserved characters.',
    ],
    ['body.limit minimum: nothing -> 0', 'DECISIONS.md, 4, of a spending limit: "a finite number >= 0".'],
    ['body.user_id required: nothing -> false', 'DECISIONS.md, 4: "`user_id` optional, default the key\'s own user".'],
    ['body.user_id type: nothing -> string', 'DECISIONS.md, 4: "`user_id` optional, default the key\'s own user".'],
  ],
  createGuardrail: [
    [
      'body.content_filter_builtins[].scan_scope default: nothing -> all_messages',
      'SERVICE.md, 2.2: "default all_messages".',
    ],
    [
      'body.content_filters[].pattern maxLength: nothing -> 100000',
      'DECISIONS.md, 4: "A pattern is at most 100,000 characters".',
    ],
    ['body.include_byok_in_budgets default: nothing -> false', 'SERVICE.md, 4.1: "default false".'],
    ['body.limit_usd minimum: nothing -> 0', 'DECISIONS.md, 4: "`limit_usd` is a finite number >= 0."'],
  ],
  createScimGroupMapping: [
    ['body.role default: nothing -> member', 'DECISIONS.md, 4: "`role` is admin or member, default member."'],
  ],
  deleteKeys: [['path hash minLength: nothing -> 1', SEGMENT]],
  exchangeAuthCodeForAPIKey: [
    ['body.code minLength: nothing -> 1', 'DECISIONS.md, 4: "Required: `code`."; an empty one is none.'],
  ],
  getModel: [
    ['path author minLength: nothing -> 1', SEGMENT],
    ['path slug minLength: nothing -> 1', SEGMENT],
  ],
  getObservabilityDestination: [
    [
      'path id format: uuid -> nothing',
      'DECISIONS.md, 4: "An id that is not a uuid: 404." A format would make it a 400.',
    ],
    ['path id minLength: nothing -> 1', SEGMENT],
  ],
  listGuardrails: [NO_NULL_OFFSET],
  listPresetVersions: [
    ['path slug maxLength: nothing -> 100', 'DECISIONS.md, 4: "A slug is `...`, at most 100; anything else is a 400."'],
    [
      'path slug pattern: nothing -> ^[a-z0-9]+(?:-[a-z0-9]+)*$',
      'DECISIONS.md, 4: "A slug is `^[a-z0-9]+(?:-[a-z0-9]+)*$`".',
    ],
    NO_NULL_OFFSET,
    [
      'query workspace_id format: nothing -> uuid',
      'DECISIONS.md, 4: "for a management key the default one or `workspace_id`".',
    ],
    [
      'query workspace_id required: nothing -> false',
      'DECISIONS.md, 4: "for a management key the default one or `workspace_id`".',
    ],
    [
      'query workspace_id type: nothing -> string',
      'DECISIONS.md, 4: "for a management key the default one or `workspace_id`".',
    ],
  ],
  listScimGroupMappings: [NO_NULL_OFFSET],
  listWorkspaceMembers: [NO_NULL_OFFSET],
};

const contract = contractRequests();

(contract === undefined ? describe.skip : describe)('the public contract', () => {
  let app: TestApplication;
  let api: Interface;

  beforeAll(async () => {
    app = await TestApplication.start();
    api = interfaceOf(app.application);
  });

  afterAll(() => app.stop());

  it('has every operation under the same name, method, path and status', () => {
    for (const { operationId, method, path, answers } of api.operations) {
      const theirs = contract!.operations.get(operationId);
      expect({ operationId, method, path }).toEqual({ operationId, method: theirs?.method, path: theirs?.path });
      expect([...answers.keys()].filter((status) => status < 300)).toEqual([theirs!.success]);
    }
  });

  it('has requests of the same form for every operation, but for what is decided otherwise', () => {
    const differences = Object.fromEntries(
      api.operations.flatMap((operation) => {
        const theirs = contract!.operations.get(operation.operationId)!;
        const found = requestDifferences(contract!, theirs, api, operation);
        return found.length === 0 ? [] : [[operation.operationId, found]];
      }),
    );

    const decided = Object.entries(DECIDED).map(
      ([operationId, decisions]) => [operationId, decisions.map(([difference]) => difference).sort()] as const,
    );
    expect(differences).toEqual(Object.fromEntries(decided));
  });
});
