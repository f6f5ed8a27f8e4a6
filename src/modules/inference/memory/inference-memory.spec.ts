import { EventEmitter } from 'node:events';
import type { Response } from 'express';
import { readEnvironment } from '../../../config/environment.js';
import { AnswerMemoryExhausted, TooMuchInferenceMemory } from '../inference.errors.js';
import { type HeldMemory, InferenceMemory } from './inference-memory.js';

const KIBIBYTE = 1024;

describe('The memory of open inference requests', () => {
  let memory: InferenceMemory;
  let ended: HeldMemory[];

  beforeEach(() => {
    const variables = { INFERENCE_BODY_LIMIT: '10KiB', INFERENCE_MEMORY_PER_ORGANIZATION: '100KiB' };
    memory = new InferenceMemory(readEnvironment(variables));
    ended = [];
  });

  /** A request whose response stays open, and which frees its memory when it is ended. */
  const open = (member: string, owner = 'organization'): HeldMemory => {
    const held = memory.of({ owner, member }, new EventEmitter() as Response);
    held.endsWith(() => {
      ended.push(held);
      setImmediate(() => held.free());
    });
    return held;
  };

  it('is released when the response is closed and nothing else holds it', () => {
    const response = new EventEmitter() as Response;
    const held = memory.of({ owner: 'organization', member: 'key' }, response);
    const release = held.keep();
    held.take(90 * KIBIBYTE);
    response.emit('close');
    expect(() => open('key').take(KIBIBYTE)).toThrow(TooMuchInferenceMemory);
    release();
    release();
    open('key').take(90 * KIBIBYTE);
  });

  it('ends the largest answer of the fullest key after a pause, and gives its memory to the one that waits', async () => {
    const [large, larger, small, waiting] = [open('full'), open('full'), open('other'), open('other')];
    for (const [held, size] of [
      [large, 30],
      [larger, 40],
      [small, 20],
    ] as const) {
      await held.hold(size * KIBIBYTE);
    }
    const began = performance.now();
    await waiting.hold(20 * KIBIBYTE);

    expect(performance.now() - began).toBeGreaterThan(900);
    expect(ended).toEqual([larger]);
    expect(waiting.held).toBe(20 * KIBIBYTE);
  });

  it('ends an answer at once for which there would be no room if it were the only one', async () => {
    const [small, tooLarge] = [open('key'), open('key')];
    await small.hold(KIBIBYTE);

    await expect(tooLarge.hold(91 * KIBIBYTE)).rejects.toThrow(AnswerMemoryExhausted);
    expect(ended).toEqual([tooLarge]);
  });

  it('never ends the answers of another organization', async () => {
    const variables = { INFERENCE_BODY_LIMIT: '10KiB', INFERENCE_MEMORY: '400KiB' };
    memory = new InferenceMemory(readEnvironment(variables));
    const theirs = open('key', 'another');
    await theirs.hold(130 * KIBIBYTE);
    const [first, second] = [open('key'), open('key')];
    await first.hold(50 * KIBIBYTE);
    await second.hold(30 * KIBIBYTE);

    expect(ended).toEqual([first]);
    expect(theirs.held).toBe(130 * KIBIBYTE);
  });

  it('waits for what others give back within the pause', async () => {
    const [first, second] = [open('key'), open('key')];
    await first.hold(80 * KIBIBYTE);
    const waiting = second.hold(20 * KIBIBYTE);
    first.release(40 * KIBIBYTE);
    await waiting;

    expect(ended).toEqual([]);
  });

  it('takes what an answer holds from what was reserved for it', async () => {
    const held = open('key');
    held.reserve(80 * KIBIBYTE);
    await held.hold(50 * KIBIBYTE);
    expect(held.held).toBe(80 * KIBIBYTE);
    await held.hold(35 * KIBIBYTE);
    expect(held.held).toBe(85 * KIBIBYTE);
    held.releaseAnswer();
    expect(held.held).toBe(0);
    expect(() => held.reserve(101 * KIBIBYTE)).toThrow(TooMuchInferenceMemory);
  });
});
