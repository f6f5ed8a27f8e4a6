import createClient from 'openapi-fetch';
import { keepDraftsForSignIn } from './kept-drafts';
import type { paths } from './schema';

/** Where this file was loaded from: a folder below the console, whatever path prefix a proxy has added. */
const HERE = import.meta.url;

/** The path of the console, with a slash at its end. */
export const CONSOLE_PATH = import.meta.env.DEV ? '/console/' : new URL('..', HERE).pathname;

function besideConsole(path: string): string {
  return new URL(`../${path}`, new URL(CONSOLE_PATH, location.origin)).pathname;
}

/** The sign-in page, which leads back here. */
export function signInPath(): string {
  const back = new URLSearchParams({ return_to: `${location.pathname}${location.search}` });
  return `${besideConsole('auth/login')}?${back}`;
}

/** Where people sign in once more with the provider of an organization, because they did so too long ago for what they want to do. */
export function signInAgainPath(organizationId: string): string {
  const query = new URLSearchParams({ organization: organizationId, step_up: 'true', return_to: location.pathname });
  return `${besideConsole('auth/login')}?${query}`;
}

/** The whole address of a path of the service, as others are told it. */
export function addressOf(path: string): string {
  return new URL(`../${path}`, new URL(CONSOLE_PATH, location.origin)).href;
}

/** Where a form is sent to sign out. */
export function signOutPath(): string {
  return besideConsole('auth/logout');
}

/**
 * The operations of the service, typed by its OpenAPI document. They are those of the API, but below the console's path, where the session's
 * cookie counts. The document names them with the prefix of the API, which the console keeps whatever API_BASE_PATH is.
 */
export const api = createClient<paths>({ baseUrl: CONSOLE_PATH.slice(0, -1) });

/** The paths of what a person is changing although files configure it (docs/configuration.md#owners). */
const overridden = new Set<string>();

api.use({
  async onRequest({ request }) {
    const url = new URL(request.url);
    if (request.method === 'GET' || !overridden.has(url.pathname)) return undefined;
    url.searchParams.set('override', 'true');
    const { method, headers, signal } = request;
    const body = await request.text();
    return new Request(url, { method, headers, signal, ...(body !== '' && { body }) });
  },
});

/** Does work in which an object is changed although files configure it. */
export async function overridingFiles<Result>(path: string | undefined, work: () => Promise<Result>): Promise<Result> {
  if (path === undefined) return work();
  overridden.add(path);
  try {
    return await work();
  } finally {
    overridden.delete(path);
  }
}

/** The status of a change of an object that is not as it was read. */
export const CHANGED_MEANWHILE = 412;

/** An issue with one field of a request. */
export interface Issue {
  readonly path: string;
  readonly message: string;
}

/** A change that was refused because files configure the object. */
export interface RefusedByFiles {
  readonly owner: string;
  /** Of the request. */
  readonly path: string;
}

/** What the service answered instead of a result, or that it could not be reached (status 0). */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  /** Does the change nevertheless that {@link files} have refused. */
  override?: () => void;

  constructor(
    readonly status: number,
    message: string,
    readonly reason?: string,
    readonly issues: readonly Issue[] = [],
    readonly required: readonly string[] = [],
    readonly files?: RefusedByFiles,
  ) {
    super(message);
  }

  /** The issue of one field of a form, or of something in it. @param path as the interface names it */
  issueOf(path: string): string | undefined {
    const isAbout = (other: string): boolean =>
      other === path || other.startsWith(`${path}.`) || other.startsWith(`${path}[`);
    return this.issues.find((issue) => isAbout(issue.path))?.message;
  }
}

/** What openapi-fetch resolves to. */
interface Answer<Data> {
  readonly data?: Data;
  readonly error?: unknown;
  readonly response: Response;
}

/** The body of an answer. @throws ApiError; without a session the browser goes to the sign-in page as well */
export async function answered<Data>(request: Promise<Answer<Data>>): Promise<Data> {
  const { data, error, response } = await request.catch((cause: unknown) => {
    if (cause instanceof DOMException && cause.name === 'AbortError') throw cause;
    throw new ApiError(0, 'Gatehouse cannot be reached. Check your connection and try again.');
  });
  // An answer without a body is one too.
  if (response.ok) return data as Data;
  const refusal = errorOf(response.status, error, response.url);
  // A key that was given to a page is refused with 401 too, and the session goes on.
  if (refusal.reason === 'session_missing') {
    keepDraftsForSignIn();
    location.assign(signInPath());
  }
  throw refusal;
}

/** One object, with the entity tag of the state in which it was read. */
export interface Tagged<Data> {
  readonly data: Data;
  /** Null where the answer has none. */
  readonly tag: string | null;
}

/** One object of an answer, to be changed in the state in which it is shown. @throws ApiError as {@link answered} */
export async function tagged<Data>(request: Promise<Answer<{ readonly data: Data }>>): Promise<Tagged<Data>> {
  let tag: string | null = null;
  const { data } = await answered(
    request.then((answer) => {
      tag = answer.response.headers.get('ETag');
      return answer;
    }),
  );
  return { data, tag };
}

/** The header of a change that is only made if the object is as it was read. */
export function ifMatch(tag: string | null): { readonly 'If-Match'?: string } {
  return tag === null ? {} : { 'If-Match': tag };
}

/**
 * The tag of an object that a list has shown: lists have none, so the object is read, and compared with what was shown.
 *
 * @throws ApiError as the change itself would, if it has been changed meanwhile
 */
export async function tagOfShown<Data>(
  request: Promise<Answer<{ readonly data: Data }>>,
  isAsShown: (data: Data) => boolean,
): Promise<string | null> {
  const { data, tag } = await tagged(request);
  if (!isAsShown(data)) throw new ApiError(CHANGED_MEANWHILE, 'Precondition Failed');
  return tag;
}

/** What the body of an answer says that is no result. @param url that was asked, where it was not answered with a stream */
export function errorOf(status: number, body: unknown, url?: string): ApiError {
  const envelope = asRecord(asRecord(body)['error']);
  const { reason, issues, required, owner } = asRecord(envelope['metadata']);
  const message = typeof envelope['message'] === 'string' ? envelope['message'] : `The service answered ${status}.`;
  return new ApiError(
    status,
    message,
    typeof reason === 'string' ? reason : undefined,
    (Array.isArray(issues) ? issues : []).map(asRecord).map((issue) => ({
      path: String(issue['path']),
      message: String(issue['message']),
    })),
    (Array.isArray(required) ? required : []).map(String),
    url !== undefined && reason === 'object_managed_by_files'
      ? { owner: String(owner), path: new URL(url).pathname }
      : undefined,
  );
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
