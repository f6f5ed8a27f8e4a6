import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { endReplay, newReplay } from '../support/resources/replays.js';
import { MANAGEMENT_KEYS, type OperationRows, otherId, type RequestParts, withoutIds } from './operation-row.js';
import type { SampleOrganization } from './sample-organization.js';

const SPAN = { from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' };

/** Begins a replay when no other runs. */
async function beginning(organization: SampleOrganization, id: string): Promise<RequestParts> {
  await endReplay(organization.app, organization);
  return { path: { id }, json: SPAN };
}

/** The operations of replays. */
export const REPLAYS: OperationRows = {
  replayGuardrail: {
    method: 'POST',
    path: '/guardrails/{id}/replay',
    callers: MANAGEMENT_KEYS,
    permission: 'guardrails_read',
    decidesIdentity: false,
    success: 202,
    errors: [400, 403, 404, 409, 429],
    auditActions: ['replay.create'],
    insertsInto: 'replay_jobs',
    isBeyondContract: true,
    request: (organization) => beginning(organization, organization.guardrailId),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: SPAN }), theirs.guardrailId, UNKNOWN_UUID),
    }),
  },
  replayLimit: {
    method: 'POST',
    path: '/limits/{id}/replay',
    callers: MANAGEMENT_KEYS,
    permission: 'limits_read',
    decidesIdentity: false,
    success: 202,
    errors: [400, 404, 409],
    auditActions: ['replay.create'],
    insertsInto: 'replay_jobs',
    isBeyondContract: true,
    request: (organization) => beginning(organization, organization.limitId),
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id }, json: SPAN }), theirs.limitId, UNKNOWN_UUID),
    }),
  },
  listReplays: {
    method: 'GET',
    path: '/replays',
    callers: MANAGEMENT_KEYS,
    permission: 'usage_read',
    success: 200,
    errors: [400],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  getReplay: {
    method: 'GET',
    path: '/replays/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'usage_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newReplay(organization.app, organization, 'failed') } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return { 'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID) };
    },
  },
  cancelReplay: {
    method: 'DELETE',
    path: '/replays/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'usage_write',
    decidesIdentity: false,
    success: 200,
    errors: [404],
    auditActions: ['replay.cancel'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newReplay(organization.app, organization) } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return { 'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID) };
    },
  },
};
