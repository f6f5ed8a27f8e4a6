import { acceptedKey } from '../../operations/accepted-key.js';
import type { ErrorBody } from '../../support/network/api-client.js';
import { exchangeBytes } from '../../support/network/raw-connection.js';
import { LARGE_BODY, MEDIUM_BODY, bodyTooLarge } from '../../support/requests/malformed-bodies.js';
import { pathOf } from '../../support/openapi/described-operations.js';
import { expectRefusal } from '../../support/expectations/error-envelope.js';
import { expectNoSideEffects } from '../../support/expectations/no-side-effects.js';
import { requestBodies, MEBIBYTE } from './request-bodies.js';
import {
  INFERENCE_OPERATION_IDS,
  INFERENCE_OPERATIONS,
  PRESETS_OF_REQUESTS,
} from '../../operations/inference-operations.js';

/** How large bodies may be in bytes, where they may be larger than 16 KiB (docs/interface/conventions.md#bodies). */
const BODY_LIMITS_BY_OPERATION: Readonly<Record<string, number>> = {
  ...limitsOf(INFERENCE_OPERATION_IDS, 20 * MEBIBYTE),
  ...limitsOf(PRESETS_OF_REQUESTS, LARGE_BODY),
  ...limitsOf(['applyConfiguration', 'planConfiguration'], 8 * MEBIBYTE),
  authorizeMcpConnection: MEDIUM_BODY,
  bulkAssignKeysToGuardrail: LARGE_BODY,
  bulkAssignMembersToGuardrail: LARGE_BODY,
  bulkUnassignKeysFromGuardrail: LARGE_BODY,
  bulkUnassignMembersFromGuardrail: LARGE_BODY,
  connectProvider: LARGE_BODY,
  createConnectClient: MEDIUM_BODY,
  createFederationIssuer: MEDIUM_BODY,
  approveMcpTools: LARGE_BODY,
  createGuardrail: LARGE_BODY,
  createInspector: MEDIUM_BODY,
  createMcpConnection: MEDIUM_BODY,
  createMcpServer: MEDIUM_BODY,
  createObservabilityDestination: MEDIUM_BODY,
  createWorkspace: MEDIUM_BODY,
  evaluateGuardrail: 20 * MEBIBYTE,
  evaluateGuardrailDraft: 20 * MEBIBYTE,
  queryAnalytics: MEDIUM_BODY,
  replayGuardrail: LARGE_BODY,
  revokeMcpTools: LARGE_BODY,
  testInspector: LARGE_BODY,
  testNewObservabilityDestination: MEDIUM_BODY,
  updateFederationIssuer: MEDIUM_BODY,
  updateGuardrail: LARGE_BODY,
  updateInspector: MEDIUM_BODY,
  updateMcpServer: MEDIUM_BODY,
  updateObservabilityDestination: MEDIUM_BODY,
  updateWorkspace: MEDIUM_BODY,
};

/** What the document says of those that also take a form: the larger of the two limits. */
const FORM_LIMITS: Readonly<Record<string, number>> = Object.fromEntries(
  Object.entries(INFERENCE_OPERATIONS).flatMap(([id, { formLimitMib }]) =>
    formLimitMib === undefined ? [] : [[id, formLimitMib * MEBIBYTE]],
  ),
);

/** One limit for each of some operations. */
function limitsOf(operationIds: readonly string[], bytes: number): Record<string, number> {
  return Object.fromEntries(operationIds.map((id) => [id, bytes]));
}

describe('request bodies', () => {
  const { app, organization, keys, operationsWithBody } = requestBodies();

  describe('of a certain size', () => {
    const bodyOf = (bytes: number): string => '{"name":"sized"}'.padEnd(bytes, ' ');

    it('are answered 201 up to 1 MiB', async () => {
      const answer = await app.api.post('/guardrails', { key: organization.managementKey, raw: bodyOf(MEBIBYTE) });

      expect(answer.status).toBe(201);
    });

    it('are answered 413 from one byte more on', async () => {
      const answer = await app.api.post('/guardrails', {
        key: organization.managementKey,
        raw: bodyOf(MEBIBYTE + 1),
      });

      expectRefusal(answer, { ...bodyTooLarge(LARGE_BODY), userId: organization.userId });
    });

    it('are answered 413 without a Content-Length, and the connection takes the next request (400)', async () => {
      const chunk = `10000\r\n${' '.repeat(0x10000)}\r\n`;
      const head = (more: string): string =>
        `POST /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${organization.managementKey}\r\n` +
        `Content-Type: application/json\r\n${more}\r\n`;
      await expectNoSideEffects(app, async () => {
        const { answers } = await exchangeBytes(
          app.origin,
          [head('Transfer-Encoding: chunked\r\n'), ...Array<string>(32).fill(chunk), '0\r\n\r\n', head('')],
          2,
        );
        expectRefusal(answers[0]!, { ...bodyTooLarge(LARGE_BODY), userId: organization.userId });
        expect(answers[1]!.status).toBe(400);
      });
    });

    it('are answered 413 with limit_bytes one byte above the limit of their operation, with a Content-Length and in chunks', async () => {
      for (const operation of operationsWithBody()) {
        const limit = BODY_LIMITS_BY_OPERATION[operation.operationId] ?? 16_384;
        const head = (framing: string): string =>
          `${operation.method} /api/v1${pathOf(operation)} HTTP/1.1\r\nHost: x\r\n` +
          `Authorization: Bearer ${acceptedKey(operation.operationId, keys)}\r\nContent-Type: application/json\r\n${framing}\r\n\r\n`;
        // The bodies are not JSON, so no operation accepts one: a small enough one is read, and refused with malformed_json.
        const sized = (bytes: number): string => head(`Content-Length: ${bytes}`) + 'x'.repeat(bytes);
        const chunked = (bytes: number): string =>
          `${head('Transfer-Encoding: chunked')}${bytes.toString(16)}\r\n${'x'.repeat(bytes)}\r\n0\r\n\r\n`;
        for (const framed of [sized, chunked]) {
          const { answers } = await exchangeBytes(app.origin, [framed(limit), framed(limit + 1)], 2);
          const refusals = answers.map(({ status, body }) => [status, (body as ErrorBody).error.metadata]);
          expect([operation.operationId, ...refusals]).toEqual([
            operation.operationId,
            [400, expect.objectContaining({ reason: 'malformed_json' })],
            [413, expect.objectContaining({ reason: 'body_too_large', limit_bytes: limit })],
          ]);
        }
      }
    });

    it('have the limit that the OpenAPI document states', () => {
      for (const { operationId, bodyLimit } of operationsWithBody()) {
        expect([operationId, bodyLimit]).toEqual([
          operationId,
          FORM_LIMITS[operationId] ?? BODY_LIMITS_BY_OPERATION[operationId] ?? 16_384,
        ]);
      }
    });

    it('are answered 401 without a credential, before they are read', async () => {
      const answer = await app.api.post('/guardrails', { raw: bodyOf(2 * MEBIBYTE) });

      expectRefusal(answer, { status: 401, reason: 'missing_credential' });
    });
  });
});
