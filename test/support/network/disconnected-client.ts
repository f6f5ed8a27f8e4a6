import net from 'node:net';
import { lockRows, untilWaitingForLock } from '../database/row-locks.js';
import type { TestApplication } from '../application/test-application.js';

/** Sends `GET /guardrails`, disconnects before there can be an answer, and only then lets the service continue. */
export async function disconnectBeforeAnswer(app: TestApplication, key: string): Promise<void> {
  const release = await lockRows(app, 'LOCK TABLE guardrails IN ACCESS EXCLUSIVE MODE', []);
  const { hostname, port } = new URL(app.origin);
  const socket = net.connect(Number(port), hostname);
  socket.write(`GET /api/v1/guardrails HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer ${key}\r\n\r\n`);
  await untilWaitingForLock(app, 1);
  socket.destroy();
  await untilLogged(app, '"status":499');
  await release();
}

async function untilLogged(app: TestApplication, text: string): Promise<void> {
  while (!app.logLines.some((line) => line.includes(text))) await new Promise((resolve) => setTimeout(resolve, 5));
}
