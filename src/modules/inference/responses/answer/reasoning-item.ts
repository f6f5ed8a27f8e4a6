import { type ReasoningDetail, textOfDetails } from '../reasoning-text.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** What a model thinks: one block of it. */
export class ReasoningItem implements OutputItem {
  private text = '';
  private summary = '';
  /** In order; the pieces of a text are one. */
  private readonly details: Record<string, unknown>[] = [];

  /** @param isCarriedWhole whether the caller wants to have in one text what it has to hand back */
  constructor(
    private readonly place: ItemPlace,
    private readonly isCarriedWhole: boolean,
  ) {}

  /** Whether a detail belongs to the same block: it has the same index, and no signature has ended the block. */
  takes({ type, index }: ReasoningDetail): boolean {
    const last = this.details.at(-1);
    if (last === undefined) return true;
    return last['index'] === index && !(type === 'reasoning.text' && typeof last['signature'] === 'string');
  }

  /** Adds to a text without details. */
  addText(delta: string): void {
    if (this.text === '') this.emit('response.content_part.added', { content_index: 0, part: reasoningText('') });
    this.text += delta;
    this.emit('response.reasoning_text.delta', { content_index: 0, delta });
  }

  addDetail(detail: ReasoningDetail): void {
    const { text, summary } = detail;
    if (isText(text)) this.addText(text);
    if (isText(summary)) this.addSummary(summary);
    this.keep(detail);
  }

  shown(status: ItemStatus): object {
    const { text, summary, details } = this;
    const encrypted = this.encryptedContent();
    const format = details.find((detail) => isText(detail['format']))?.['format'];
    const signature = details.find((detail) => isText(detail['signature']))?.['signature'];
    return {
      id: this.place.id,
      type: 'reasoning',
      status,
      summary: summary === '' ? [] : [summaryText(summary)],
      ...(text !== '' && { content: [reasoningText(text)] }),
      ...(format !== undefined && { format }),
      ...(signature !== undefined && { signature }),
      ...(encrypted !== undefined && { encrypted_content: encrypted }),
    };
  }

  close(): void {
    const { text, summary } = this;
    if (summary !== '') {
      this.emit('response.reasoning_summary_text.done', { summary_index: 0, text: summary });
      this.emit('response.reasoning_summary_part.done', { summary_index: 0, part: summaryText(summary) });
    }
    if (text !== '') {
      this.emit('response.reasoning_text.done', { content_index: 0, text });
      this.emit('response.content_part.done', { content_index: 0, part: reasoningText(text) });
    }
  }

  private addSummary(delta: string): void {
    if (this.summary === '') {
      this.emit('response.reasoning_summary_part.added', { summary_index: 0, part: summaryText('') });
    }
    this.summary += delta;
    this.emit('response.reasoning_summary_text.delta', { summary_index: 0, delta });
  }

  /** The details as one text, for details that only the provider can read; signed details too, if the caller asks for it. */
  private encryptedContent(): string | undefined {
    const { details } = this;
    const isEncrypted = details.some(({ type }) => type === 'reasoning.encrypted');
    const isSigned = details.some(({ signature }) => isText(signature));
    return isEncrypted || (isSigned && this.isCarriedWhole) ? textOfDetails(details) : undefined;
  }

  private keep(detail: ReasoningDetail): void {
    const last = this.details.at(-1);
    if (last === undefined || last['type'] !== detail['type'] || detail['type'] === 'reasoning.encrypted') {
      this.details.push({ ...detail });
      return;
    }
    for (const [name, value] of Object.entries(detail)) {
      const isPiece = (name === 'text' || name === 'summary') && isText(value) && isText(last[name]);
      last[name] = isPiece ? `${String(last[name])}${value}` : value;
    }
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, ...fields });
  }
}

function reasoningText(text: string): object {
  return { type: 'reasoning_text', text };
}

function summaryText(text: string): object {
  return { type: 'summary_text', text };
}

function isText(value: unknown): value is string {
  return typeof value === 'string' && value !== '';
}
