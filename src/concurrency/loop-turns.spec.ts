import { until } from '../../test/support/time/until.js';
import { LoopTurns } from './loop-turns.js';

const LARGE = 1_048_576;

function hold(milliseconds: number): void {
  const end = performance.now() + milliseconds;
  while (performance.now() < end);
}

function round(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

describe('LoopTurns', () => {
  it('lets work begin at once when none is under way', async () => {
    const turns = new LoopTurns();
    let rounds = 0;
    setImmediate(() => (rounds += 1));

    await turns.next('a');

    expect(rounds).toBe(0);
  });

  it('lets one piece of work begin in each round of the loop', async () => {
    const turns = new LoopTurns();
    let [begun, most, rounds] = [0, 0, 0];
    const pieces = Promise.all(Array.from({ length: 20 }, () => turns.next('a').then(() => (begun += 1))));
    for (let before = 0; begun < 20; before = begun, rounds += 1) {
      await round();
      most = Math.max(most, begun - before);
    }
    await pieces;

    // The first one begins with the round of the second.
    expect(most).toBeLessThanOrEqual(2);
    expect(rounds).toBeGreaterThanOrEqual(10);
  });

  it('takes organizations in turns, however many pieces one of them has', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    const piece = async (name: string): Promise<void> => {
      await turns.next(name.slice(0, 1));
      order.push(name);
    };

    await Promise.all(['a1', 'a2', 'a3', 'a4', 'b1', 'c1', 'b2'].map(piece));

    expect(order).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
  });

  it('rests behind long work for as long as that took', async () => {
    const turns = new LoopTurns();
    await turns.next('a');
    const begun = performance.now();
    const next = turns.next('a');
    hold(50);
    const ended = performance.now();
    await next;

    // At most 100 ms; timers are counted in whole milliseconds.
    expect(performance.now() - ended).toBeGreaterThanOrEqual(Math.min(ended - begun, 100) - 5);
  });

  it('lets work on small bodies begin without a turn', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    await turns.nextIfLarge('a', LARGE);
    const large = turns.nextIfLarge('a', LARGE).then(() => order.push('large'));
    const small = turns.nextIfLarge('a', 100).then(() => order.push('small'));
    await Promise.all([large, small]);

    expect(order).toEqual(['small', 'large']);
  });

  it('lets small pieces begin at once until they have taken ten milliseconds of a round, and then in a later one', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    const piece = (name: string, milliseconds = 0): boolean =>
      turns.piece('a', () => {
        hold(milliseconds);
        order.push(name);
      });
    piece('first');
    piece('second', 11);
    piece('third');
    const before = [...order];
    await until(() => Promise.resolve(order.length === 3));

    expect(before).toEqual(['first', 'second']);
    expect(order).toEqual(['first', 'second', 'third']);
    piece('fourth');
    expect(order).toHaveLength(4);
  });

  it('lets the loop go round between pieces that are as long as a round each, organizations in turn', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    let [rounds, isOver] = [0, false];
    const count = (): void => {
      rounds += 1;
      if (!isOver) setImmediate(count);
    };
    for (const name of ['a0', 'a1', 'a2', 'a3', 'b1', 'c1']) {
      turns.piece(name.slice(0, 1), () => {
        hold(11);
        order.push(name);
      });
    }
    count();
    await until(() => Promise.resolve(order.length === 6));
    isOver = true;

    expect(order).toEqual(['a0', 'a1', 'b1', 'c1', 'a2', 'a3']);
    expect(rounds).toBeGreaterThanOrEqual(6);
  });

  it('rests behind a piece that was not small for as long as that took', async () => {
    const turns = new LoopTurns();
    let [ended, rested] = [0, 0];
    turns.piece('a', () => {
      hold(60);
      ended = performance.now();
    });
    turns.piece('a', () => (rested = performance.now() - ended));
    await until(() => Promise.resolve(rested > 0));

    // At most 100 ms; timers are counted in whole milliseconds.
    expect(rested).toBeGreaterThanOrEqual(58);
  });

  it('begins a piece that has waited when all that followed from the one before is done', async () => {
    const turns = new LoopTurns();
    const order: string[] = [];
    turns.piece('a', () => hold(11));
    for (const name of ['first', 'second', 'third']) {
      turns.piece('a', () => {
        void Promise.resolve()
          .then(() => undefined)
          .then(() => order.push(`end of ${name}`));
        order.push(name);
      });
    }
    await until(() => Promise.resolve(order.length === 6));

    expect(order).toEqual(['first', 'end of first', 'second', 'end of second', 'third', 'end of third']);
  });
});
