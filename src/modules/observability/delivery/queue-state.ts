/** How a destination is doing: `retrying` after failures, `paused` until it works again or is changed, `gone` until it is changed. */
export const QUEUE_STATES = ['active', 'retrying', 'paused', 'gone'] as const;

export type QueueState = (typeof QUEUE_STATES)[number];
