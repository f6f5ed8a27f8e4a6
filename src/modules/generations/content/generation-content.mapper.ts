import type { GenerationEntity } from '../entities/generation.entity.js';
import type { ProviderAttempt } from '../generation-details.js';
import type { GenerationContentError, GenerationContentData } from './generation-content.dto.js';
import type { GenerationContent } from './generation-content.js';

/** The code of an attempt that had no answer, in the words of HTTP: Bad Gateway. */
const NO_ANSWER = 502;

/** A content as the interface shows it (docs/interface/generations.md#content). */
export function toContentResponse(
  { details: { attempts } }: Pick<GenerationEntity, 'details'>,
  { input, output, error }: GenerationContent,
): GenerationContentData {
  return {
    input,
    output: { completion: output.completion, reasoning: output.reasoning },
    error: error === null ? null : toContentError(error, attempts),
  };
}

function toContentError(
  { status, message }: NonNullable<GenerationContent['error']>,
  attempts: readonly ProviderAttempt[],
): GenerationContentError {
  const failed = attempts.filter((attempt) => attempt.status !== 200);
  return {
    status,
    message,
    provider_name: attempts.at(-1)?.providerName ?? null,
    raw: null,
    previous_errors: failed.map((attempt) => ({
      code: attempt.status ?? NO_ANSWER,
      message: attempt.status === null ? 'The provider did not answer.' : `The provider answered ${attempt.status}.`,
      provider_name: attempt.providerName,
      raw: null,
    })),
  };
}
