import { isObject } from '../../../../api/validation/constraints.js';
import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import { callIdOf } from './function-call-item.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** A search for tools, which the caller runs. Its arguments are an object, so that they are only known when the call is whole. */
export class SearchCallItem implements OutputItem {
  private readonly callId: string;
  private arguments = '';

  constructor(
    private readonly place: ItemPlace,
    call: ToolCallDelta,
  ) {
    this.callId = callIdOf(call, place);
  }

  add({ function: called }: ToolCallDelta): void {
    this.arguments += called?.arguments ?? '';
  }

  shown(status: ItemStatus): object {
    return {
      id: this.place.id,
      type: 'tool_search_call',
      status,
      call_id: this.callId,
      execution: 'client',
      arguments: status === 'in_progress' ? {} : this.query,
    };
  }

  close(): void {
    // The form has no events for its arguments.
  }

  /** Arguments that are no object are handed to the caller as the text that they are. */
  private get query(): unknown {
    try {
      const value: unknown = JSON.parse(this.arguments);
      return isObject(value) ? value : this.arguments;
    } catch {
      return this.arguments;
    }
  }
}
