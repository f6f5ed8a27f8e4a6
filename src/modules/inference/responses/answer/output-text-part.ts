import { annotationOf } from './annotations.js';
import type { ItemPlace } from './response-event.js';

/** A part of a message of the model: what it says, or why it refuses. */
export interface MessagePart {
  shown(): object;
  close(): void;
}

/** What a model says. */
export class OutputTextPart implements MessagePart {
  private text = '';
  private readonly logprobs: unknown[] = [];
  private readonly annotations: object[] = [];

  /** @param contentIndex among the parts of the message, from 0 */
  constructor(
    private readonly place: ItemPlace,
    private readonly contentIndex: number,
  ) {}

  add(delta: string, logprobs: readonly unknown[]): void {
    this.text += delta;
    // Not spread: a provider may send very many at once.
    for (const logprob of logprobs) this.logprobs.push(logprob);
    this.emit('response.output_text.delta', { delta, logprobs });
  }

  annotate(given: unknown): void {
    const annotation = annotationOf(given);
    if (annotation === undefined) return;
    this.emit('response.output_text.annotation.added', { annotation, annotation_index: this.annotations.length });
    this.annotations.push(annotation);
  }

  shown(): object {
    const { text, annotations, logprobs } = this;
    return { type: 'output_text', text, annotations: [...annotations], logprobs: [...logprobs] };
  }

  close(): void {
    this.emit('response.output_text.done', { text: this.text, logprobs: [...this.logprobs] });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, content_index: this.contentIndex, ...fields });
  }
}

/** Why a model refuses to answer. */
export class RefusalPart implements MessagePart {
  private refusal = '';

  /** @param contentIndex among the parts of the message, from 0 */
  constructor(
    private readonly place: ItemPlace,
    private readonly contentIndex: number,
  ) {}

  add(delta: string): void {
    this.refusal += delta;
    this.emit('response.refusal.delta', { delta });
  }

  shown(): object {
    return { type: 'refusal', refusal: this.refusal };
  }

  close(): void {
    this.emit('response.refusal.done', { refusal: this.refusal });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, content_index: this.contentIndex, ...fields });
  }
}
