import type { ToolArgumentsReader } from '../../../providers/tool-arguments-reader.js';
import type { ToolCallDelta } from '../../../providers/chat-completion.js';
import type { ItemPlace, ItemStatus, OutputItem } from './response-event.js';

/** A call of a tool. */
export abstract class CallItem implements OutputItem {
  protected readonly callId: string;
  /** The arguments that the model has written so far. */
  protected arguments = '';

  /** Begins a call; one without an id of the provider gets one. */
  constructor(
    protected readonly place: ItemPlace,
    { id }: ToolCallDelta,
  ) {
    this.callId = id === undefined || id === '' ? `call_${place.id}` : id;
  }

  /** Adds a piece of the call. */
  add({ function: called }: ToolCallDelta): void {
    this.arguments += called?.arguments ?? '';
  }

  /**
   * Whether nothing is missing in the arguments, although the answer may have been cut.
   *
   * @param toolArguments parses the arguments of all calls of the answer
   */
  isWhole(toolArguments: ToolArgumentsReader): boolean {
    return toolArguments.parse(this.arguments) !== undefined;
  }

  abstract shown(status: ItemStatus): object;

  abstract close(): void;
}
