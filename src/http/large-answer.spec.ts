import type { Server } from 'node:http';
import net, { type AddressInfo } from 'node:net';
import { once } from 'node:events';
import { Controller, Get, type INestApplication, Module, Param } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import { GatehouseExpressAdapter } from './express-adapter.js';
import { isLargeAnswer } from './large-answer.js';

/** How many turns of the event loop there have been. */
let turns = 0;

/** The turn in which each item was written, in order. */
const writtenIn: number[] = [];

class Item {
  constructor(
    readonly number: number,
    readonly text: string,
  ) {}

  toJSON(): object {
    writtenIn.push(turns);
    return { number: this.number, text: this.text };
  }
}

class Unwritable {
  readonly text = 'x'.repeat(300_000);

  toJSON(): never {
    throw new Error('cannot be written');
  }
}

const large = (): object => ({
  data: Array.from({ length: 40 }, (_, number) => new Item(number, `${'ä\u{1F9EA}"'.repeat(20_000)}${number}`)),
  total_count: 40,
  links: { next: null, previous: undefined },
  absent: undefined,
});

const BODIES: Readonly<Record<string, () => object>> = {
  large,
  nested: () => ({ data: { key_hash: 'x', filters: large(), budgets: [], zone: null }, guardrail: {} }),
  small: () => ({ data: [{ id: 1 }], total_count: 1 }),
  failing: () => ({ data: [{ text: 'x'.repeat(300_000) }, new Unwritable(), { id: 2 }], total_count: 3 }),
};

@Controller()
class AnswersController {
  @Get(':name')
  answer(@Param('name') name: string): object {
    return BODIES[name]!();
  }
}

@Module({ controllers: [AnswersController] })
class AnswersModule {}

describe('a large answer', () => {
  let application: INestApplication;
  let origin: string;
  let port: number;

  beforeAll(async () => {
    application = await NestFactory.create(AnswersModule, new GatehouseExpressAdapter(), { logger: false });
    application.use((request: { requestId: string }, _response: unknown, next: () => void) => {
      request.requestId = 'request-1';
      next();
    });
    await application.listen(0, '127.0.0.1');
    ({ port } = (application.getHttpServer() as Server).address() as AddressInfo);
    origin = `http://127.0.0.1:${port}`;
  });

  afterAll(() => application.close());

  it.each(['large', 'nested', 'small'])(
    'is answered with 200 and the bytes of JSON.stringify when it is %s',
    async (name) => {
      const expected = JSON.stringify(BODIES[name]!());

      const answer = await fetch(`${origin}/${name}`);

      expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'application/json; charset=utf-8']);
      expect(answer.headers.get('content-length')).toBe(String(Buffer.byteLength(expected)));
      expect(await answer.text()).toBe(expected);
    },
  );

  it('is answered to HEAD with the headers of GET and no body', async () => {
    const [get, head] = [await fetch(`${origin}/large`), await fetch(`${origin}/large`, { method: 'HEAD' })];

    expect(head.status).toBe(200);
    expect(head.headers.get('content-length')).toBe(String((await get.arrayBuffer()).byteLength));
    expect(await head.text()).toBe('');
  });

  it.each(['large', 'nested'])('is written in several turns of the event loop when it is %s', async (name) => {
    let counting = true;
    const count = (): void => {
      turns += 1;
      if (counting) setImmediate(count);
    };
    count();
    writtenIn.length = 0;

    await (await fetch(`${origin}/${name}`)).text();
    counting = false;

    expect(writtenIn).toHaveLength(40);
    expect(new Set(writtenIn).size).toBeGreaterThan(5);
  });

  it('is answered with 500 when one of its items cannot be written, and the next request is answered', async () => {
    const failed = await fetch(`${origin}/failing`);

    expect(failed.status).toBe(500);
    expect(await failed.json()).toMatchObject({ statusCode: 500 });
    expect((await fetch(`${origin}/small`)).status).toBe(200);
  });

  it('is abandoned when its client disconnects, and the next request is answered with 200', async () => {
    writtenIn.length = 0;
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /large HTTP/1.1\r\nHost: x\r\n\r\n');
    while (writtenIn.length === 0) await new Promise((resolve) => setImmediate(resolve));
    socket.destroy();
    await once(socket, 'close');

    expect((await fetch(`${origin}/small`)).status).toBe(200);
  });

  it('is distinguished from a small one by the length of its text', () => {
    const list = (...texts: string[]): object => ({ data: texts.map((text) => ({ filters: [{ text }] })) });

    expect(isLargeAnswer(list('x'.repeat(300_000)))).toBe(true);
    expect(isLargeAnswer(list(...Array<string>(30).fill('x'.repeat(10_000))))).toBe(true);
    expect(isLargeAnswer(list('x'.repeat(200_000)))).toBe(false);
    expect(isLargeAnswer({ data: { filters: [{ text: 'x'.repeat(300_000) }] } })).toBe(true);
    expect(isLargeAnswer({ data: { filters: [{ text: 'x'.repeat(200_000) }] } })).toBe(false);
    expect(isLargeAnswer({ error: { code: 400 } })).toBe(false);
  });
});
