import { haveOpaqueState, KeptDetails, type ReasoningDetail, textOfDetails } from '../../carried-reasoning.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** What a model thinks: one block of it. */
export class ReasoningItem implements OutputItem {
  private text = '';
  private summary = '';
  private readonly kept = new KeptDetails();

  /** @param isCarriedWhole whether the caller wants to have in one text what it has to hand back */
  constructor(
    private readonly place: ItemPlace,
    private readonly isCarriedWhole: boolean,
  ) {}

  /** Whether a detail belongs to the same block: it has the same index, and no signature has ended the block. */
  takes({ type, index }: ReasoningDetail): boolean {
    const last = this.kept.all.at(-1);
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
    this.kept.add(detail);
  }

  shown(status: ItemStatus): object {
    const { text, summary, kept } = this;
    const details = kept.all;
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

  /**
   * What has to be handed back, as one text: details that only the provider can read, and if the caller asks for it signed details
   * and plain text too.
   */
  private encryptedContent(): string | undefined {
    const { kept, isCarriedWhole, text } = this;
    if (kept.all.some(({ type }) => type === 'reasoning.encrypted')) return kept.carried;
    if (!isCarriedWhole) return undefined;
    if (haveOpaqueState(kept.all)) return kept.carried;
    return text === '' ? undefined : textOfDetails([{ type: 'reasoning.text', text }]);
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
