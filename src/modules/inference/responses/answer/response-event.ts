/** An event of a stream of the Responses interface, but for its number (docs/interface/responses.md#streams). */
export interface ResponseEvent {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** Takes the events of a stream in their order. */
export type EmitEvent = (event: ResponseEvent) => void;

/** Whether an item is being written, is whole, or has been cut. */
export type ItemStatus = 'in_progress' | 'completed' | 'incomplete';

/** Where an item stands in an answer, and where its events go. */
export interface ItemPlace {
  /** Of the item. */
  readonly id: string;
  /** From 0. */
  readonly index: number;
  readonly emit: EmitEvent;
}

/** An item of the output of an answer, while it is being written. */
export interface OutputItem {
  /** The item as it is so far. */
  shown(status: ItemStatus): object;
  /** Says that nothing more is added. */
  close(): void;
}
