import { isObject } from '../../../../api/validation/constraints.js';
import type { ToolArgumentsReader } from '../../../providers/tool-arguments-reader.js';
import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import type { OfferedTool } from '../request/offered-tools.js';
import { CallItem } from './call-item.js';
import type { ItemPlace, ItemStatus } from './response-event.js';

/**
 * A tool that the model calls with a text. The model writes the text into the arguments of a function, as JSON, so that it is
 * only known, and only sent, when the call is whole.
 */
export class CustomCallItem extends CallItem {
  /** The input; empty until the call is complete. */
  private input = '';

  /** Begins with what is known of a call. @param toolArguments reads the arguments of all calls of the answer */
  constructor(
    place: ItemPlace,
    call: ToolCallDelta,
    private readonly called: OfferedTool,
    private readonly toolArguments: ToolArgumentsReader,
  ) {
    super(place, call);
  }

  shown(status: ItemStatus): object {
    const { callId, called, input } = this;
    const { namespace, tool } = called;
    return {
      id: this.place.id,
      type: 'custom_tool_call',
      status,
      call_id: callId,
      name: tool.name,
      ...(namespace !== undefined && { namespace }),
      input,
    };
  }

  close(): void {
    const input = this.readInput();
    this.input = input;
    const { id, index, emit } = this.place;
    const shared = { item_id: id, output_index: index };
    if (input !== '') emit({ type: 'response.custom_tool_call_input.delta', ...shared, delta: input });
    emit({ type: 'response.custom_tool_call_input.done', ...shared, input });
  }

  /** Arguments that have another form, or are beyond the bounds, are the text themselves. */
  private readInput(): string {
    const value = this.toolArguments.parse(this.arguments);
    return isObject(value) && typeof value.input === 'string' ? value.input : this.arguments;
  }
}
