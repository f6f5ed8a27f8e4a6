import type { ChatChoice } from '../../codecs/chat/chat-completion.js';
import type { AnswerFilters } from '../../content/answers/answer-filters.js';
import type { AnswerInspection } from '../../content/answers/answer-inspection.js';
import { DomainError } from '../../../http/errors/domain-error.js';
import { TooManyContentScans } from '../../content/content.errors.js';
import type { HeldSlot } from '../../../http/request-limits/request-slots.js';
import type { CompiledPolicy } from '../pipeline/policy/compiled-policies.js';
import { shownRefusalOf } from '../pipeline/answer/filters/answer-filtering.js';
import { filteredChoices } from '../pipeline/answer/filters/filtered-message.js';
import type { AnswerToEvaluate, EvaluatedAnswer } from './dto/evaluated-answer.dto.js';
import type { RedactedText } from './dto/evaluated-content.dto.js';
import { toEvaluatedFilter } from './evaluated-content.mapper.js';
import { messageOf } from './refused-step.js';

/** What an answer is tried with, beside its policy. */
interface AnswerMeans {
  readonly slot: HeldSlot;
  readonly signal: AbortSignal;
}

const NOTHING_DONE: EvaluatedAnswer = {
  outcome: 'passed',
  reason: null,
  message: null,
  filters: [],
  redacted_texts: [],
};

/**
 * What the filters of answers of a policy would make of an answer in one piece (docs/interface/guardrails.md#trying-an-answer).
 *
 * @throws TooManyContentScans
 * @throws the reason of the signal
 */
export async function evaluatedAnswer(
  { answers }: Pick<CompiledPolicy, 'answers'>,
  answer: AnswerToEvaluate,
  { slot, signal }: AnswerMeans,
): Promise<EvaluatedAnswer> {
  if (answers.isEmpty) return NOTHING_DONE;
  const inspection = answers.inspection(signal);
  try {
    // An analyzer or a classifier may take long.
    const redacted = await slot.without(() => redactedTexts(answer, inspection));
    return {
      ...found(answers, inspection),
      outcome: redacted.length > 0 ? 'redacted' : 'passed',
      redacted_texts: redacted,
    };
  } catch (error) {
    const refusal = shownRefusalOf(error);
    if (!(refusal instanceof DomainError) || refusal instanceof TooManyContentScans) throw error;
    return { ...found(answers, inspection), outcome: 'blocked', reason: refusal.reason, message: messageOf(refusal) };
  }
}

function found(answers: AnswerFilters, { findings }: AnswerInspection): EvaluatedAnswer {
  const filters = findings.map((finding) => ({ ...toEvaluatedFilter(finding), place: finding.place! }));
  return { ...NOTHING_DONE, filters, ...(answers.holdsWholeText && { holds_whole_text: true }) };
}

async function redactedTexts(answer: AnswerToEvaluate, inspection: AnswerInspection): Promise<RedactedText[]> {
  const choice = choiceOf(answer);
  const [filtered] = await filteredChoices([choice], inspection, false);
  const before = textsOf(choice);
  return [...textsOf(filtered!)].flatMap(([path, text]) => (text === before.get(path) ? [] : [{ path, text }]));
}

/** An answer as providers give one. */
function choiceOf({ content, reasoning, refusal, tool_calls: calls }: AnswerToEvaluate): ChatChoice {
  const tools = calls?.map((call, index) => ({
    id: `call_${index}`,
    type: 'function' as const,
    function: { ...call },
  }));
  return {
    index: 0,
    message: {
      role: 'assistant',
      content: content ?? null,
      ...(reasoning !== undefined && { reasoning }),
      ...(refusal !== undefined && { refusal }),
      ...(tools && { tool_calls: tools }),
    },
    finish_reason: 'stop',
    native_finish_reason: null,
  };
}

/** The texts of an answer, by their places in what is tried. */
function textsOf({
  message: { content, reasoning, refusal, tool_calls: calls = [] },
}: ChatChoice): Map<string, string> {
  const said = Object.entries({ content, reasoning, refusal });
  const called = calls.flatMap((call, index): [string, unknown][] =>
    Object.entries(call.function).map(([field, value]) => [`tool_calls[${index}].${field}`, value]),
  );
  return new Map([...said, ...called].filter((entry): entry is [string, string] => typeof entry[1] === 'string'));
}
