import { extentWithin, heapBytesOf, parsedIfJson, parsedWithin } from '../../../http/input/json-bounds.js';
import { type AnswerMemory, UNCOUNTED_MEMORY } from '../../../http/input/request-memory.js';
import type { AllowedAddresses } from '../../../http/addresses/allowed-addresses.js';
import type { Environment } from '../../../config/environment.js';
import { beginningOf, drop, type OutgoingAnswer } from '../../../http/outgoing/outgoing-answer.js';
import { OutgoingClient } from '../../../http/outgoing/outgoing-client.js';
import { ServerSentEvents } from '../../providers/upstream/server-sent-events.js';
import { McpFailure } from './mcp-failure.js';

/** How long making a connection may take and an idle one stays, in milliseconds, and the longest head of an answer. */
const CONNECTIONS = { connectTimeoutMs: 10_000, keepAliveMs: 4_000, maximumHead: 16_384 };

/** The largest answer: a result may have pictures in base64. */
const MAXIMUM_ANSWER_BYTES = 16_777_216;

/** The largest error that is read of an answer with another status than 2xx. */
const MAXIMUM_ERROR_BYTES = 65_536;

/** What a message may hold. */
const MESSAGE_BOUNDS = { depth: 64, values: 200_000 };

/** How many messages there may be in a stream of one answer. */
const MAXIMUM_MESSAGES = 10_000;

/** A request to a server. */
export interface McpPost {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: object;
  readonly signal: AbortSignal;
  /** What the answer is counted toward, until it is released with its request; nothing if absent. */
  readonly memory?: AnswerMemory | undefined;
}

/** What a server answers, when its head has come. */
export interface McpAnswer {
  readonly status: number;
  /** The session that it has opened; undefined for none. */
  readonly sessionId: string | undefined;
  /** The one message of an answer that is no stream; undefined for none, and for what is no JSON within bounds. */
  readonly message?: unknown;
  /** The messages of a stream, as they come. @throws McpFailure */
  readonly messages?: AsyncIterable<unknown>;
}

/** Sends messages to MCP servers over Streamable HTTP, and reads their answers within bounds. */
export class McpTransport {
  private readonly client: OutgoingClient;

  constructor(environment: Pick<Environment, 'egressProxies'>, allowed: AllowedAddresses) {
    const refusal = (): Error => new McpFailure('the address leads into a private network');
    this.client = new OutgoingClient(environment, { ...CONNECTIONS, addresses: { allowed, refusal } });
  }

  /**
   * Sends a message.
   *
   * @throws McpFailure for no answer, a redirect, or one that is too large
   * @throws the reason of the signal, which is an AnswerMemoryExhausted where there is no memory for the answer
   */
  async post({ url, headers, body, signal, memory = UNCOUNTED_MEMORY }: McpPost): Promise<McpAnswer> {
    const request = {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body: JSON.stringify(body),
      signal,
    };
    return this.failing(signal, async () => this.read(await this.client.send(url, request), signal, memory));
  }

  /** Opens the stream of a session. @throws as {@link post} does */
  async listen({ url, headers, signal }: Omit<McpPost, 'body' | 'memory'>): Promise<McpAnswer> {
    const request = { method: 'GET', headers: { accept: 'text/event-stream', ...headers }, signal };
    return this.failing(signal, async () => this.read(await this.client.send(url, request), signal, UNCOUNTED_MEMORY));
  }

  /** Ends a session. @returns the HTTP status of the answer @throws as {@link post} does */
  async end({ url, headers, signal }: Omit<McpPost, 'body'>): Promise<number> {
    const { status, body } = await this.failing(signal, () =>
      this.client.send(url, { method: 'DELETE', headers, signal }),
    );
    drop(body);
    return status;
  }

  close(): Promise<void> {
    return this.client.close();
  }

  private async read(answer: OutgoingAnswer, signal: AbortSignal, memory: AnswerMemory): Promise<McpAnswer> {
    const { status, headers, body } = answer;
    const session = headers['mcp-session-id'];
    const head = { status, sessionId: typeof session === 'string' && isSession(session) ? session : undefined };
    const type = String(headers['content-type'] ?? '')
      .split(';', 1)[0]!
      .trim()
      .toLowerCase();
    if (status >= 300 && status <= 399) {
      drop(body);
      throw new McpFailure('the server redirects, which is not followed', status);
    }
    if (status <= 299 && type === 'text/event-stream')
      return { ...head, messages: this.streamed(body, signal, memory) };
    const message = status <= 299 ? await wholeMessage(body, memory) : await refusalIn(body);
    return { ...head, ...(message !== undefined && { message }) };
  }

  private async *streamed(
    body: OutgoingAnswer['body'],
    signal: AbortSignal,
    memory: AnswerMemory,
  ): AsyncGenerator<unknown, void> {
    const events = new ServerSentEvents(MAXIMUM_ANSWER_BYTES);
    let [bytes, messages, unread] = [0, 0, 0];
    const source = body[Symbol.asyncIterator]() as AsyncIterator<Uint8Array>;
    try {
      for (let hasEnded = false; !hasEnded;) {
        const next = await this.failing(signal, () => source.next());
        hasEnded = next.done === true;
        const piece = hasEnded ? undefined : (next.value as Uint8Array);
        if (piece === undefined) events.end();
        else events.add(piece);
        const more = piece?.length ?? 0;
        bytes += more;
        if (bytes > MAXIMUM_ANSWER_BYTES) throw new McpFailure('the answer is too large');
        await this.failing(signal, () => memory.hold(more));
        unread += more;
        for (let event = taken(events); event !== undefined; event = taken(events)) {
          if (event.data.trim() === '') continue;
          messages += 1;
          if (messages > MAXIMUM_MESSAGES) throw new McpFailure('the answer has too many messages');
          const { message, weight } = await this.failing(signal, () => heldMessage(event.data, memory));
          yield message;
          memory.release(weight);
        }
        const left = Math.min(unread, events.unfinishedLength);
        memory.release(unread - left);
        unread = left;
      }
    } finally {
      if (!body.destroyed) body.destroy();
    }
  }

  private async failing<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work();
    } catch (error) {
      signal.throwIfAborted();
      if (error instanceof McpFailure) throw error;
      const { cause } = error as Error;
      if (cause instanceof McpFailure) throw cause;
      throw new McpFailure('the server did not answer', undefined, false, { cause: error });
    }
  }
}

/** A message with what it takes of memory, in bytes, which is held; undefined for what is no JSON within bounds. @throws AnswerMemoryExhausted */
async function heldMessage(
  text: string,
  memory: AnswerMemory,
): Promise<{ readonly message: unknown; readonly weight: number }> {
  const extent = extentWithin(text, MESSAGE_BOUNDS);
  if (typeof extent === 'string') return { message: undefined, weight: 0 };
  const weight = heapBytesOf(text, extent);
  await memory.hold(weight);
  return { message: parsedIfJson(text), weight };
}

/** The message of an answer that is no stream. @throws McpFailure for one that is too large, and AnswerMemoryExhausted */
async function wholeMessage(body: OutgoingAnswer['body'], memory: AnswerMemory): Promise<unknown> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of body as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > MAXIMUM_ANSWER_BYTES) throw new McpFailure('the answer is too large');
    await memory.hold(piece.length);
    pieces.push(piece);
  }
  const { message } = await heldMessage(Buffer.concat(pieces).toString(), memory);
  memory.release(length);
  return message;
}

/** The message of an answer with another status than 2xx; undefined for a large one. */
async function refusalIn(body: OutgoingAnswer['body']): Promise<unknown> {
  const { bytes, isWhole } = await beginningOf(body, MAXIMUM_ERROR_BYTES);
  return isWhole ? parsedWithin(bytes.toString(), MESSAGE_BOUNDS) : undefined;
}

/** @throws McpFailure for what is no stream of events */
function taken(events: ServerSentEvents): ReturnType<ServerSentEvents['take']> {
  try {
    return events.take();
  } catch (error) {
    throw new McpFailure('the answer is no stream of events', undefined, false, { cause: error });
  }
}

/** Whether a text can be the id of a session: visible ASCII. */
function isSession(text: string): boolean {
  return /^[\x21-\x7e]{1,4096}$/.test(text);
}
