import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import type { CalledTools } from './called-tools.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** A function that the model calls. */
export class FunctionCallItem implements OutputItem {
  private readonly callId: string;
  private name: string;
  private arguments = '';

  /** Begins with what is known of a call. @param tools of the request */
  constructor(
    private readonly place: ItemPlace,
    call: ToolCallDelta,
    private readonly tools: CalledTools,
  ) {
    this.callId = callIdOf(call, place);
    this.name = call.function?.name ?? '';
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

/** The id of a call; one of which the provider has none gets one. */
export function callIdOf({ id }: ToolCallDelta, place: ItemPlace): string {
  return id === undefined || id === '' ? `call_${place.id}` : id;
}
