import { isObject } from '../../../../api/validation/constraints.js';
import type { ToolArgumentsReader } from '../../../providers/tool-arguments-reader.js';
import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import { CallItem } from './call-item.js';
import type { ItemPlace, ItemStatus } from './response-event.js';

/** A search for tools, which the caller runs. Its arguments are an object, so that they are only known when the call is whole. */
export class SearchCallItem extends CallItem {
  /** The arguments; empty until the call is complete. */
  private query: unknown = {};

  /** Begins with what is known of a call. @param toolArguments reads the arguments of all calls of the answer */
  constructor(
    place: ItemPlace,
    call: ToolCallDelta,
    private readonly toolArguments: ToolArgumentsReader,
  ) {
    super(place, call);
  }

  shown(status: ItemStatus): object {
    return {
      id: this.place.id,
      type: 'tool_search_call',
      status,
      call_id: this.callId,
      execution: 'client',
      arguments: this.query,
    };
  }

  /** Arguments that are not an object, or exceed a bound, are given to the caller as a text. */
  close(): void {
    const value = this.toolArguments.parse(this.arguments);
    // The form has no events for a search.
    this.query = isObject(value) ? value : this.arguments;
  }
}
