/** The lines of a text that have something in them, without the spaces around it. */
export function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** What stands between the commas of a text. */
export function partsOf(text: string): string[] {
  return text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');
}

/** Names and values as lines of text, one `name=value` a line. */
export function textOfPairs(pairs: Readonly<Record<string, unknown>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('\n');
}

/** The names and values of such a text. */
export function pairsOf(text: string): Record<string, string> {
  return Object.fromEntries(linesOf(text).map(pairOf));
}

/** The name and the value of a line `name=value`. A line without a value has an empty one. */
export function pairOf(line: string): readonly [name: string, value: string] {
  const [name = '', ...rest] = line.split('=');
  return [name.trim(), rest.join('=').trim()];
}

/** What a text says as JSON. What is no JSON stays a text: the service says what is wrong with it. */
export function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return text;
  }
}
