/** Characters of the longest text that is read as a duration. */
const MAXIMUM_LENGTH = 64;

const SECONDS_BY_UNIT: Readonly<Record<string, number>> = { ms: 0.001, s: 1, m: 60, h: 3_600, d: 86_400 };

const PART = /(\d+(?:\.\d+)?)(ms|[smhd])/gy;

/**
 * Reads a duration with units, as providers write those after which a limit begins anew: `12s`, `6m0.5s`, `120ms`.
 *
 * @returns seconds; undefined for any other text
 */
export function durationOf(text: string): number | undefined {
  if (text === '' || text.length > MAXIMUM_LENGTH) return undefined;
  let seconds = 0;
  let end = 0;
  for (const [part, amount, unit] of text.matchAll(PART)) {
    seconds += Number(amount) * SECONDS_BY_UNIT[unit!]!;
    end += part.length;
  }
  return end === text.length ? seconds : undefined;
}
