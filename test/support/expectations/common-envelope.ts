import type { ErrorBody } from '../network/api-client.js';

/** An envelope in the Messages form, or in that of Responses. */
interface FormedEnvelope extends ErrorBody {
  readonly type?: unknown;
  readonly request_id?: string | null;
  /** Of the Responses form. */
  readonly error_type?: string;
  readonly error: ErrorBody['error'] & { readonly type?: unknown; readonly error_type?: unknown };
}

/**
 * The envelope of a failure as every operation has it: one in the Messages form, or in that of Responses, has fields of its own
 * besides (docs/interface/messages.md#errors, docs/interface/responses.md#errors), which are checked here.
 */
export function commonEnvelopeOf(body: unknown): ErrorBody {
  const { type, request_id: generationId, error_type: top, error, ...envelope } = body as FormedEnvelope;
  if (top !== undefined) expect(top).toMatch(/^[a-z_]+$/);
  if (type === undefined) return { ...envelope, error };
  const { type: kind, error_type: word, ...common } = error;
  expect([type, kind, word]).toEqual(['error', expect.stringMatching(/_error$/), expect.stringMatching(/^[a-z_]+$/)]);
  expect(generationId ?? 'gen-').toMatch(/^gen-/);
  return { ...envelope, error: common };
}
