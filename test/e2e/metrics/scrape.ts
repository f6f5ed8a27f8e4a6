/** One value of Prometheus's text format. */
export interface Sample {
  readonly name: string;
  readonly labels: Readonly<Record<string, string>>;
  readonly value: number;
}

/** What a scraper gets. */
export interface Scrape {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  readonly samples: readonly Sample[];
}

/** Scrapes metrics. @param token presented as a bearer token */
export async function scrape(url: string, token?: string): Promise<Scrape> {
  const response = await fetch(url, { ...(token !== undefined && { headers: { authorization: `Bearer ${token}` } }) });
  const text = await response.text();
  const { status, headers } = response;
  return { status, headers, text, samples: status === 200 ? samplesOf(text) : [] };
}

/** The value of the one sample of a name that has these labels, among others. */
export function valueOf({ samples }: Scrape, name: string, labels: Readonly<Record<string, string>> = {}): number {
  const found = samples.filter(
    (sample) =>
      sample.name === name && Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
  );
  expect(found.map((sample) => sample.labels)).toHaveLength(1);
  return found[0]!.value;
}

/** @throws Error for a line that is neither a comment nor a sample */
function samplesOf(text: string): Sample[] {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
  return lines.map((line) => {
    const [, name, labels, value] = /^([a-zA-Z_:][\w:]*)(?:\{(.*)\})? (\S+)$/.exec(line) ?? [];
    if (name === undefined) throw new Error(`not a line of metrics: ${line}`);
    return { name, labels: labelsOf(labels ?? ''), value: Number(value) };
  });
}

function labelsOf(text: string): Record<string, string> {
  return Object.fromEntries([...text.matchAll(/(\w+)="((?:[^"\\]|\\.)*)"/g)].map(([, name, value]) => [name!, value!]));
}
