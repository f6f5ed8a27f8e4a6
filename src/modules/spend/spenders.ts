import { dayOf, type Spender } from './admission-state.repository.js';

/** Whose request it is, and when it came. */
export interface SpendingRequest {
  readonly keyId: string;
  readonly userId: string;
  readonly workspaceId: string | null;
  /** The time at which the request came, which decides in which windows it counts. */
  readonly createdAt: Date;
}

/** Whose limits apply to the requests of a batch: many are of the same keys. */
export class Spenders<Request extends SpendingRequest> {
  readonly all: Spender[] = [];
  private readonly numbers = new Map<string, number>();
  private readonly numbersByRequest = new Map<Request, number>();

  constructor(requests: readonly Request[]) {
    for (const request of requests) this.add(request);
  }

  /** From 1, as the database counts. */
  numberOf(request: Request): number {
    return this.numbersByRequest.get(request)!;
  }

  private add(request: Request): void {
    const { keyId, userId, workspaceId, createdAt } = request;
    const day = dayOf(createdAt);
    const name = `${keyId} ${workspaceId} ${day}`;
    const known = this.numbers.get(name);
    const number = known ?? this.all.push({ keyId, userId, workspaceId, day });
    this.numbers.set(name, number);
    this.numbersByRequest.set(request, number);
  }
}
