import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * What a request does as a whole, such as one transaction of all its changes (docs/adr/0020). Code that is called within finds it, however
 * deep it is called; what others wait for too, and what goes on after the request, leaves it with the functions of this file.
 */
export abstract class RequestScope {
  /** Whether it takes nothing more. Code that runs within by then stands outside. */
  abstract get hasEnded(): boolean;

  /** Whether what is read now is for this request alone: it may have changes in it that no other request sees yet, or ever. */
  abstract get readsItsOwn(): boolean;

  /** Has something done once it has ended with success; otherwise never. @param work must not throw */
  abstract afterSuccess(work: () => void): void;
}

const scopes = new AsyncLocalStorage<RequestScope>();

/** How many scopes are under way in this process. */
let underWay = 0;

/** Runs what stands outside of every request: it is taken when the process starts. */
const outside = AsyncLocalStorage.snapshot();

/**
 * Has scopes found until the work is done: in between, a storage is enabled that makes every `await` of the process cost a fifth to two fifths
 * more in Node.js 20.
 */
export async function whileScopesAreFound<Result>(work: () => Promise<Result>): Promise<Result> {
  underWay += 1;
  try {
    return await work();
  } finally {
    underWay -= 1;
    if (underWay === 0) scopes.disable();
  }
}

/** Does work within a scope, which is found only {@link whileScopesAreFound}. */
export function withinScope<Result>(scope: RequestScope, work: () => Result): Result {
  return scopes.run(scope, work);
}

/** The scope that the calling code stands in; undefined for none, as in nearly all requests. */
export function currentScope(): RequestScope | undefined {
  const scope = underWay === 0 ? undefined : scopes.getStore();
  return scope?.hasEnded === true ? undefined : scope;
}

/**
 * Does at once what several requests share, or may come to share: outside of the scope of the one that begins it, whose transaction is none of
 * the others', and ends without waiting for them. It stays in the trace of that request.
 */
export function forSeveralRequests<Result>(work: () => Result): Result {
  return underWay === 0 ? work() : scopes.exit(work);
}

/** Does at once what goes on by itself, such as a round of background work: outside of the request, and of its trace. */
export function onItsOwn<Result>(work: () => Result): Result {
  return outside(work);
}

/**
 * Does what a request has begun for later {@link onItsOwn}, when the changes of the request can be seen: at once, unless they are still to be
 * committed. A request that fails has nothing done.
 *
 * @param work must not throw
 */
export function behindRequest(work: () => void): void {
  const scope = currentScope();
  if (scope === undefined) onItsOwn(work);
  else scope.afterSuccess(() => onItsOwn(work));
}
