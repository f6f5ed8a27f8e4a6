/** An event of a stream of the Responses interface, but for its number (docs/interface/responses.md#streams). */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Takes the events of a stream in their order. */
export type EmitEvent = (event: ResponseEvent) => void;

/** Whether an item is being written, is whole, or has been cut. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** The place of an item in an answer, and the receiver of its events. */
export interface ItemPlace {
  /** Of the item. */
  readonly id: string;
  /** The index in the output, from 0. */
  readonly index: number;
  readonly emit: EmitEvent;
}

/** An item of the output of an answer, while it is being written. */
export interface OutputItem {
  /** The item as it is so far. */
  shown(status: ItemStatus): object;
  /** Ends the item: nothing is added after this. */
  close(): void;
}
