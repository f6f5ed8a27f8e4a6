/**
 * Counts how often others can use the event loop while a piece of work lasts.
 *
 * @returns the number of turns that begin before the work is done, and one more
 */
export async function turnsDuring(work: () => Promise<unknown>): Promise<number> {
  let isDone = false;
  let turns = 0;
  const count = (): void => {
    turns += 1;
    if (!isDone) setImmediate(count);
  };
  setImmediate(count);
  await work();
  isDone = true;
  return turns;
}
