import type { ChatChunk, ChatChunkChoice } from '../../../providers/chat-completion.js';
import { ProviderError } from '../../../providers/provider-error.js';
import type { AnswerOrigin, StreamedForm } from '../../answer/answer-form.js';
import type { StreamEvent } from '../../answer/event-stream.js';
import type { AnswerUsage } from '../../answer/usage.js';
import { BlockWriter } from './block-writer.js';
import { errorEvent } from './message-error.js';
import { messageHead } from './message-head.js';
import { chargedMessageUsage, messageUsage } from './message-usage.js';
import { stopFields } from './stop-fields.js';

/** Writes one stream of events of the Messages form from the chunks of a chat (docs/interface/messages.md#streams). */
export class StreamedMessage implements StreamedForm {
  private hasStarted = false;
  private ended: ChatChunkChoice | undefined;
  private readonly blocks = new BlockWriter();

  constructor(private readonly origin: AnswerOrigin) {}

  /** The calls and arguments that wait, and the text of their events. */
  get keptBytes(): number {
    return 2 * this.blocks.keptLength;
  }

  /** The form has one answer, so that only the first choice counts. @throws ProviderError for calls in disorder */
  chunk(chunk: ChatChunk): readonly StreamEvent[] {
    const events = this.start(chunk);
    for (const choice of chunk.choices) {
      if (choice.index !== 0) continue;
      // Not spread: a provider may send very many calls at once.
      for (const event of this.blocks.write(choice.delta)) events.push(event);
      if (choice.finish_reason !== null) this.ended = choice;
    }
    return events;
  }

  end(usage: AnswerUsage, serviceTier: string | null): readonly StreamEvent[] {
    // The form has no stop reason for an answer that the provider gave up.
    if (this.ended?.finish_reason === 'error') {
      return this.failure(new ProviderError('invalid', 'The provider gave up.'));
    }
    const delta = { ...stopFields(this.ended), container: null };
    return [
      ...this.blocks.finish(),
      {
        event: 'message_delta',
        data: { type: 'message_delta', delta, usage: chargedMessageUsage(usage, serviceTier) },
      },
      { event: 'message_stop', data: { type: 'message_stop', ...this.origin.routing() } },
    ];
  }

  failure(error: unknown): readonly StreamEvent[] {
    return [errorEvent(error, this.origin)];
  }

  /** What is known of the usage at the beginning stands in the first event; the last one has it all. */
  private start({ usage, serviceTier }: ChatChunk): StreamEvent[] {
    if (this.hasStarted) return [];
    this.hasStarted = true;
    const message = messageHead(this.origin, messageUsage(usage ?? null, serviceTier ?? null));
    return [{ event: 'message_start', data: { type: 'message_start', message } }];
  }
}
