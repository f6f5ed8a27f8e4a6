import { setTimeout as delay } from 'node:timers/promises';
import type { ServerProcess } from '../support/server-process.js';
import { CHAT_PATH, type TestBed, question } from './test-bed.js';

/** Long before a statement that waits for a lock is given up. */
const TIMEOUT_MS = 700;

/** The limit is one only while it reserves what the service does. @param key of both requests, to which a limit applies */
export async function requireSameReservations(testBed: TestBed, key: string): Promise<void> {
  const reserved = [
    await reservationBy(testBed, testBed.service, key),
    await reservationBy(testBed, testBed.limit, key),
  ];
  if (reserved[0] !== reserved[1])
    throw new Error(`service and limit reserve different amounts: ${reserved.join(', ')}`);
}

/** What a server reserves for a request: seen while its record waits for a lock of the table. */
async function reservationBy({ database }: TestBed, server: ServerProcess, key: string): Promise<string> {
  await database.query('BEGIN');
  await database.query('LOCK TABLE generations IN SHARE MODE');
  const answered = fetch(`${server.origin}${CHAT_PATH}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: JSON.stringify(question()),
  });
  let reserved: { amounts: string } | undefined;
  try {
    const deadline = Date.now() + TIMEOUT_MS;
    while (reserved === undefined && Date.now() < deadline) {
      await delay(5);
      [reserved] = await database.query<{ amounts: string }>(
        `SELECT amount_usd || ' and ' || byok_amount_usd AS amounts FROM spend_reservations`,
      );
    }
  } finally {
    await database.query('ROLLBACK');
  }
  const response = await answered;
  const text = await response.text();
  if (!response.ok) throw new Error(`${response.status} ${text}`);
  if (reserved === undefined) throw new Error(`${server.origin} has reserved nothing`);
  return reserved.amounts;
}
