import type { Socket } from 'node:net';
import { buildConnector } from 'undici';

/** The parser of undici for the answers on a connection, as far as it is used here. */
interface AnswerParser {
  /** Whether it waits for the reader of a body. */
  paused: boolean;
  /** Goes on with what has come. */
  resume(): void;
}

/**
 * Makes connections that the server may close at any time. When a connection ends while the parser of undici waits for a reader, and
 * its answer says that it ends with the connection, undici 7 fails an assertion that nothing can catch, which would end the process
 * (https://github.com/nodejs/undici/issues/5360; undici 8, which has no such fault, needs Node.js 22). So the parser goes on before
 * undici hears of the end: what it has is a piece or two, which wait for the reader in memory.
 */
export function connectorOf(options: buildConnector.BuildOptions): buildConnector.connector {
  const connect = buildConnector(options);
  return (target, callback) =>
    connect(target, (...result) => {
      const [error, socket] = result;
      // Of a failure undici gives nothing but the error.
      if (error === null) goOnBeforeEnd(socket);
      callback(...result);
    });
}

/** The listeners are in place before those of undici, and are called before them. */
function goOnBeforeEnd(socket: Socket): void {
  socket.on('end', () => {
    const parser = parserOf(socket);
    // Each time it reads what has come, and may find that its reader has not read on.
    while (parser?.paused === true && !socket.destroyed) parser.resume();
  });
  for (const event of ['error', 'close']) {
    socket.on(event, () => {
      const parser = parserOf(socket);
      // Nothing can be read any more; without the rest the answer counts as broken off.
      if (parser) parser.paused = false;
    });
  }
}

/** @returns nothing before the first request, and after the last one */
function parserOf(socket: Socket): AnswerParser | null | undefined {
  const symbol = Object.getOwnPropertySymbols(socket).find(({ description }) => description === 'parser');
  if (symbol === undefined) return undefined;
  return (socket as unknown as Record<symbol, AnswerParser | null>)[symbol];
}
