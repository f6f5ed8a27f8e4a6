/** An answer, read. */
export interface Answer<Body = unknown> {
  readonly status: number;
  readonly headers: Headers;
  readonly body: Body;
  /** The body as it came. */
  readonly text: string;
  /** Whether the answer had its end, and not only its connection. */
  readonly isWhole?: boolean;
}

/** What a request carries besides its method and path. */
export interface RequestOptions {
  /** The bearer credential; none when left out. */
  readonly key?: string;
  /** Sent as JSON. */
  readonly json?: unknown;
  /** Sent as it is, in place of json. */
  readonly raw?: string | Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
}

/** The error envelope, as far as tests look into it. */
export interface ErrorBody {
  readonly error: {
    readonly code: number;
    readonly message: string;
    readonly metadata: { readonly reason: string; readonly issues?: { path: string; message: string }[] };
    readonly availability?: object;
  };
  readonly service_metadata: { readonly request_id: string };
  readonly user_id?: string;
}

/** Calls an application over HTTP. */
export class ApiClient {
  /** @param baseUrl what stands before the paths of operations */
  constructor(private readonly baseUrl: string) {}

  get<Body>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('GET', path, options);
  }

  post<Body>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('POST', path, options);
  }

  put<Body>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('PUT', path, options);
  }

  patch<Body>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('PATCH', path, options);
  }

  delete<Body>(path: string, options?: RequestOptions): Promise<Answer<Body>> {
    return this.send('DELETE', path, options);
  }

  async send<Body>(method: string, path: string, options: RequestOptions = {}): Promise<Answer<Body>> {
    const { key, json, raw, headers } = options;
    const body = raw ?? (json === undefined ? undefined : JSON.stringify(json));
    const response = await fetch(`${this.baseUrl}${path}`, {
      method,
      headers: {
        ...(key !== undefined && { authorization: `Bearer ${key}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    const { text, isWhole } = await readAnswer(response);
    return {
      status: response.status,
      headers: response.headers,
      text,
      isWhole,
      body: (isJson(response) ? JSON.parse(text) : text) as Body,
    };
  }
}

/** Reads what comes of a body, also where its connection ends before it does. */
export async function readAnswer({ body }: Response): Promise<{ readonly text: string; readonly isWhole: boolean }> {
  const decoder = new TextDecoder();
  let text = '';
  try {
    for await (const piece of body ?? []) text += decoder.decode(piece as Uint8Array, { stream: true });
    return { text, isWhole: true };
  } catch {
    return { text, isWhole: false };
  }
}

/** Feeds are none, and a 304 has no body. */
function isJson(response: Response): boolean {
  return response.headers.get('content-type')?.startsWith('application/json') === true;
}
