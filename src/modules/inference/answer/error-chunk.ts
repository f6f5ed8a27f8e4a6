import { errorTypeOf } from '../../../api/errors/error-type.js';
import type { Candidate } from '../attempts/candidate.js';
import type { GenerationDraft } from '../generation-draft.js';
import { answerHead } from './answer-head.js';
import { shownErrorOf } from './shown-error.js';

/** What clients go by in the last chunk of a stream that cannot be completed. */
interface ErrorChunk {
  readonly error: { readonly code: number; readonly message: string; readonly metadata: object };
  readonly choices: readonly object[];
}

/** The chunk that ends a stream which cannot be completed. What went wrong at the provider, or within the gateway, it does not say. */
export function errorChunk(draft: GenerationDraft, candidate: Candidate, error: unknown): ErrorChunk {
  const { status, message } = shownErrorOf(error);
  return {
    ...answerHead(draft, candidate, 'chat.completion.chunk'),
    error: { code: status, message, metadata: { error_type: errorTypeOf(status) } },
    choices: [{ index: 0, delta: { content: '' }, finish_reason: 'error', native_finish_reason: null }],
  };
}
