import { policyIdOf, policyReferenceOf } from '../../src/modules/federation/policies/policy-id.js';
import { newUuid } from '../../src/persistence/identifiers.js';
import { UNKNOWN_UUID } from '../support/expectations/formats.js';
import { AUDIENCE, newIssuer, newPolicy, SUBJECT } from '../support/resources/federation.js';
import type { Tenant } from '../support/resources/tenant.js';
import {
  MANAGEMENT_KEYS,
  type OperationRows,
  otherId,
  type OtherOrganizationCases,
  type RequestParts,
  withoutIds,
} from './operation-row.js';

const ISSUER = { name: 'Issuer', issuer: 'https://issuer.example.com', jwks: { type: 'discovery' } };

const POLICY = { name: 'Policy', subject: SUBJECT, audience: AUDIENCE };

/** Operations on one issuer with another organization's. @param json what the request has besides */
function otherIssuer(theirs: Tenant, json?: Record<string, unknown>): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ path: { id }, ...(json && { json }) });
  return {
    'by id': otherId(404, byId, theirs.issuerId, UNKNOWN_UUID),
    'by id in capitals': otherId(404, byId, theirs.issuerId.toUpperCase(), UNKNOWN_UUID),
    'by the id of something else': otherId(404, byId, theirs.workspaceId, UNKNOWN_UUID),
  };
}

/** Requests for the policy of another organization; ids of policies state their organization. */
function otherPolicy(ours: Tenant, theirs: Tenant, json?: Record<string, unknown>): OtherOrganizationCases {
  const byId = (id: string): RequestParts => ({ path: { id }, ...(json && { json }) });
  const unknown = policyIdOf({ organizationId: ours.organizationId, id: newUuid() });
  const { id: rowOfTheirs } = policyReferenceOf(theirs.policyId)!;
  const asOurs = policyIdOf({ organizationId: ours.organizationId, id: rowOfTheirs });
  return {
    'by id': otherId(404, byId, theirs.policyId, unknown),
    'by id, with our organization in it': otherId(404, byId, asOurs, unknown),
    'by the id of its row': otherId(404, byId, rowOfTheirs, UNKNOWN_UUID),
  };
}

/** The operations of issuers and policies. Those of the exchange itself take no credential, and have no row. */
export const FEDERATION: OperationRows = {
  createFederationIssuer: {
    method: 'POST',
    path: '/federation/issuers',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403],
    auditActions: ['federation_issuer.create'],
    insertsInto: 'federation_issuers',
    isBeyondContract: true,
    request: () => ({ json: ISSUER }),
    otherOrganization: () => ({
      'without an id': {
        status: 400,
        theirs: { json: { ...ISSUER, name: '' } },
        missing: { json: { ...ISSUER, name: '' } },
      },
    }),
  },
  createFederationPolicy: {
    method: 'POST',
    path: '/federation/policies',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_write',
    decidesIdentity: true,
    success: 201,
    errors: [400, 403],
    auditActions: ['federation_policy.create'],
    insertsInto: 'federation_policies',
    isBeyondContract: true,
    request: ({ issuerId, apiKeyHash }) => ({ json: { ...POLICY, issuer_id: issuerId, key_hash: apiKeyHash } }),
    otherOrganization: (ours, theirs) => {
      const ofIssuer = (id: string): RequestParts => ({
        json: { ...POLICY, issuer_id: id, key_hash: ours.apiKeyHash },
      });
      const asKey = (hash: string): RequestParts => ({ json: { ...POLICY, issuer_id: ours.issuerId, key_hash: hash } });
      return {
        'of an issuer': otherId(400, ofIssuer, theirs.issuerId, UNKNOWN_UUID),
        'as a key': otherId(400, asKey, theirs.apiKeyHash, '0'.repeat(64)),
        'as a management key': otherId(400, asKey, theirs.managementKeyHash, '0'.repeat(64)),
      };
    },
  },
  deleteFederationIssuer: {
    method: 'DELETE',
    path: '/federation/issuers/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_write',
    decidesIdentity: true,
    success: 200,
    errors: [403, 404, 409],
    auditActions: ['federation_issuer.delete'],
    isBeyondContract: true,
    request: async (organization) => ({ path: { id: await newIssuer(organization.app, organization) } }),
    otherOrganization: (_, theirs) => otherIssuer(theirs),
  },
  deleteFederationPolicy: {
    method: 'DELETE',
    path: '/federation/policies/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_write',
    decidesIdentity: true,
    success: 200,
    errors: [403, 404],
    auditActions: ['federation_policy.delete'],
    isBeyondContract: true,
    request: async (organization) => {
      const { app, issuerId: issuer_id, apiKeyHash: key_hash } = organization;
      return { path: { id: await newPolicy(app, organization, { issuer_id, key_hash }) } };
    },
    otherOrganization: (ours, theirs) => otherPolicy(ours, theirs),
  },
  getFederationIssuer: {
    method: 'GET',
    path: '/federation/issuers/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_read',
    success: 200,
    errors: [403, 404],
    isBeyondContract: true,
    request: ({ issuerId: id }) => ({ path: { id } }),
    otherOrganization: (_, theirs) => otherIssuer(theirs),
  },
  getFederationPolicy: {
    method: 'GET',
    path: '/federation/policies/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_read',
    success: 200,
    errors: [403, 404],
    isBeyondContract: true,
    request: ({ policyId: id }) => ({ path: { id } }),
    otherOrganization: (ours, theirs) => otherPolicy(ours, theirs),
  },
  listFederationIssuers: {
    method: 'GET',
    path: '/federation/issuers',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_read',
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  listFederationPolicies: {
    method: 'GET',
    path: '/federation/policies',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_read',
    success: 200,
    errors: [400, 403],
    isBeyondContract: true,
    request: () => ({}),
    otherOrganization: () => withoutIds(),
  },
  updateFederationIssuer: {
    method: 'PATCH',
    path: '/federation/issuers/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_write',
    decidesIdentity: true,
    success: 200,
    errors: [400, 403, 404],
    auditActions: ['federation_issuer.update'],
    isBeyondContract: true,
    request: ({ issuerId: id }) => ({ path: { id }, json: { name: 'Renamed' } }),
    otherOrganization: (_, theirs) => otherIssuer(theirs, { name: 'Intruder' }),
  },
  updateFederationPolicy: {
    method: 'PATCH',
    path: '/federation/policies/{id}',
    callers: MANAGEMENT_KEYS,
    permission: 'federation_write',
    decidesIdentity: true,
    success: 200,
    errors: [400, 403, 404],
    auditActions: ['federation_policy.update'],
    isBeyondContract: true,
    request: ({ policyId: id }) => ({ path: { id }, json: { name: 'Renamed' } }),
    otherOrganization: (ours, theirs) => {
      const asKey = (key_hash: string): RequestParts => ({ path: { id: ours.policyId }, json: { key_hash } });
      return {
        ...otherPolicy(ours, theirs, { name: 'Intruder' }),
        'as a key': otherId(400, asKey, theirs.apiKeyHash, '0'.repeat(64)),
      };
    },
  },
};
