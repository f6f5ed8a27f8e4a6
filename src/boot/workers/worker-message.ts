/** What a worker tells the process that started it, once. */
export type WorkerMessage =
  | { readonly gatehouse: 'listening'; readonly port: number }
  | { readonly gatehouse: 'failed'; readonly explanation: string };

/** Other messages travel the same way: of the rate limiter, and of node:cluster. */
export function isWorkerMessage(message: unknown): message is WorkerMessage {
  return typeof message === 'object' && message !== null && 'gatehouse' in message;
}

/** Tells the process that started this one. @returns when the message is on its way */
export function tellPrimary(message: WorkerMessage): Promise<void> {
  return new Promise((resolve, reject) => {
    process.send!(message, undefined, undefined, (error) => (error === null ? resolve() : reject(error)));
  });
}
