import { ChunkEvents } from '../../../../src/modules/codecs/openai-chat/stream-decoder.js';
import { chunk, STREAM, STREAM_END, STREAM_HEAD } from '../provider-answers.js';
import { sharedGateway } from '../shared-gateway.js';

const [STREAMS, EVENTS] = [40, 10];

const PART = 'x'.repeat(60_000);

const FLOOD = [
  chunk({ tool_calls: [{ index: 0, id: 'call_1', type: 'function', function: { name: 'write', arguments: '"' } }] }),
  ...Array.from({ length: EVENTS }, () => chunk({ tool_calls: [{ index: 0, function: { arguments: PART } }] })),
  chunk({ tool_calls: [{ index: 0, function: { arguments: '"' } }] }),
  STREAM_END,
].join('');

/** How long an event takes at least, in milliseconds, so that few can be in one round of the loop on any machine. */
const EVENT_MS = 2;

describe('streams whose providers send large events as fast as they can', () => {
  const gateway = sharedGateway();

  it('are whole (200), few events in each round of the loop, and the stream of another organization is done before a third of them', async () => {
    const key = await gateway.factory.key(await gateway.factory.organization());
    const other = await gateway.factory.key(await gateway.factory.organization());
    gateway.alpha.answerWith((response, { body }) => {
      const { tools } = body as { tools?: unknown };
      response.writeHead(200, STREAM_HEAD).end(tools === undefined ? STREAM : FLOOD);
    });
    await gateway.stream(other);
    const { read } = ChunkEvents.prototype;
    let [total, inRound, most, isOver] = [0, 0, 0, false];
    const reading = jest.spyOn(ChunkEvents.prototype, 'read').mockImplementation(function (this: ChunkEvents, event) {
      for (const end = performance.now() + EVENT_MS; performance.now() < end;);
      [total, inRound] = [total + 1, inRound + 1];
      return read.call(this, event);
    });
    const countRounds = (): void => {
      [most, inRound] = [Math.max(most, inRound), 0];
      if (!isOver) setImmediate(countRounds);
    };
    countRounds();
    const tools = [{ type: 'function', function: { name: 'write' } }];
    const flooding = Promise.all(Array.from({ length: STREAMS }, () => gateway.stream(key, { tools })));
    while (total < STREAMS) await new Promise(setImmediate);
    const small = await gateway.stream(other);
    const before = total;
    const answers = await flooding;
    isOver = true;
    reading.mockRestore();

    expect(most).toBeLessThan(STREAMS / 4);
    expect(small.status).toBe(200);
    expect(before).toBeLessThan((STREAMS * EVENTS) / 3);
    for (const { status, text } of answers) {
      expect([status, text.split(PART).length - 1, text.endsWith('data: [DONE]\n\n')]).toEqual([200, EVENTS, true]);
    }
  });
});
