import net from 'node:net';
import { type ByteAnswer, answersIn } from './byte-answers.js';

/** How a connection came to its end. */
export interface ConnectionEnd {
  /** `closed` by the service in order, or the code of the error that broke it. */
  readonly how: string;
  /** On the clock of `performance.now()`. */
  readonly at: number;
}

/** A connection that sends bytes, as no HTTP client would, and reads what comes back. */
export class ByteConnection {
  readonly openedAt = performance.now();
  /** Resolves when it is there, or when it has failed. */
  readonly opened: Promise<void>;
  /** Undefined while it is open. */
  end: ConnectionEnd | undefined;
  private readonly socket: net.Socket;
  private received: Buffer = Buffer.alloc(0);
  private wake: () => void = () => undefined;

  constructor(origin: string) {
    const { hostname, port } = new URL(origin);
    this.socket = net.connect({ host: hostname, port: Number(port), noDelay: true });
    this.opened = new Promise((resolve) => {
      this.socket.once('connect', resolve);
      this.socket.once('close', () => resolve());
    });
    this.socket.on('data', (chunk) => {
      this.received = Buffer.concat([this.received, chunk]);
      this.wake();
    });
    this.socket.once('end', () => this.finish('closed'));
    this.socket.once('error', (error: NodeJS.ErrnoException) => this.finish(error.code ?? error.message));
    this.socket.once('close', () => this.finish('closed'));
  }

  get isOpen(): boolean {
    return this.end === undefined;
  }

  /** Everything that came, byte for byte. */
  get bytes(): Buffer {
    return this.received;
  }

  /** The answers that are there in full. */
  get answers(): readonly ByteAnswer[] {
    return answersIn(this.received);
  }

  /** Sends bytes; a text is sent a byte for each character. */
  send(bytes: string | Uint8Array): void {
    this.socket.write(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes);
  }

  /** Waits until there are so many answers, or the connection has ended, but not longer than this. */
  async wait(answers: number, timeoutMs: number): Promise<void> {
    const deadline = performance.now() + timeoutMs;
    while (this.isOpen && this.answers.length < answers) {
      const left = deadline - performance.now();
      if (left <= 0) return;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, left);
        this.wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }

  /** Says that nothing more is coming. */
  halfClose(): void {
    this.socket.end();
  }

  /** Breaks it off, as a crash does, so that whatever the service still writes on it fails. */
  reset(): void {
    this.socket.resetAndDestroy();
  }

  destroy(): void {
    this.socket.destroy();
  }

  private finish(how: string): void {
    this.end ??= { how, at: performance.now() };
    this.wake();
  }
}
