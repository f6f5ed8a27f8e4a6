import type { LongWork } from '../../../../concurrency/long-work.js';
import type { ChatCompletion } from '../../../providers/chat-completion.js';
import type { AnswerForm, AnswerOrigin } from '../../answer/answer-form.js';
import { answerHead } from '../../answer/answer-head.js';
import type { AnswerUsage } from '../../answer/usage.js';
import type { CompletionRequest } from '../dto/completion-request.dto.js';
import { sentPromptOf } from '../request/chat-request.js';
import { StreamedText } from './streamed-text.js';
import { TextChoice } from './text-choice.js';

/** The form in which one completion is answered (docs/interface/completions.md#answers). */
export function textForm({ echo }: CompletionRequest): AnswerForm {
  const openingOf = ({ body }: AnswerOrigin): string => (echo === true ? sentPromptOf(body) : '');
  return {
    whole: async (origin, completion, usage, work) =>
      wholeText(origin, await choicesOf(completion, openingOf(origin), work), completion, usage),
    stream: (origin) => new StreamedText(origin, openingOf(origin)),
  };
}

function wholeText(
  { draft, candidate, routing }: AnswerOrigin,
  choices: readonly object[],
  { serviceTier, systemFingerprint }: ChatCompletion,
  usage: AnswerUsage,
): object {
  return {
    ...answerHead(draft, candidate, 'text_completion'),
    ...(systemFingerprint !== null && { system_fingerprint: systemFingerprint }),
    ...(serviceTier !== null && { service_tier: serviceTier }),
    choices,
    usage,
    ...routing(),
  };
}

async function choicesOf({ choices }: ChatCompletion, opening: string, work: LongWork): Promise<object[]> {
  const written: object[] = [];
  for (const [position, { index, message, ...choice }] of choices.entries()) {
    const text = new TextChoice(index, position === 0 ? opening : '');
    written.push(await text.writeWhole({ ...choice, text: message.content }, work));
  }
  return written;
}
