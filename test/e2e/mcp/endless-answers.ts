import type { ServerResponse } from 'node:http';

/** Says in a stream of events, for as long as it is open, that it is alive. */
export function keepAlive(response: ServerResponse): void {
  const timer = setInterval(() => response.write(': \n\n'), 20);
  response.once('close', () => clearInterval(timer));
}

/** Writes as much as the other side takes. */
export function pour(response: ServerResponse): void {
  const more = (): void => {
    while (!response.destroyed && response.write('x'.repeat(1_048_576)));
  };
  response.on('drain', more);
  more();
}
