import { SharedMemory } from './shared-memory.js';

describe('Memory that owners share', () => {
  it('has room for an owner up to its bound', () => {
    const memory = new SharedMemory({ perOwner: 10, inAll: 1_000 });
    expect(memory.take({ owner: 'one' }, 10)).toBe(true);
    expect(memory.take({ owner: 'one' }, 1)).toBe(false);
    expect(memory.take({ owner: 'other' }, 10)).toBe(true);
    memory.release({ owner: 'one' }, 4);
    expect([memory.take({ owner: 'one' }, 5), memory.take({ owner: 'one' }, 4)]).toEqual([false, true]);
  });

  it('has no room for an owner that would then have more than is left for all others', () => {
    // Three quarters of it are for those who hold much.
    const memory = new SharedMemory({ perOwner: 1_000, inAll: 800 });
    expect(memory.take({ owner: 'one' }, 301)).toBe(false);
    expect(memory.take({ owner: 'one' }, 300)).toBe(true);
    expect(memory.take({ owner: 'one' }, 1)).toBe(false);
    expect(memory.take({ owner: 'two' }, 150)).toBe(true);
    expect(memory.take({ owner: 'one' }, 1)).toBe(false);
    expect(memory.take({ owner: 'three' }, 75)).toBe(true);
    memory.release({ owner: 'one' }, 300);
    expect(memory.take({ owner: 'three' }, 112)).toBe(true);
  });

  it('keeps a part for those who hold little, however much others try to take', () => {
    const memory = new SharedMemory({ perOwner: 32, inAll: 256 });
    for (let round = 0; round < 32; round += 1) {
      for (let owner = 0; owner < 8; owner += 1) memory.take({ owner: `${owner}` }, 1);
    }
    for (let owner = 8; owner < 24; owner += 1) expect(memory.take({ owner: `${owner}` }, 3)).toBe(true);
    expect(memory.take({ owner: '0' }, 1)).toBe(false);
    expect(memory.take({ owner: 'new' }, 4)).toBe(true);
    expect(memory.take({ owner: 'new' }, 1)).toBe(false);
  });

  it('never holds more than there is in all', () => {
    const memory = new SharedMemory({ perOwner: 32, inAll: 256 });
    let held = 0;
    for (let owner = 0; owner < 1_000; owner += 1) if (memory.take({ owner: `${owner}` }, 4)) held += 4;
    expect(held).toBe(256);
    for (let owner = 0; owner < 64; owner += 1) memory.release({ owner: `${owner}` }, 4);
    expect(memory.take({ owner: '0' }, 32)).toBe(true);
  });

  it('has room for one member up to nine tenths of what its owner may have, and for other members up to all of it', () => {
    const memory = new SharedMemory({ perOwner: 100, inAll: 1_000 });
    const [one, other] = [
      { owner: 'one', member: 'first' },
      { owner: 'one', member: 'second' },
    ];
    expect(memory.take(one, 90)).toBe(true);
    expect(memory.take(one, 1)).toBe(false);
    expect(memory.take(other, 10)).toBe(true);
    expect(memory.take(other, 1)).toBe(false);
    memory.release(one, 50);
    memory.move(other, 'first', { all: 10, answers: 0 });
    expect([memory.heldBy(one), memory.heldBy(other)]).toEqual([50, 0]);
  });

  it('has room for one thing that is more than a member may have, if its owner may have it', () => {
    const memory = new SharedMemory({ perOwner: 100, inAll: 1_000 });
    expect(memory.take({ owner: 'one', member: 'first' }, 100)).toBe(true);
  });

  it('has a little room for answers of an owner whose bodies take all that it may have', () => {
    const memory = new SharedMemory({ perOwner: 640, inAll: 6_400 });
    const one = { owner: 'one', member: 'first' };
    expect(memory.take(one, 640)).toBe(true);
    expect(memory.take(one, 1)).toBe(false);
    expect(memory.take(one, 72, true)).toBe(true);
    expect(memory.take(one, 1, true)).toBe(false);
    expect(memory.take({ owner: 'one', member: 'second' }, 8, true)).toBe(true);
    memory.release(one, 72, true);
    expect(memory.take(one, 64, true)).toBe(true);
  });
});
