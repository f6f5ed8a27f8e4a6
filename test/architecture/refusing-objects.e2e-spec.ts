import { readFileSync } from 'node:fs';
import {
  FINDS,
  type RefusedRecord,
  refusingObjectsOf,
  whyNoObject,
  WITHOUT_OBJECT,
} from '../../packages/console/src/pages/requests/refusing-objects.js';
import { DeclaredRoutes } from '../../src/auth/declared-routes.js';
import type { ErrorKind } from '../../src/http/errors/domain-error.js';
import {
  AdministratorRequired,
  ClientAddressNotAllowed,
  CredentialKindNotAllowed,
  CrossSiteRequest,
  PermissionMissing,
} from '../../src/http/errors/request.errors.js';
import { operationOf } from '../../src/http/openapi/operation.decorator.js';
import { REFUSALS_OF_EVERY_OPERATION } from '../../src/modules/inference/inference.errors.js';
import { RECORDED_OPERATION_METADATA } from '../../src/modules/inference/pipeline/refusals/early-refusals.service.js';
import { McpController } from '../../src/modules/mcp/mcp.controller.js';
import { McpOriginNotAllowed, McpServerUnknown } from '../../src/modules/mcp/mcp.errors.js';
import { TestApplication } from '../support/application/test-application.js';

/**
 * Refusals of which there is no record: it is not known yet whose key it is, or what a client of MCP asks of which server; and those of
 * operations that keys of inference need no permission for.
 */
const UNRECORDED: readonly ErrorKind[] = [
  ClientAddressNotAllowed,
  CredentialKindNotAllowed,
  CrossSiteRequest,
  McpOriginNotAllowed,
  McpServerUnknown,
  PermissionMissing,
  AdministratorRequired,
];

/** Of records that no request waits for any more (docs/budgets.md#when-a-replica-dies). */
const OF_DEAD_REPLICAS = 'reservation_expired';

/** A record that says all that one can say of a refusal, but for the limit that refused it. */
const RECORD: RefusedRecord = {
  refusal: null,
  workspace_id: 'workspace',
  key_hash: 'hash',
  requested_model: 'acme/writer',
  limited_by: null,
  refusing_guardrail_ids: ['rules'],
  exclusions: [{ reason: 'allowed_models', guardrail_ids: ['excluding'] }],
  guardrail_actions: [
    { action: 'block', guardrail_ids: ['filtering'] },
    { action: 'redact', guardrail_ids: ['redacting'] },
  ],
  inspector_actions: [
    { inspector_id: 'judge', name: 'Judge', outcome: 'blocked' },
    { inspector_id: 'observer', name: 'Observer', outcome: 'blocked', observed: true },
  ],
  attempts: [{ provider_name: 'Alpha Cloud' }],
  mcp: { server: 'github', server_id: 'server' },
};

/** A record of an older release, whose key and workspace are there still. */
const OLDER: RefusedRecord = {
  refusal: null,
  workspace_id: 'workspace',
  key_hash: 'hash',
  requested_model: '',
  limited_by: null,
  guardrail_actions: [],
  attempts: [],
  mcp: { server: 'github' },
};

/** The addresses of the pages of the console, as patterns. */
function pagePatterns(): readonly RegExp[] {
  const source = readFileSync('packages/console/src/pages/index.ts', 'utf8');
  const patterns: RegExp[] = [];
  let parent = '';
  for (const [, page, below] of source.matchAll(/path: '([^']+)'|'(\/[^']*)': loaded/g)) {
    parent = page ?? parent;
    const path = `${parent}${page === undefined ? below : ''}`.replace(/:\w+/g, '[^/]+');
    patterns.push(new RegExp(`^${path}$`));
  }
  return patterns;
}

describe('the page of a refused request', () => {
  /** Every reason that a record of a request with a key can have, but for those of single fields. */
  const reasonsOfRecords = async (): Promise<readonly string[]> => {
    const app = await TestApplication.start();
    const routes = app.application.get(DeclaredRoutes, { strict: false }).all();
    await app.stop();
    const recorded = routes.filter(
      ({ handler, controllerClass }) =>
        Reflect.hasMetadata(RECORDED_OPERATION_METADATA, handler) || controllerClass === McpController,
    );
    const errors = [
      ...recorded.flatMap(({ handler }) => operationOf(handler)?.errors ?? []),
      ...REFUSALS_OF_EVERY_OPERATION,
    ];
    const unrecorded = UNRECORDED.map(({ reason }) => reason);
    const reasons = errors.filter(({ status, reason }) => status !== 401 && !unrecorded.includes(reason));
    return [...new Set([...reasons.map(({ reason }) => reason), OF_DEAD_REPLICAS])].sort();
  };

  it('leads to what refused it, or says why there is no object, for every reason that there is, and for no other', async () => {
    const reasons = await reasonsOfRecords();
    expect(reasons.length).toBeGreaterThan(40);
    expect([...Object.keys(FINDS), ...Object.keys(WITHOUT_OBJECT)].sort()).toEqual(reasons);
  });

  it.each(Object.keys(FINDS))('has links to pages that there are, also of an older record: %s', (refusal) => {
    const patterns = pagePatterns();
    for (const record of [RECORD, OLDER]) {
      const objects = refusingObjectsOf({ ...record, refusal });
      expect(objects).not.toEqual([]);
      for (const { page } of objects) {
        expect(patterns.filter((pattern) => pattern.test(page.replace(/\?.*/, '')))).not.toEqual([]);
      }
    }
    expect(whyNoObject({ refusal, status: 400 })).toBeUndefined();
  });

  it('names the limit, of each subject, and the guardrails and inspectors that refused, not those that only observed', () => {
    const pagesOf = (refusal: string, changed: Partial<RefusedRecord> = {}): readonly string[] =>
      refusingObjectsOf({ ...RECORD, refusal, ...changed }).map(({ page }) => page);
    const limited = (limit: RefusedRecord['limited_by']): readonly string[] =>
      pagesOf('insufficient_budget', { limited_by: limit });
    expect(limited({ subject: 'limit', id: 'a' })).toEqual(['/limits/a']);
    expect(limited({ subject: 'guardrail', id: 'a' })).toEqual(['/guardrails/a']);
    expect(limited({ subject: 'guardrail' })).toEqual(['/guardrails?workspace=workspace']);
    expect(limited({ subject: 'key' })).toEqual(['/keys/hash']);
    expect(limited({ subject: 'workspace' })).toEqual(['/budgets?workspace=workspace']);
    expect(pagesOf('content_blocked')).toEqual(['/guardrails/filtering', '/inspectors/judge']);
    const failed = [{ inspector_id: 'judge', name: 'Judge', outcome: 'failed' }];
    expect(pagesOf('content_blocked', { inspector_actions: failed })).toEqual(['/guardrails/filtering']);
    const unfiltered = { inspector_actions: failed, guardrail_actions: [] };
    expect(pagesOf('content_analyzer_unavailable', unfiltered)).toEqual(['/inspectors/judge']);
    expect(pagesOf('data_region_not_allowed')).toEqual(['/guardrails/rules']);
    expect(pagesOf('mcp_tool_not_found')).toEqual(['/guardrails/rules', '/mcp-servers/server']);
    expect(pagesOf('no_endpoints')).toEqual(['/guardrails/excluding']);
    expect(pagesOf('provider_unavailable')).toEqual(['/providers?search=Alpha%20Cloud']);
  });

  it('says of a field that is wrong that the request is at fault', () => {
    expect(whyNoObject({ refusal: 'unknown_model', status: 400 })).toBe(WITHOUT_OBJECT['invalid_parameters']);
    expect(whyNoObject({ refusal: 'not_yet_there', status: 403 })).toBeUndefined();
  });
});
