import type { Candidate } from '../attempts/candidate.js';
import type { GenerationDraft } from '../generation-draft.js';

/** The beginning of an answer. */
interface AnswerHead {
  readonly id: string;
  readonly object: 'chat.completion' | 'chat.completion.chunk' | 'text_completion';
  /** The time in seconds since 1970. */
  readonly created: number;
  readonly model: string;
  readonly provider: string;
}

/** The fields with which an answer, and every chunk of one, begins: the provider's own id and name of the model are in none. */
export function answerHead(
  { id, created }: GenerationDraft,
  { model, endpoint }: Candidate,
  object: AnswerHead['object'],
): AnswerHead {
  return { id, object, created, model: model.row.id, provider: endpoint.provider.name };
}
