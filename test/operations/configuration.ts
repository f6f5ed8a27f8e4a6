import { MANAGEMENT_KEYS, type OperationRows, withoutIds } from './operation-row.js';

/** A request with a file that has a guardrail which there is none of yet. */
function newGuardrail(): { json: Record<string, unknown> } {
  made += 1;
  const documents = [{ apiVersion: 'gatehouse/v1', owner: 'platform', guardrails: [{ name: `Of files ${made}` }] }];
  return { json: { files: [{ name: 'gatehouse.yaml', documents }] } };
}

let made = 0;

/** The operations of configuration by files. What they need besides follows from the files. */
export const CONFIGURATION: OperationRows = {
  planConfiguration: {
    method: 'POST',
    path: '/configuration/plan',
    callers: MANAGEMENT_KEYS,
    decidesIdentity: false,
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: newGuardrail,
    otherOrganization: () => withoutIds(newGuardrail()),
  },
  applyConfiguration: {
    method: 'POST',
    path: '/configuration/apply',
    callers: MANAGEMENT_KEYS,
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 409],
    auditActions: ['configuration.apply', 'guardrail.create'],
    isBeyondContract: true,
    request: newGuardrail,
    otherOrganization: () => ({
      'without an id': { status: 400, theirs: { json: { files: [] } }, missing: { json: { files: [] } } },
    }),
  },
  exportConfiguration: {
    method: 'GET',
    path: '/configuration/export',
    callers: MANAGEMENT_KEYS,
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listManagedObjects: {
    method: 'GET',
    path: '/configuration/objects',
    callers: MANAGEMENT_KEYS,
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
};
