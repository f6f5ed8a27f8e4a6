import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** A function that the model calls. */
export class FunctionCallItem implements OutputItem {
  private readonly callId: string;
  private name: string;
  private arguments = '';

  /** Begins with what is known of a call; one of which the provider has no id gets one. */
  constructor(
    private readonly place: ItemPlace,
    { id, function: called }: ToolCallDelta,
  ) {
    this.callId = id === undefined || id === '' ? `call_${place.id}` : id;
    this.name = called?.name ?? '';
  }

  add({ function: called }: ToolCallDelta): void {
    // A few providers send the name behind the beginning.
    if (this.name === '') this.name = called?.name ?? '';
    const delta = called?.arguments ?? '';
    if (delta === '') return;
    this.arguments += delta;
    this.emit('response.function_call_arguments.delta', { delta });
  }

  shown(status: ItemStatus): object {
    const { callId, name, arguments: text } = this;
    return { id: this.place.id, type: 'function_call', status, call_id: callId, name, arguments: text };
  }

  close(): void {
    this.emit('response.function_call_arguments.done', { name: this.name, arguments: this.arguments });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, ...fields });
  }
}
