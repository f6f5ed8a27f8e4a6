import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import type { CalledTools } from './called-tools.js';
import { CallItem } from './call-item.js';
import type { ItemPlace, ItemStatus } from './response-event.js';

/** A function that the model calls. */
export class FunctionCallItem extends CallItem {
  private name: string;

  /** Begins with what is known of a call. @param tools of the request */
  constructor(
    place: ItemPlace,
    call: ToolCallDelta,
    private readonly tools: CalledTools,
  ) {
    super(place, call);
    this.name = call.function?.name ?? '';
  }

  override add(call: ToolCallDelta): void {
    // A few providers send the name after the beginning.
    if (this.name === '') this.name = call.function?.name ?? '';
    const delta = call.function?.arguments ?? '';
    if (delta === '') return;
    super.add(call);
    this.emit('response.function_call_arguments.delta', { delta });
  }

  shown(status: ItemStatus): object {
    const { callId, arguments: text } = this;
    const called = this.tools.get(this.name);
    return {
      id: this.place.id,
      type: 'function_call',
      status,
      call_id: callId,
      name: called?.tool.name ?? this.name,
      ...(called?.namespace !== undefined && { namespace: called.namespace }),
      arguments: text,
    };
  }

  close(): void {
    this.emit('response.function_call_arguments.done', {
      name: this.tools.get(this.name)?.tool.name ?? this.name,
      arguments: this.arguments,
    });
  }

  private emit(type: string, fields: object): void {
    const { id, index, emit } = this.place;
    emit({ type, item_id: id, output_index: index, ...fields });
  }
}
