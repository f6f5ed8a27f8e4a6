import type { ErrorBody } from '../network/api-client.js';

/** An envelope in the Messages form, in that of Responses, or in that of OpenAI's other operations. */
interface FormedEnvelope extends ErrorBody {
  readonly type?: unknown;
  readonly request_id?: string | null;
  /** Of the Responses form. */
  readonly error_type?: string;
  readonly error: ErrorBody['error'] & {
    readonly type?: unknown;
    readonly error_type?: unknown;
    readonly param?: unknown;
  };
}

/**
 * The envelope of a failure as every operation has it: those of inference have fields of their own besides
 * (docs/interface/messages.md#errors, docs/interface/responses.md#errors, docs/interface/inference.md#errors-of-openai), which are checked here.
 */
export function commonEnvelopeOf(body: unknown): ErrorBody {
  const { type, request_id: generationId, error_type: top, error, ...envelope } = body as FormedEnvelope;
  if (top !== undefined) expect(top).toMatch(/^[a-z_]+$/);
  const { type: kind, error_type: word, param, ...common } = error;
  if (type === undefined) {
    if (param === undefined) return { ...envelope, error };
    expect([kind, param ?? '']).toEqual([expect.stringMatching(/_(error|quota)$/), expect.any(String)]);
    return { ...envelope, error: common };
  }
  expect([type, kind, word]).toEqual(['error', expect.stringMatching(/_error$/), expect.stringMatching(/^[a-z_]+$/)]);
  expect(generationId ?? 'gen-').toMatch(/^gen-/);
  return { ...envelope, error: common };
}
