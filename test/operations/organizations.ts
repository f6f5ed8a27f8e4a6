import { newUuid } from '../../src/persistence/identifiers.js';
import { newKey } from '../support/resources/keys.js';
import { MemberStates } from '../support/resources/members.js';
import {
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type RequestParts,
  UNKNOWN_USER,
  withoutIds,
} from './operation-row.js';

const newEmail = (): string => `${newUuid()}@example.com`;

/** The operations of organizations. */
export const ORGANIZATIONS: OperationRows = {
  createOrganizationMember: {
    method: 'POST',
    path: '/organization/members',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_write',
    decidesIdentity: false,
    success: 201,
    errors: [400, 403, 409],
    auditActions: ['member.create'],
    insertsInto: 'organization_members',
    isBeyondContract: true,
    request: () => ({ json: { name: 'Ada Lovelace', email: newEmail(), role: 'org:member' } }),
    // An address is taken within its own organization alone.
    otherOrganization: (_, theirs) => ({
      'with the id of their member as address': otherId(
        400,
        (email) => ({ json: { name: '', email, role: 'org:member' } }),
        theirs.memberId,
        UNKNOWN_USER,
      ),
    }),
  },
  eraseOrganizationMember: {
    method: 'POST',
    path: '/organization/members/{id}/erase',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_write',
    decidesIdentity: false,
    success: 200,
    errors: [404, 409],
    auditActions: ['member.delete', 'member.erase'],
    isBeyondContract: true,
    request: async ({ app, organizationId }) => {
      const id = await app.factory.member(organizationId);
      await new MemberStates(app, () => organizationId).deactivate([id]);
      return { path: { id } };
    },
    otherOrganization: (_, theirs) => ({
      'by id': otherId(404, (id) => ({ path: { id } }), theirs.memberId, UNKNOWN_USER),
    }),
  },
  getOrganizationMember: {
    method: 'GET',
    path: '/organization/members/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_read',
    success: 200,
    errors: [404],
    isBeyondContract: true,
    request: ({ memberId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => {
      const byId = (id: string): RequestParts => ({ path: { id } });
      return {
        'by id': otherId(404, byId, theirs.memberId, UNKNOWN_USER),
        'by the id of their administrator': otherId(404, byId, theirs.userId, UNKNOWN_USER),
      };
    },
  },
  getOrganizationSettings: {
    method: 'GET',
    path: '/organization/settings',
    callers: MANAGEMENT_KEYS,
    permission: 'settings_read',
    success: 200,
    errors: [],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listOrganizationMembers: {
    method: 'GET',
    path: '/organization/members',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_read',
    success: 200,
    errors: [],
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  transferMemberKeys: {
    method: 'POST',
    path: '/organization/members/{id}/transfer-keys',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 404, 409],
    auditActions: ['key.transfer'],
    isBeyondContract: true,
    request: async ({ app, managementKey, organizationId, memberId }) => {
      const id = await app.factory.member(organizationId);
      await newKey(app, managementKey, { creator_user_id: id });
      return { path: { id }, json: { user_id: memberId } };
    },
    otherOrganization: (ours, theirs) => {
      const from = (id: string): RequestParts => ({ path: { id }, json: { user_id: ours.memberId } });
      const to = (id: string): RequestParts => ({ path: { id: ours.memberId }, json: { user_id: id } });
      return {
        'by id': otherId(404, from, theirs.memberId, UNKNOWN_USER),
        'to a member': otherId(400, to, theirs.memberId, UNKNOWN_USER),
      };
    },
  },
  updateOrganizationMember: {
    method: 'PATCH',
    path: '/organization/members/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'organization_members_write',
    decidesIdentity: false,
    success: 200,
    errors: [400, 403, 404, 409],
    auditActions: ['member.update'],
    isBeyondContract: true,
    request: async ({ app, organizationId }) => ({
      path: { id: await app.factory.member(organizationId) },
      json: { name: 'Renamed' },
    }),
    otherOrganization: (_, theirs) => {
      const changing = (id: string): RequestParts => ({ path: { id }, json: { status: 'deactivated' } });
      return { 'by id': otherId(404, changing, theirs.memberId, UNKNOWN_USER) };
    },
  },
  updateOrganizationSettings: {
    method: 'PATCH',
    path: '/organization/settings',
    callers: MANAGEMENT_KEYS,
    permission: 'settings_write',
    decidesIdentity: false,
    success: 200,
    errors: [400],
    auditActions: ['organization.update_settings'],
    isBeyondContract: true,
    request: async ({ app, organizationId }) => {
      const [setting] = await app.rows<{ keys: string }>(
        'SELECT keys_of_deactivated_members AS keys FROM organizations WHERE id = $1',
        [organizationId],
      );
      const json = { keys_of_deactivated_members: setting?.keys === 'suspend' ? 'keep_api_keys' : 'suspend' };
      return { json };
    },
    otherOrganization: () => withoutIds({ json: {} }),
  },
};
