import type { Pool } from 'pg';
import type { Environment } from '../../src/config/environment.js';
import { newUuid } from '../../src/persistence/identifiers.js';
import { toPage } from '../../src/persistence/page-statement.js';
import { toPageResponse } from '../../src/http/pagination/pagination.js';
import { PERMISSIONS } from '../../src/auth/permissions.js';
import { auditEventOf, COMMAND_LINE } from '../../src/modules/audit/audit-trail.js';
import { toModelResponse } from '../../src/modules/catalog/catalog.mapper.js';
import { type AuditedEvent, created } from '../../src/modules/audit/audited-event.js';
import { CURRENT_KEY } from '../../src/modules/guardrails/effective-policy/current-key.repository.js';
import { implicitDefaultGuardrail, toAuditedFields } from '../../src/modules/guardrails/guardrail-settings.js';
import { toGuardrailResponse } from '../../src/modules/guardrails/guardrails.mapper.js';
import { GUARDRAILS, GUARDRAILS_PAGE } from '../../src/modules/guardrails/guardrails.repository.js';
import {
  CODE_BY_HASH,
  REDEEM_CODE,
  redemptionValues,
} from '../../src/modules/oauth/codes/authorization-codes.repository.js';
import { DEFAULT_KEYS_LIMIT } from '../../src/modules/keys/dto/key.dto.js';
import { readAuthorizationCode } from '../../src/modules/keys/credentials/key-format.js';
import { toCurrentKeyResponse, toKeyResponse } from '../../src/modules/keys/keys.mapper.js';
import { DELETE_KEY, KEYS_PAGE } from '../../src/modules/keys/keys.repository.js';
import { newKeyRow } from '../../src/modules/keys/new-key.js';
import { ConfigCipher } from '../../src/modules/observability/encrypted-configs.js';
import { toDestinationResponse } from '../../src/modules/observability/observability.mapper.js';
import { DESTINATION_BY_ID } from '../../src/modules/observability/observability.repository.js';
import { SCIM_ENABLED } from '../../src/modules/organizations/organizations.repository.js';
import { toPresetVersionResponse } from '../../src/modules/presets/presets.mapper.js';
import { PRESET_VERSIONS_PAGE } from '../../src/modules/presets/presets.repository.js';
import { toAuditedMapping, toMappingResponse } from '../../src/modules/scim/scim.mapper.js';
import {
  INSERT_SCIM_MAPPING,
  type NewMappingRow,
  SCIM_MAPPINGS_PAGE,
} from '../../src/modules/scim/scim-group-mappings.repository.js';
import { budgetTargetId, toMemberResponse } from '../../src/modules/workspaces/workspaces.mapper.js';
import type { BudgetInterval } from '../../src/modules/workspaces/budgets/budget-interval.js';
import { DELETE_WORKSPACE_BUDGET } from '../../src/modules/workspaces/budgets/workspace-budgets.repository.js';
import {
  DEFAULT_WORKSPACE_ID,
  WORKSPACE_BY_SLUG,
  WORKSPACE_MEMBERS_PAGE,
} from '../../src/modules/workspaces/workspaces.repository.js';
import { BASE_PATH, BENCH_ENCRYPTION_KEY } from '../support/constants.js';
import { getModels, listImageModels, modelOf } from './models.js';
import { rows } from './rows.js';

/** What an operation of the floor works with. */
export interface FloorRequest {
  readonly pool: Pool;
  readonly organizationId: string;
  readonly credentialId: string;
  readonly url: string;
  /** Trusted as it comes. */
  readonly body: Readonly<Record<string, never>>;
}

/** An operation of the floor. */
export interface FloorOperation {
  readonly method: string;
  readonly path: RegExp;
  readonly status: number;
  readonly hasBody?: true;
  answer(request: FloorRequest): Promise<object>;
}

const FIRST_PAGE = [50, 0] as const;

const cipher = new ConfigCipher({ encryptionKeys: [BENCH_ENCRYPTION_KEY] } as unknown as Environment);

const OPERATIONS: readonly FloorOperation[] = [
  { method: 'POST', path: /^\/guardrails$/, status: 201, hasBody: true, answer: createGuardrail },
  { method: 'GET', path: /^\/guardrails$/, status: 200, answer: listGuardrails },
  { method: 'GET', path: /^\/guardrails\//, status: 200, answer: getGuardrail },
  { method: 'GET', path: /^\/key$/, status: 200, answer: getCurrentKey },
  { method: 'GET', path: /^\/keys$/, status: 200, answer: listKeys },
  { method: 'GET', path: /^\/models$/, status: 200, answer: ({ pool }) => getModels(pool) },
  { method: 'POST', path: /^\/auth\/keys$/, status: 200, hasBody: true, answer: exchangeAuthCode },
  { method: 'DELETE', path: /^\/keys\//, status: 200, answer: deleteKey },
  { method: 'POST', path: /^\/scim\/group-mappings$/, status: 200, hasBody: true, answer: createMapping },
  { method: 'GET', path: /^\/scim\/group-mappings$/, status: 200, answer: listMappings },
  { method: 'GET', path: /^\/images\/models$/, status: 200, answer: ({ pool }) => listImageModels(pool) },
  { method: 'GET', path: /^\/model\//, status: 200, answer: getModel },
  { method: 'GET', path: /^\/presets\//, status: 200, answer: listPresetVersions },
  { method: 'GET', path: /^\/workspaces\//, status: 200, answer: listMembers },
  { method: 'GET', path: /^\/observability\//, status: 200, answer: getDestination },
  { method: 'DELETE', path: /^\/workspaces\//, status: 200, answer: deleteBudget },
];

/** The operation of a request. */
export function operationOf(method: string, url: string): FloorOperation | undefined {
  const path = url.slice(BASE_PATH.length);
  return OPERATIONS.find((operation) => operation.method === method && operation.path.test(path));
}

/** The n-th part of the path behind the prefix. */
function part(url: string, index: number): string {
  return url.slice(BASE_PATH.length).split('/')[index] ?? '';
}

/** An event as the service records it, but for whom it names: the floor keeps no principals. */
function recorded(organizationId: string, event: AuditedEvent): ReturnType<typeof auditEventOf> {
  return auditEventOf(organizationId, COMMAND_LINE, event);
}

async function createGuardrail({ pool, organizationId, body }: FloorRequest): Promise<object> {
  const [workspace] = await rows(pool, DEFAULT_WORKSPACE_ID, [organizationId]);
  const { createdAt: _, ...defaults } = implicitDefaultGuardrail({
    id: workspace!.id,
    organizationId,
    createdAt: new Date(0),
  });
  const guardrail = {
    ...defaults,
    id: newUuid(),
    name: body['name']!,
    description: body['description'] ?? null,
    limitUsd: body['limit_usd'] ?? null,
    resetInterval: body['reset_interval'] ?? null,
  };
  const event = recorded(organizationId, {
    action: 'guardrail.create',
    targetId: guardrail.id,
    changes: created(toAuditedFields(guardrail)),
  });
  const { insertion } = GUARDRAILS;
  if (!insertion.isRecorded) throw new TypeError('A guardrail is inserted and recorded by one statement');
  const [found] = await rows(pool, insertion.statement, insertion.statement.values(guardrail, event));
  return { data: toGuardrailResponse({ ...guardrail, ...found! }, false) };
}

async function listGuardrails({ pool, organizationId }: FloorRequest): Promise<object> {
  const found = await rows(pool, GUARDRAILS_PAGE, [organizationId, null, ...FIRST_PAGE]);
  return toPageResponse(toPage(found), (guardrail) => toGuardrailResponse(guardrail, false));
}

async function getGuardrail({ pool, organizationId, url }: FloorRequest): Promise<object> {
  const [guardrail] = await rows(pool, GUARDRAILS.findStatement, [organizationId, part(url, 2)]);
  return { data: toGuardrailResponse(guardrail!, false) };
}

async function getCurrentKey({ pool, organizationId, credentialId }: FloorRequest): Promise<object> {
  const [key] = await rows(pool, CURRENT_KEY, [organizationId, credentialId]);
  return { data: toCurrentKeyResponse(key!, PERMISSIONS) };
}

async function listKeys({ pool, organizationId }: FloorRequest): Promise<object> {
  const found = await rows(pool, KEYS_PAGE, [organizationId, false, DEFAULT_KEYS_LIMIT, 0]);
  return { data: found.map((key) => toKeyResponse(key, null)) };
}

async function exchangeAuthCode({ pool, body }: FloorRequest): Promise<object> {
  const { organizationId, hash } = readAuthorizationCode(body['code']!)!;
  const [code] = await rows(pool, CODE_BY_HASH, [organizationId!, hash]);
  const { row, plaintext } = newKeyRow({
    kind: 'api_key',
    organizationId: code!.organizationId,
    userId: code!.userId,
    name: code!.keyLabel ?? '',
  });
  await rows(pool, REDEEM_CODE, redemptionValues(code!.id, row, COMMAND_LINE));
  return { key: plaintext, user_id: code!.userId };
}

async function deleteKey({ pool, organizationId, url }: FloorRequest): Promise<object> {
  const event = recorded(organizationId, { action: 'key.delete' });
  await rows(
    pool,
    DELETE_KEY,
    DELETE_KEY.values([organizationId, Buffer.from(part(url, 2), 'hex'), null, null, false, null], event),
  );
  return { deleted: true };
}

async function createMapping({ pool, organizationId, body }: FloorRequest): Promise<object> {
  await rows(pool, SCIM_ENABLED, [organizationId]);
  const mapping: NewMappingRow = {
    id: newUuid(),
    organizationId,
    scimGroupId: body['scim_group_id']!,
    workspaceId: body['workspace_id']!,
    role: 'member',
  };
  const event = recorded(organizationId, {
    action: 'scim_group_mapping.create',
    targetId: mapping.id,
    changes: created(toAuditedMapping(mapping)),
  });
  const values = INSERT_SCIM_MAPPING.values(mapping, event);
  const [found] = await rows(pool, INSERT_SCIM_MAPPING, values);
  return { data: toMappingResponse({ ...mapping, ...found! }) };
}

async function listMappings({ pool, organizationId }: FloorRequest): Promise<object> {
  await rows(pool, SCIM_ENABLED, [organizationId]);
  return toPageResponse(
    toPage(await rows(pool, SCIM_MAPPINGS_PAGE, [organizationId, ...FIRST_PAGE])),
    toMappingResponse,
  );
}

async function getModel({ pool, url }: FloorRequest): Promise<object> {
  const name = `${part(url, 2)}/${part(url, 3)}`;
  return { data: toModelResponse(await modelOf(pool, name), BASE_PATH) };
}

async function listPresetVersions({ pool, organizationId, url }: FloorRequest): Promise<object> {
  const found = await rows(pool, PRESET_VERSIONS_PAGE, [organizationId, null, part(url, 2), ...FIRST_PAGE]);
  return toPageResponse(toPage(found), toPresetVersionResponse);
}

async function listMembers({ pool, organizationId, url }: FloorRequest): Promise<object> {
  const [workspace] = await rows(pool, WORKSPACE_BY_SLUG, [organizationId, part(url, 2)]);
  return toPageResponse(
    toPage(await rows(pool, WORKSPACE_MEMBERS_PAGE, [organizationId, workspace!.id, ...FIRST_PAGE])),
    toMemberResponse,
  );
}

async function getDestination({ pool, organizationId, url }: FloorRequest): Promise<object> {
  const [destination] = await rows(pool, DESTINATION_BY_ID, [organizationId, part(url, 3)]);
  const config = cipher.decrypt(destination!, destination!.encryptedConfig);
  return { data: toDestinationResponse(destination!, config, 'active') };
}

async function deleteBudget({ pool, organizationId, url }: FloorRequest): Promise<object> {
  const [workspace] = await rows(pool, WORKSPACE_BY_SLUG, [organizationId, part(url, 2)]);
  const [id, interval] = [workspace!.id, part(url, 4) as BudgetInterval];
  const targetId = budgetTargetId(id, interval);
  const event = recorded(organizationId, { action: 'workspace_budget.delete', targetId });
  await rows(pool, DELETE_WORKSPACE_BUDGET, DELETE_WORKSPACE_BUDGET.values([organizationId, id, interval], event));
  return { deleted: true };
}
