import { type Answer, ApiClient } from '../../../support/network/api-client.js';
import { expectToFitContract } from '../../../support/contract/contract-answers.js';
import {
  type ContractOperation,
  type ContractRequests,
  resolvedSchema,
} from '../../../support/contract/contract-requests.js';
import { declaredPlaces, sentPlaces } from './schema-places.js';
import { TIMESTAMP } from '../../../support/expectations/formats.js';

/** What a call takes besides its credential. */
export interface CallArguments {
  readonly path?: Readonly<Record<string, string | number>>;
  readonly query?: Readonly<Record<string, string | number | boolean>>;
  readonly body?: unknown;
}

/**
 * Calls an application as a client does that was generated from the public contract: every path, parameter, field, status
 * and media type is the contract's, and what the contract does not know cannot be said. Keeps count of what was made use of.
 */
export class GeneratedClient {
  private readonly api: ApiClient;
  private readonly accepted = new Set<string>();
  private readonly refused = new Set<string>();

  /**
   * @param baseUrl what stands before the contract's paths
   * @param decided the statuses of success that are another than the contract's on purpose, by operationId
   */
  constructor(
    private readonly contract: ContractRequests,
    baseUrl: string,
    private readonly decided: Readonly<Record<string, number>>,
  ) {
    this.api = new ApiClient(baseUrl);
  }

  /** The names of all operations. */
  get operationIds(): readonly string[] {
    return [...this.contract.operations.keys()];
  }

  /** Calls an operation, which has to succeed as declared. @returns the body of the answer */
  async call<Body>(operationId: string, key: string, args: CallArguments = {}): Promise<Body> {
    const operation = this.operationOf(operationId);
    const sent = this.sentBy(operation, args);
    const answer = await this.send(operationId, key, args);
    this.expectDeclared(operationId, answer, this.decided[operationId] ?? operation.success);
    for (const place of sent) this.accepted.add(`${operationId} ${place}`);
    return answer.body as Body;
  }

  /** Calls an operation with anything at all, which has to be refused with a declared status and in the declared form. */
  async refuse(operationId: string, status: number, key: string | undefined, args: CallArguments = {}): Promise<void> {
    this.expectDeclared(operationId, await this.send(operationId, key, args), status);
    this.refused.add(`${operationId} ${status}`);
  }

  /** Sends what an operation is given, declared or not. */
  send(operationId: string, key: string | undefined, { path = {}, query = {}, body }: CallArguments): Promise<Answer> {
    const operation = this.operationOf(operationId);
    // The styles of a contract that names none: `simple` in paths, `form` in queries (OpenAPI 3.1, 4.8.12.2).
    const filled = operation.path.replaceAll(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(path[name] ?? missing(operationId, name))),
    );
    const search = new URLSearchParams();
    for (const [name, value] of Object.entries(query)) search.append(name, String(value));
    return this.api.send(operation.method, search.size === 0 ? filled : `${filled}?${search.toString()}`, {
      ...(key !== undefined && { key }),
      ...(body !== undefined && { json: body }),
    });
  }

  /** What the contract declares of requests and no call has succeeded with, one line each. */
  untried(): string[] {
    const declared = [...this.contract.operations].flatMap(([operationId, { parameters, body }]) =>
      [
        'called',
        ...parameters.flatMap(({ in: place, name, schema }) =>
          // In a path or a query everything is text: there is no null.
          declaredPlaces(this.contract, schema, `${place} ${name}`).filter((line) => !line.endsWith(' = null')),
        ),
        ...(body ? ['minimal body', 'full body', ...declaredPlaces(this.contract, body, 'body')] : []),
      ].map((line) => `${operationId} ${line}`),
    );
    return declared.filter((line) => !this.accepted.has(line));
  }

  /** The declared failures among these that no call has met, one line each. */
  unmet(statuses: readonly number[]): string[] {
    return [...this.contract.operations]
      .flatMap(([operationId, { answers }]) =>
        [...answers.keys()].filter((status) => statuses.includes(status)).map((status) => `${operationId} ${status}`),
      )
      .filter((line) => !this.refused.has(line))
      .sort();
  }

  private operationOf(operationId: string): ContractOperation {
    return this.contract.operations.get(operationId) ?? missing('the contract', operationId);
  }

  /** What a request says, in the contract's terms. */
  private sentBy({ parameters, body: schema }: ContractOperation, args: CallArguments): string[] {
    const { path = {}, query = {}, body } = args;
    const places = { path, query } as const;
    const named = (['path', 'query'] as const).flatMap((place) =>
      Object.entries(places[place]).flatMap(([name, value]) => {
        const parameter = parameters.find((candidate) => candidate.in === place && candidate.name === name);
        return sentPlaces(this.contract, parameter?.schema ?? missing(place, name), value, `${place} ${name}`);
      }),
    );
    if (schema === undefined) return body === undefined ? ['called', ...named] : missing('the contract', 'body');
    const { required = [], properties = {} } = resolvedSchema(this.contract, schema);
    const fields = Object.keys(body as object);
    const variants = [
      ...(sameNames(fields, required) ? ['minimal body'] : []),
      ...(sameNames(fields, Object.keys(properties)) ? ['full body'] : []),
    ];
    return ['called', ...named, ...variants, ...sentPlaces(this.contract, schema, body, 'body')];
  }

  private expectDeclared(operationId: string, { status, text, body, headers }: Answer, expected: number): void {
    if (status !== expected) throw new Error(`${operationId} answered ${status} in place of ${expected}: ${text}`);
    const { answers, success } = this.operationOf(operationId);
    const mediaTypes = answers.get(this.decided[operationId] === status ? success : status);
    const mediaType = headers.get('content-type')!.split(';')[0]!;
    expect([operationId, status, mediaTypes]).toEqual([operationId, status, expect.arrayContaining([mediaType])]);
    if (mediaType !== 'application/json') return;
    expectToFitContract(operationId, status, body);
    // The contract says no more of them than that they are texts (docs/interface/conventions.md#identifiers).
    for (const [, time] of text.matchAll(/"\w+_at":"([^"]*)"/g)) expect(time).toMatch(TIMESTAMP);
  }
}

function sameNames(some: readonly string[], others: readonly string[]): boolean {
  return some.length === others.length && some.every((name) => others.includes(name));
}

function missing(of: string, name: string): never {
  throw new Error(`${of} has no ${name}`);
}
