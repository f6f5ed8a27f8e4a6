import { SharedMemory } from './shared-memory.js';

describe('Memory that owners share', () => {
  it('has room for an owner up to its bound', () => {
    const memory = new SharedMemory({ perOwner: 10, inAll: 1_000 });
    expect(memory.take('one', 10)).toBe(true);
    expect(memory.take('one', 1)).toBe(false);
    expect(memory.take('other', 10)).toBe(true);
    memory.release('one', 4);
    expect([memory.take('one', 5), memory.take('one', 4)]).toEqual([false, true]);
  });

  it('has no room for an owner that would then have more than is left for all others', () => {
    // Three quarters of it are for those who hold much.
    const memory = new SharedMemory({ perOwner: 1_000, inAll: 800 });
    expect(memory.take('one', 301)).toBe(false);
    expect(memory.take('one', 300)).toBe(true);
    expect(memory.take('one', 1)).toBe(false);
    expect(memory.take('two', 150)).toBe(true);
    expect(memory.take('one', 1)).toBe(false);
    expect(memory.take('three', 75)).toBe(true);
    memory.release('one', 300);
    expect(memory.take('three', 112)).toBe(true);
  });

  it('keeps a part for those who hold little, however much others try to take', () => {
    const memory = new SharedMemory({ perOwner: 32, inAll: 256 });
    for (let round = 0; round < 32; round += 1) {
      for (let owner = 0; owner < 8; owner += 1) memory.take(`${owner}`, 1);
    }
    for (let owner = 8; owner < 24; owner += 1) expect(memory.take(`${owner}`, 3)).toBe(true);
    expect(memory.take('0', 1)).toBe(false);
    expect(memory.take('new', 4)).toBe(true);
    expect(memory.take('new', 1)).toBe(false);
  });

  it('never holds more than there is in all', () => {
    const memory = new SharedMemory({ perOwner: 32, inAll: 256 });
    let held = 0;
    for (let owner = 0; owner < 1_000; owner += 1) if (memory.take(`${owner}`, 4)) held += 4;
    expect(held).toBe(256);
    for (let owner = 0; owner < 64; owner += 1) memory.release(`${owner}`, 4);
    expect(memory.take('0', 32)).toBe(true);
  });
});
