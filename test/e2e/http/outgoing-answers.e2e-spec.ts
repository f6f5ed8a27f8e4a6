import http from 'node:http';
import net from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { readEnvironment } from '../../../src/config/environment.js';
import { IssuerTransport } from '../../../src/http/addresses/issuer-transport.js';
import { drop, type OutgoingAnswer } from '../../../src/http/outgoing/outgoing-answer.js';
import { OutgoingClient } from '../../../src/http/outgoing/outgoing-client.js';
import type { StreamDecoder } from '../../../src/modules/codecs/upstream-codec.js';
import { InspectionServers } from '../../../src/modules/content/inspectors/remote-request.js';
import { Mailer, MailNotSent } from '../../../src/modules/alerts/delivery/mailer.js';
import { HttpReceiverTransport } from '../../../src/modules/observability/delivery/sending/receiver-transport.js';
import { DEFAULT_TIMEOUTS } from '../../../src/modules/providers/connections/provider-connection.js';
import { TokenServices } from '../../../src/modules/providers/credentials/token-service.js';
import { FetchedImages } from '../../../src/modules/providers/upstream/fetched-images.js';
import type { UpstreamCall } from '../../../src/modules/providers/upstream/upstream-call.js';
import { newUpstreamClient } from '../../support/network/upstream-client-of-tests.js';
import { until } from '../../support/time/until.js';

/** More than is read of any answer here. */
const LARGE = 50_000_000;

const PIECE = 'x'.repeat(1_000);

/** How a server answers: what it says at once, and what it does then. */
interface Behaviour {
  readonly says: string;
  readonly then?: 'breaks off' | 'goes on';
}

const coming = (status: string): Behaviour => ({
  says: `HTTP/1.1 ${status}\r\nLocation: /elsewhere\r\nContent-Type: application/json\r\nContent-Length: ${LARGE}\r\n\r\n${PIECE}`,
  then: 'goes on',
});

const BEHAVIOURS = {
  'a 200 that is cut': {
    says: `HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: ${LARGE}\r\n\r\n${PIECE}`,
    then: 'breaks off',
  },
  'a 204': { says: 'HTTP/1.1 204 No Content\r\n\r\n' },
  'a 302 whose body is still coming': coming('302 Found'),
  'a 404 whose body is still coming': coming('404 Not Found'),
  'a 503 whose body is still coming': coming('503 Service Unavailable'),
  'a reset': { says: '', then: 'breaks off' },
  'an endless 200': {
    says: 'HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n',
    then: 'goes on',
  },
} as const satisfies Readonly<Record<string, Behaviour>>;

type BehaviourName = keyof typeof BEHAVIOURS;

/** A server that answers every request in one way. */
class Server {
  readonly sockets = new Set<net.Socket>();
  answered = 0;

  private constructor(
    private readonly server: net.Server,
    readonly url: string,
  ) {}

  /** @param begins what the server answers: the first bytes of a request, or the connection itself */
  static async start({ says, then }: Behaviour, begins: 'data' | 'connection' = 'data'): Promise<Server> {
    const listening = net.createServer();
    await new Promise<void>((resolve) => listening.listen(0, '127.0.0.1', resolve));
    const server = new Server(listening, `http://127.0.0.1:${(listening.address() as net.AddressInfo).port}/there`);
    listening.on('connection', (socket) => {
      server.sockets.add(socket.on('error', () => undefined).once('close', () => server.sockets.delete(socket)));
      const answer = (): void => {
        socket.write(says, () => {
          server.answered += 1;
          // Behind the head, so that the answer breaks off while it is read.
          if (then === 'breaks off') setImmediate(() => socket.resetAndDestroy());
        });
        if (then === 'goes on') goOn(socket, says.includes('chunked'));
      };
      if (begins === 'data') socket.once('data', answer);
      else answer();
    });
    return server;
  }

  async stop(): Promise<void> {
    for (const socket of this.sockets) socket.destroy();
    await new Promise((resolve) => this.server.close(resolve));
  }
}

/** Writes as fast as it is read, until the connection is closed. */
function goOn(socket: net.Socket, inChunks: boolean): void {
  const more = 'y'.repeat(16_384);
  const write = (): void => {
    if (!socket.destroyed) socket.write(inChunks ? `4000\r\n${more}\r\n` : more, () => setImmediate(write));
  };
  write();
}

/** A way to call servers outside. */
interface Transport {
  /** Calls the server, and reads what it reads of the answer. @returns what came of it */
  call(url: string, signal: AbortSignal): Promise<unknown>;
  close(): Promise<unknown>;
  /** What comes of each behaviour: what was read, or a part of the error's message. */
  readonly outcomes: Readonly<Record<BehaviourName, unknown>>;
}

const environment = readEnvironment({
  ALLOW_PRIVATE_IMAGE_ADDRESSES: 'true',
  ALLOW_PRIVATE_DESTINATIONS: 'true',
  OIDC_ALLOW_PRIVATE_ISSUERS: 'true',
});

const outcomes = (...values: readonly unknown[]): Transport['outcomes'] =>
  Object.fromEntries(Object.keys(BEHAVIOURS).map((name, at) => [name, values[at]])) as Transport['outcomes'];

const TRANSPORTS: Readonly<Record<string, () => Transport>> = {
  'documents of providers': () => {
    const client = newUpstreamClient();
    return {
      call: (url, signal) => client.document(callOf(url, signal)),
      close: () => client.onApplicationShutdown(),
      outcomes: outcomes('broke off', 'not JSON', 'redirect', '404', '503', 'ECONNRESET', '67108864 bytes'),
    };
  },
  'streams of providers': () => {
    const client = newUpstreamClient();
    return {
      async call(url, signal) {
        const decoder: StreamDecoder<never> = {
          read: () => undefined,
          hasAnswerPart: () => false,
          isLast: () => false,
          hasFinished: () => false,
          ended: () => undefined,
          longestEvent: 1_000,
        };
        for await (const part of client.events(() => callOf(url, signal), decoder)) expect(part).toBeDefined();
      },
      close: () => client.onApplicationShutdown(),
      outcomes: outcomes('broke off', undefined, 'redirect', '404', '503', 'ECONNRESET', '1000 bytes'),
    };
  },
  'audio of providers': () => {
    const client = newUpstreamClient();
    return {
      async call(url, signal) {
        for await (const piece of (await client.audio(callOf(url, signal))).pieces)
          expect(piece.length).toBeGreaterThan(0);
      },
      close: () => client.onApplicationShutdown(),
      outcomes: outcomes('broke off', undefined, 'redirect', '404', '503', 'ECONNRESET', '67108864 bytes'),
    };
  },
  'images by address': () => {
    const images = new FetchedImages(environment);
    return {
      call: (url, signal) => images.at(url, { signal }),
      close: () => images.onApplicationShutdown(),
      outcomes: outcomes('UND_ERR_SOCKET', '204', '302', '404', '503', 'ECONNRESET', '33554432 bytes'),
    };
  },
  'issuers and their keys': () => {
    const issuers = new IssuerTransport(environment);
    return {
      call: async (url, signal) => (await issuers.fetch(url, { signal })).status,
      close: () => issuers.onApplicationShutdown(),
      outcomes: outcomes('UND_ERR_SOCKET', 204, 'large', 'large', 'large', 'ECONNRESET', 'large'),
    };
  },
  'token services': () => {
    const services = new TokenServices(environment);
    const away = 'does not answer';
    return {
      call: async (url) => (await services.ask({ service: 'A cloud', url })).text,
      close: () => services.close(),
      outcomes: outcomes(away, '', away, away, away, away, away),
    };
  },
  'receivers of deliveries and alerts': () => {
    const receivers = new HttpReceiverTransport(environment);
    return {
      call: async (url, signal) =>
        (await receivers.endingWith(signal).send({ method: 'POST', url, headers: {}, body: '{}' })).status,
      close: () => receivers.onApplicationShutdown(),
      outcomes: outcomes('UND_ERR_SOCKET', 204, 302, 404, 503, 'ECONNRESET', 200),
    };
  },
  'servers that inspect texts': () => {
    const servers = new InspectionServers(environment);
    return {
      call: (url, signal) => servers.ask({ url, body: {}, timeoutMs: 60_000, signal }),
      close: () => servers.close(),
      outcomes: outcomes('did not answer', 'no JSON', '302', '404', '503', 'did not answer', 'large'),
    };
  },
};

function callOf(url: string, signal: AbortSignal): UpstreamCall {
  return {
    upstream: {
      provider: 'alpha',
      baseUrl: new URL(url).origin,
      apiKey: null,
      timeouts: DEFAULT_TIMEOUTS,
    },
    organizationId: 'org_1',
    path: '/there',
    headers: {},
    keyHeader: 'authorization',
    body: {},
    signal,
  };
}

const NAMES = Object.keys(BEHAVIOURS) as BehaviourName[];

/** Runs work with a server that answers in one way, and lets what it left behind come. */
async function withServer(name: BehaviourName, work: (server: Server) => Promise<void>): Promise<void> {
  const server = await Server.start(BEHAVIOURS[name]);
  try {
    await work(server);
  } finally {
    await server.stop();
    // An error that nothing listens for comes a turn behind the end of its connection, and fails the test.
    for (let count = 0; count < 3; count += 1) await turn();
  }
}

describe.each(Object.entries(TRANSPORTS))('%s', (_, transportOf) => {
  it.each(NAMES)('read what there is of %s', async (name) => {
    await withServer(name, async (server) => {
      const transport = transportOf();
      const { outcomes: expected } = transport;

      const came = transport.call(server.url, new AbortController().signal);

      if (typeof expected[name] === 'string' && expected[name] !== '') {
        await expect(came).rejects.toThrow(expected[name]);
      } else expect(await came).toBe(expected[name]);
      await transport.close();
    });
  });

  it.each(NAMES)('leave %s while it comes', async (name) => {
    await withServer(name, async (server) => {
      const transport = transportOf();
      const leaving = new AbortController();
      const came = transport.call(server.url, leaving.signal).then(
        () => 'came',
        () => 'failed',
      );
      await until(() => Promise.resolve(server.answered > 0));

      leaving.abort(new Error('left'));

      await transport.close();
      expect(['came', 'failed']).toContain(await came);
    });
  });
});

const SETTINGS = { connectTimeoutMs: 60_000, keepAliveMs: 60_000, maximumHead: 16_384, addresses: undefined };

/** What can be done with an answer. */
const USES: Readonly<Record<string, (answer: OutgoingAnswer) => unknown>> = {
  'not read': () => undefined,
  'given up': ({ body }) => drop(body),
  'given up twice': ({ body }) => {
    drop(body);
    drop(body);
  },
  'given up when something was read': ({ body }) => body.once('data', () => drop(body)),
  destroyed: ({ body }) => body.destroy(),
};

describe.each(Object.entries(USES))('an answer of a server outside that is %s', (_, use) => {
  it.each(NAMES)('ends no process: %s', async (name) => {
    await withServer(name, async (server) => {
      const client = new OutgoingClient(environment, SETTINGS);
      const answer = await client.send(server.url, { signal: new AbortController().signal }).catch(() => undefined);

      if (answer !== undefined) use(answer);

      expect(answer === undefined).toBe(name === 'a reset');
      await client.close();
    });
  });
});

/** What a mail server says, and whether the connection breaks off then. */
const MAIL_BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  'is reset before its greeting': { says: '', then: 'breaks off' },
  'is reset behind its greeting': { says: '220 mail.example.com ready\r\n', then: 'breaks off' },
  'refuses with its greeting': { says: '554 no service\r\n' },
  'says no SMTP behind its greeting': { says: '220 mail.example.com ready\r\nnot SMTP\r\n', then: 'breaks off' },
};

describe('a mail server for alerts whose connection', () => {
  it.each(Object.keys(MAIL_BEHAVIOURS))('%s', async (name) => {
    const server = await Server.start(MAIL_BEHAVIOURS[name]!, 'connection');
    const smtpUrl = `smtp://${new URL(server.url).host}`;
    const mailer = new Mailer(
      readEnvironment({
        SMTP_URL: smtpUrl,
        SMTP_FROM: 'gatehouse@example.com',
        PUBLIC_URL: 'https://gate.example.com',
      }),
    );

    const sent = mailer.send({ to: 'person@example.com', subject: 'An alert', text: 'Look.', id: 'one' });

    await expect(sent).rejects.toThrow(MailNotSent);
    mailer.onApplicationShutdown();
    await server.stop();
    await turn();
  });
});

describe('an answer that is given up', () => {
  it('leaves its connection for the next request if it is short, and closes it otherwise', async () => {
    const client = new OutgoingClient(environment, SETTINGS);
    const sockets = new Set<unknown>();
    const server = http.createServer((request, response) => {
      sockets.add(request.socket);
      response.writeHead(404).end('x'.repeat(request.url === '/long' ? 1_000_000 : 1_000));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const origin = `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`;
    const given = async (path: string): Promise<void> => {
      const { body } = await client.send(`${origin}${path}`, { signal: new AbortController().signal });
      drop(body);
      await until(() => Promise.resolve(body.closed));
    };

    await given('/short');
    await given('/short');
    expect(sockets.size).toBe(1);
    await given('/long');
    await given('/short');
    expect(sockets.size).toBe(2);

    await client.close();
    await new Promise((resolve) => server.close(resolve));
  });
});
