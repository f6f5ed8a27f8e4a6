import http from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Response } from 'express';
import { UNCOUNTED_MEMORY } from '../../../../http/input/request-memory.js';
import { LoopTurns } from '../../../../concurrency/loop-turns.js';
import { sendDocument } from './document-answer.js';

describe('A whole answer', () => {
  const turns = new LoopTurns();
  let server: http.Server;
  let document: object;
  let sent: Promise<void> | undefined;

  beforeAll(async () => {
    server = http.createServer((request, response) => {
      Object.assign(request, { requestId: 'request-1' });
      sent = sendDocument(
        response as unknown as Response,
        document,
        () => turns.next('organization'),
        UNCOUNTED_MEMORY,
      );
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  afterAll(
    () =>
      new Promise((resolve) => {
        server.close(resolve);
        server.closeAllConnections();
      }),
  );

  const ask = (signal?: AbortSignal): ReturnType<typeof fetch> =>
    fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, { signal: signal ?? null });

  it('is a 200 with the bytes of JSON.stringify, written in turns of its organization where it is large', async () => {
    const taken = jest.spyOn(turns, 'next');
    document = { data: Array.from({ length: 200_000 }, (_, index) => ({ index: index / 7, text: 'ä😀"' })) };
    const answer = await ask();
    const organizations = taken.mock.calls.map(([organizationId]) => organizationId);
    taken.mockRestore();
    const text = await answer.text();

    expect([answer.status, text === JSON.stringify(document)]).toEqual([200, true]);
    expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(text)));
    expect(organizations).toEqual(['organization', 'organization']);
    await sent;
  });

  it('is a 200 that is written at once where it is small', async () => {
    document = { data: [{ text: 'ä' }] };
    const answer = await ask();

    expect([answer.status, await answer.json()]).toEqual([200, document]);
    await sent;
  });

  it('is given up where its client leaves', async () => {
    document = { text: Array.from({ length: 400 }, () => 'x'.repeat(100_000)) };
    const client = new AbortController();
    const answer = await ask(client.signal);
    client.abort();

    await expect(answer.text()).rejects.toThrow();
    await expect(sent).resolves.toBeUndefined();
  });
});
