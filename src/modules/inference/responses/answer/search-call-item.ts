import { isObject } from '../../../../api/validation/constraints.js';
import type { CalledJson } from '../../../providers/called-json.js';
import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import { callIdOf } from './function-call-item.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** A search for tools, which the caller runs. Its arguments are an object, so that they are only known when the call is whole. */
export class SearchCallItem implements OutputItem {
  private readonly callId: string;
  private arguments = '';
  /** Empty until the call is whole. */
  private query: unknown = {};

  /** Begins with what is known of a call. @param json reads the arguments of all calls of the answer */
  constructor(
    private readonly place: ItemPlace,
    call: ToolCallDelta,
    private readonly json: CalledJson,
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
      arguments: this.query,
    };
  }

  /** Arguments that are no object, or beyond the bounds, are handed to the caller as the text that they are. */
  close(): void {
    const value = this.json.parsed(this.arguments);
    // The form has no events for it.
    this.query = isObject(value) ? value : this.arguments;
  }
}
