import { ReceivedBytes } from './received-bytes.js';

describe('The bytes of a body', () => {
  it.each([1, 3, 4_095, 4_096, 70_000])('are the same in chunks of %d', (size) => {
    const sent = Buffer.from(Array.from({ length: 200_000 }, (_, index) => index % 251));
    const received = new ReceivedBytes();
    for (let at = 0; at < sent.length; at += size) received.add(sent.subarray(at, at + size));

    expect(received).toHaveLength(sent.length);
    expect(sent.equals(received.take())).toBe(true);
  });

  it('keep alive no small chunk, and so nothing that was read with it', () => {
    const read = Buffer.from('abc');
    const received = new ReceivedBytes();
    received.add(read.subarray(1, 2));
    read.fill('x');

    expect(Buffer.from(received.take()).toString()).toBe('b');
  });

  it('are none at the beginning', () => {
    expect(new ReceivedBytes().take()).toHaveLength(0);
  });
});
