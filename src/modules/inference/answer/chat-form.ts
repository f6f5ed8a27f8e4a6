import type { ChatChunk, ChatChunkChoice, ChatCompletion } from '../../providers/chat-completion.js';
import { answerHead } from './answer-head.js';
import type { AnswerForm, AnswerOrigin, StreamedForm } from './answer-form.js';
import { errorChunk } from './error-chunk.js';
import type { StreamEvent } from './event-stream.js';
import { deltasWithoutReasoning, excludesReasoning, withoutReasoning } from './shown-reasoning.js';
import type { AnswerUsage } from './usage.js';

/** The last event of a complete stream. */
const DONE: StreamEvent = { data: '[DONE]' };

/** The form of `POST /chat/completions` (docs/interface/inference.md#streams). */
export const CHAT_FORM: AnswerForm = {
  whole({ draft, candidate, body, routing }: AnswerOrigin, completion: ChatCompletion, usage: AnswerUsage): object {
    const { choices, serviceTier, systemFingerprint } = completion;
    return {
      ...answerHead(draft, candidate, 'chat.completion'),
      system_fingerprint: systemFingerprint,
      ...(serviceTier !== null && { service_tier: serviceTier }),
      choices: excludesReasoning(body) ? withoutReasoning(choices) : choices,
      usage,
      ...routing(),
    };
  },

  stream(origin: AnswerOrigin): StreamedForm {
    return new StreamedChat(origin);
  },
};

/** Writes the chunks of one stream. */
class StreamedChat implements StreamedForm {
  private readonly head: object;
  private readonly shown: (choices: readonly ChatChunkChoice[]) => readonly ChatChunkChoice[];

  constructor(private readonly origin: AnswerOrigin) {
    this.head = answerHead(origin.draft, origin.candidate, 'chat.completion.chunk');
    this.shown = excludesReasoning(origin.body) ? deltasWithoutReasoning : (choices) => choices;
  }

  chunk({ choices }: ChatChunk): readonly StreamEvent[] {
    const shown = this.shown(choices);
    return shown.length === 0 ? [] : [{ data: { ...this.head, choices: shown } }];
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    const tier = serviceTier !== null && { service_tier: serviceTier };
    return [{ data: { ...this.head, choices: [], ...tier, usage, ...this.origin.routing() } }, DONE];
  }

  failure(error: unknown): readonly StreamEvent[] {
    const { draft, candidate, routing } = this.origin;
    const chunk = errorChunk(draft, candidate, error);
    return [{ data: chunk.error.code === 500 ? chunk : { ...chunk, ...routing() } }];
  }
}
