/**
 * An object that a hook makes before tests, so that the functions of a describe block can name it already.
 *
 * @param hook `beforeAll`, or `beforeEach` for another one before each test
 */
export function filledBefore<Made extends object>(hook: typeof beforeAll, make: () => Promise<Made>): Made {
  const filled = {} as Made;
  hook(async () => {
    const made = await make();
    Object.setPrototypeOf(Object.assign(filled, made), Object.getPrototypeOf(made) as object);
  });
  return filled;
}
