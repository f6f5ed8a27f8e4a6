import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';
import { type MessagePart, OutputTextPart, RefusalPart } from './output-text-part.js';

/** A message of the model. */
export class MessageItem implements OutputItem {
  private readonly parts: MessagePart[] = [];

  constructor(private readonly place: ItemPlace) {}

  addText(delta: string, logprobs: readonly unknown[]): void {
    this.textPart().add(delta, logprobs);
  }

  annotate(annotation: unknown): void {
    this.textPart().annotate(annotation);
  }

  addRefusal(delta: string): void {
    const open = this.parts.at(-1);
    const part = open instanceof RefusalPart ? open : this.begin(new RefusalPart(this.place, this.parts.length));
    part.add(delta);
  }

  shown(status: ItemStatus): object {
    const content = this.parts.map((part) => part.shown());
    return { id: this.place.id, type: 'message', status, role: 'assistant', content };
  }

  close(): void {
    const open = this.parts.at(-1);
    if (open === undefined) return;
    open.close();
    this.emit('response.content_part.done', open, this.parts.length - 1);
  }

  private textPart(): OutputTextPart {
    const open = this.parts.at(-1);
    return open instanceof OutputTextPart ? open : this.begin(new OutputTextPart(this.place, this.parts.length));
  }

  private begin<Part extends MessagePart>(part: Part): Part {
    this.close();
    this.emit('response.content_part.added', part, this.parts.length);
    this.parts.push(part);
    return part;
  }

  private emit(type: string, part: MessagePart, contentIndex: number): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, content_index: contentIndex, part: part.shown() });
  }
}
