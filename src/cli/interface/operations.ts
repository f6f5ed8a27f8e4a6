import type {
  AuditEvent,
  ExportAuditEventsQuery,
  ListAuditEventsQuery,
  ListAuditEventsResponse,
} from '../../modules/audit/dto/audit-event.dto.js';
import type {
  ApplyConfigurationRequest,
  ApplyConfigurationResponse,
  ExportConfigurationQuery,
  ExportConfigurationResponse,
  PlanConfigurationRequest,
  PlanConfigurationResponse,
} from '../../modules/configuration/dto/configuration.dto.js';
import type { EvaluateGuardrailRequest } from '../../modules/inference/evaluation/dto/evaluate-guardrail-request.dto.js';
import type { GuardrailEvaluation } from '../../modules/inference/evaluation/dto/guardrail-evaluation.dto.js';
import type { CurrentKeyResponse } from '../../modules/keys/keys.service.js';
import type {
  CreateManagementKeyRequest,
  IssuedManagementKeyResponse,
} from '../../modules/keys/management-keys/management-key.dto.js';
import type { TransferKeyRequest, TransferredKeysResponse } from '../../modules/keys/transfer/key-transfer.dto.js';
import type {
  ListOrganizationMembersQuery,
  ListOrganizationMembersResponse,
} from '../../modules/organizations/dto/organization-member.dto.js';
import type {
  CreateOrganizationMemberRequest,
  ErasedOrganizationMemberResponse,
  OrganizationMemberResponse,
  UpdateOrganizationMemberRequest,
} from '../../modules/organizations/members/member.dto.js';
import type {
  ConnectProviderRequest,
  ConnectProviderResponse,
  DisconnectProviderResponse,
  ListProviderConnectionsResponse,
  TestProviderConnectionResponse,
} from '../../modules/providers/operator-connections/operator-connections.dto.js';
import type {
  CreateProvisioningTokenRequest,
  IssuedProvisioningTokenResponse,
  ListProvisioningTokensResponse,
  RevokeProvisioningTokenResponse,
} from '../../modules/scim/dto/provisioning-token.dto.js';

/** An operation of the interface: what it is sent, and what it answers. */
export interface InterfaceOperation<Sent extends SentParts, Answer> {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  /** With the names of its parts, as `{id}`. */
  readonly path: string;
  /** Of the compiler alone. */
  readonly types?: { readonly sent: Sent; readonly answer: Answer };
}

/** What a request has besides the operation. */
export interface SentParts {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: object;
  readonly body?: object;
}

interface OfId {
  readonly path: { readonly id: string };
}

interface OfProvider {
  readonly path: { readonly provider: string };
}

function operation<Answer, Sent extends SentParts = object>(
  method: InterfaceOperation<Sent, Answer>['method'],
  path: string,
): InterfaceOperation<Sent, Answer> {
  return { method, path };
}

/** The operations that commands call, by their ids in the document of the interface. A command without one here works on the database alone. */
export const OPERATIONS = {
  getCurrentKey: operation<CurrentKeyResponse>('GET', '/key'),

  planConfiguration: operation<PlanConfigurationResponse, { body: PlanConfigurationRequest }>(
    'POST',
    '/configuration/plan',
  ),
  applyConfiguration: operation<ApplyConfigurationResponse, { body: ApplyConfigurationRequest }>(
    'POST',
    '/configuration/apply',
  ),
  exportConfiguration: operation<ExportConfigurationResponse, { query: ExportConfigurationQuery }>(
    'GET',
    '/configuration/export',
  ),

  evaluateGuardrail: operation<{ data: GuardrailEvaluation }, OfId & { body: EvaluateGuardrailRequest }>(
    'POST',
    '/guardrails/{id}/evaluate',
  ),

  createOrganizationMember: operation<OrganizationMemberResponse, { body: CreateOrganizationMemberRequest }>(
    'POST',
    '/organization/members',
  ),
  listOrganizationMembers: operation<ListOrganizationMembersResponse, { query: ListOrganizationMembersQuery }>(
    'GET',
    '/organization/members',
  ),
  getOrganizationMember: operation<OrganizationMemberResponse, OfId>('GET', '/organization/members/{id}'),
  updateOrganizationMember: operation<OrganizationMemberResponse, OfId & { body: UpdateOrganizationMemberRequest }>(
    'PATCH',
    '/organization/members/{id}',
  ),
  transferMemberKeys: operation<TransferredKeysResponse, OfId & { query: object; body: TransferKeyRequest }>(
    'POST',
    '/organization/members/{id}/transfer-keys',
  ),
  eraseOrganizationMember: operation<ErasedOrganizationMemberResponse, OfId>(
    'POST',
    '/organization/members/{id}/erase',
  ),

  createManagementKey: operation<IssuedManagementKeyResponse, { body: CreateManagementKeyRequest }>(
    'POST',
    '/management-keys',
  ),

  listAuditEvents: operation<ListAuditEventsResponse, { query: ListAuditEventsQuery }>('GET', '/audit-events'),
  exportAuditEvents: operation<AuditEvent, { query: ExportAuditEventsQuery }>('GET', '/audit-events/export'),

  createProvisioningToken: operation<IssuedProvisioningTokenResponse, { body: CreateProvisioningTokenRequest }>(
    'POST',
    '/scim/tokens',
  ),
  listProvisioningTokens: operation<ListProvisioningTokensResponse>('GET', '/scim/tokens'),
  revokeProvisioningToken: operation<RevokeProvisioningTokenResponse, OfId>('DELETE', '/scim/tokens/{id}'),

  connectProvider: operation<ConnectProviderResponse, OfProvider & { body: ConnectProviderRequest }>(
    'PUT',
    '/provider-connections/{provider}',
  ),
  listProviderConnections: operation<ListProviderConnectionsResponse, { query: object }>(
    'GET',
    '/provider-connections',
  ),
  testProviderConnection: operation<TestProviderConnectionResponse, OfProvider>(
    'POST',
    '/provider-connections/{provider}/test',
  ),
  disconnectProvider: operation<DisconnectProviderResponse, OfProvider>('DELETE', '/provider-connections/{provider}'),
};

export type Operations = typeof OPERATIONS;

/** What a request of an operation has. */
export type SentOf<Name extends keyof Operations> =
  Operations[Name] extends InterfaceOperation<infer Sent, unknown> ? Sent : never;

/** What an operation answers. */
export type AnswerOf<Name extends keyof Operations> =
  Operations[Name] extends InterfaceOperation<SentOf<Name>, infer Answer> ? Answer : never;

/** The operations that answer pages of a list. */
export type PagedOperation = {
  [Name in keyof Operations]: AnswerOf<Name> extends { data: unknown[]; total_count: number } ? Name : never;
}[keyof Operations];

/** An item of a list that has pages. */
export type ItemOf<Name extends PagedOperation> =
  AnswerOf<Name> extends { data: (infer Item)[]; total_count: number } ? Item : never;

/** What chooses items of such a list, besides the page. */
export type FilterOf<Name extends PagedOperation> =
  SentOf<Name> extends { query: infer Query } ? Omit<Query, 'offset' | 'limit'> : never;
