/** One request of the hosted service's Terraform provider, and what it needs of the answer. */
export interface Exchange {
  readonly step: string;
  /** Method and path. `{name}` stands for what an earlier exchange has saved, there and in the body. */
  readonly asks: string;
  readonly status: number;
  readonly json?: object;
  readonly headers?: Readonly<Record<string, string>>;
  /** What the answer has at paths such as `data.0.user_id`. */
  readonly has?: Readonly<Record<string, unknown>>;
  /** What later exchanges need: names, and where the answer has it. */
  readonly saves?: Readonly<Record<string, string>>;
}

/** The exchanges of one resource, in their order. */
export type Life = readonly Exchange[];

export const TEXT: unknown = expect.stringMatching(/./);
export const NUMBER: unknown = expect.any(Number);
export const BOOLEAN: unknown = expect.any(Boolean);
export const LIST: unknown = expect.any(Array);
export const TIME: unknown = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d{3})?Z$/);

type Further = Pick<Exchange, 'json' | 'headers' | 'has' | 'saves'>;

/** What is done, how it is asked for, and with which status it is answered. */
export function asks(step: string, request: string, status: number, further: Further = {}): Exchange {
  return { step, asks: request, status, ...further };
}

/** A read, which needs no more than that a list is answered. */
export function lists(path: string, has: Exchange['has'] = { data: LIST, total_count: NUMBER }): Exchange {
  return asks(`reads ${path.split('?', 1)[0]!}`, `GET ${path}`, 200, { has });
}

/** The end of a resource: it is deleted, and gone. */
export function ends(path: string): Exchange[] {
  return [removes(path), asks('reads what is gone', `GET ${path}`, 404)];
}

/** A deletion. */
export function removes(path: string): Exchange {
  return asks('destroys it', `DELETE ${path}`, 200, { has: { deleted: true } });
}

/** Puts what was saved in place of its names. */
export function filled<Value>(value: Value, saved: Readonly<Record<string, string>>): Value {
  const text = JSON.stringify(value).replace(/\{([a-z]\w*)\}/g, (name, key: string) => saved[key] ?? name);
  return JSON.parse(text) as Value;
}

/** What an answer has at a path; undefined for nothing. */
export function valueAt(body: unknown, path: string): unknown {
  return path
    .split('.')
    .reduce<unknown>((value, name) => (value as Readonly<Record<string, unknown>> | null | undefined)?.[name], body);
}
