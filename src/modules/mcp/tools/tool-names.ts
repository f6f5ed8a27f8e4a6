import { createHash } from 'node:crypto';

/** The longest name that providers of models take for a tool, and which characters it may have. */
const LONGEST = 64;
const TAKEN_BY_MODELS = /^[A-Za-z0-9_-]{1,64}$/;

/** The characters of a digest that stand behind a name that was cut. */
const DIGEST = 8;

/**
 * The name of a tool among those of several servers: `server__tool`. One that models could not call is cut, or written with other characters,
 * with a digest behind it, so that it is the same in each list, and no tool has it that is not made for that.
 */
export function joinedName(server: string, tool: string): string {
  const whole = `${server}__${tool}`;
  if (TAKEN_BY_MODELS.test(whole)) return whole;
  const digest = createHash('sha256').update(whole).digest('hex').slice(0, DIGEST);
  return `${whole.replace(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST - DIGEST - 1)}_${digest}`;
}

/** The name of the server in a joined name; undefined for what is none. */
export function serverIn(name: string): string | undefined {
  const end = name.indexOf('__');
  return end > 0 ? name.slice(0, end) : undefined;
}
