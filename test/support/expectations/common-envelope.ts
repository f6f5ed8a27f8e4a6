import type { ErrorBody } from '../network/api-client.js';

/** An envelope in the Messages form. */
interface MessagesEnvelope extends ErrorBody {
  readonly type?: unknown;
  readonly request_id?: string | null;
  readonly error: ErrorBody['error'] & { readonly type?: unknown; readonly error_type?: unknown };
}

/**
 * The envelope of a failure as every operation has it: one in the Messages form has fields of its own besides
 * (docs/interface/messages.md#errors), which are checked here.
 */
export function commonEnvelopeOf(body: unknown): ErrorBody {
  const { type, request_id: generationId, error, ...envelope } = body as MessagesEnvelope;
  if (type === undefined) return body as ErrorBody;
  const { type: kind, error_type: word, ...common } = error;
  expect([type, kind, word]).toEqual(['error', expect.stringMatching(/_error$/), expect.stringMatching(/^[a-z_]+$/)]);
  expect(generationId ?? 'gen-').toMatch(/^gen-/);
  return { ...envelope, error: common };
}
