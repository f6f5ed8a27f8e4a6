import { LongWork } from '../../concurrency/long-work.js';
import { LoopTurns } from '../../concurrency/loop-turns.js';
import { turnsDuring } from '../../../test/support/time/turns-during.js';
import { ReceivedBytes } from './received-bytes.js';

describe('The bytes of a body', () => {
  const work = (): LongWork => new LongWork(new LoopTurns(), 'organization');

  it.each([1, 3, 4_095, 4_096, 70_000])('are the same in chunks of %d, in turns and at once', async (size) => {
    const sent = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const received = new ReceivedBytes();
    for (let at = 0; at < sent.length; at += size) received.add(sent.subarray(at, at + size));

    expect(received).toHaveLength(sent.length);
    expect(sent.equals(received.all())).toBe(true);
    expect(sent.equals(await received.allInTurns(work()))).toBe(true);
  });

  it('are copied in turns of the event loop', async () => {
    const received = new ReceivedBytes();
    for (let count = 0; count < 1_000; count += 1) received.add(Buffer.alloc(65_536));

    expect(await turnsDuring(() => received.allInTurns(work()))).toBeGreaterThanOrEqual(2);
  });

  it('keep alive no small chunk, and so nothing that was read with it', () => {
    const read = Buffer.from('abc');
    const received = new ReceivedBytes();
    received.add(read.subarray(1, 2));
    read.fill('x');

    expect(Buffer.from(received.all()).toString()).toBe('b');
  });

  it('are none at the beginning', () => {
    expect(new ReceivedBytes().all()).toHaveLength(0);
  });
});
