import http, { type RequestListener, type ServerOptions, type ServerResponse } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response, type RequestHandler } from 'express';
import { onItsOwn } from '../concurrency/request-scope.js';
import { isConditionalGet, Representation } from './conditional-requests.js';
import { emptyHead, jsonHead } from './json-head.js';
import { isLargeAnswer, sendLargeAnswer } from './large-answer.js';
import { originForm } from './request-head.js';
import type { GatehouseRequest } from './request.js';
import { SLOW_CLIENT_LIMITS } from './client-connections.js';
import { errorEnvelope } from './errors/error-envelope.js';
import { RouteNotFound, WebSocketNotServed } from './errors/request.errors.js';
import { EventAnswer } from './event-answer.js';
import { MediaAnswer } from './media-answer.js';
import { TextAnswer } from './text-answer.js';

/** Answers that are no JSON of the body, or more than that. */
const SENDS_ITSELF = [Representation, TextAnswer, MediaAnswer, EventAnswer] as const;

type MessageConstructor = (this: unknown, ...values: unknown[]) => void;

/**
 * The Express adapter of Nest with less overhead.
 *
 * Express changes the prototype of every request and response that Node.js has created, which invalidates V8's inline caches
 * for all later accesses; that is most of the overhead of Express. Here Node.js creates them with Express's prototypes, so
 * that setting them again has no effect. A JSON response is written in one piece, without the checks that `response.json`
 * makes for every kind of body; a large list is written in several turns of the event loop.
 */
export class GatehouseExpressAdapter extends ExpressAdapter {
  constructor() {
    const application = express();
    // So that a path has one spelling, which the rules of a reverse proxy can rely on. Must be set before the first route is
    // added.
    application.enable('case sensitive routing');
    application.enable('strict routing');
    super(application);
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    const handle: RequestListener = (request, response) => {
      request.url = originForm(request.url!);
      application(request, response);
    };
    // Pipelined requests of one connection are processed one after another (RFC 9112, section 9.3.2). Node.js emits no
    // `close` for a response that was queued behind another one when its connection ended, so its resources would not be
    // released.
    const listener: RequestListener = (request, response) => {
      if (response.socket !== null) handle(request, response);
      // Its turn comes where the answer before it ends, which is none of its business.
      else response.once('socket', () => onItsOwn(() => handle(request, response)));
    };
    this.httpServer = http.createServer(
      {
        IncomingMessage: withPrototype(http.IncomingMessage, application.request),
        ServerResponse: withPrototype(http.ServerResponse, application.response),
        // The application itself refuses such requests, with the error envelope (checkRequestHead).
        requireHostHeader: false,
        ...SLOW_CLIENT_LIMITS,
      } as unknown as ServerOptions,
      listener,
    );
    // Node.js would answer 100 itself, before anybody has looked at the credential.
    this.httpServer.on('checkContinue', (request: GatehouseRequest, response: ServerResponse) => {
      request.awaitsContinue = true;
      this.httpServer.emit('request', request, response);
    });
    // Node.js would refuse an unknown Expect header itself; ignoring it is permitted (RFC 9110, section 10.1.1).
    this.httpServer.on('checkExpectation', listener);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    const sending = this.send(response, body, statusCode);
    if (sending instanceof Promise) return sending.finally(() => tellAnswered(response));
    tellAnswered(response);
    return sending;
  }

  /** @returns a promise where the answer takes more than one turn of the event loop until it is handed to the connection */
  private send(response: Response, body: unknown, statusCode?: number): unknown {
    if (SENDS_ITSELF.some((type) => body instanceof type)) {
      (body as TextAnswer).send(response);
      return undefined;
    }
    if (body === undefined) {
      const { requestId } = response.req as GatehouseRequest;
      return response.writeHead(statusCode ?? response.statusCode, emptyHead(requestId)).end();
    }
    if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype) {
      return super.reply(response, body, statusCode) as unknown;
    }
    const { requestId, handler } = response.req as GatehouseRequest;
    const status = statusCode ?? response.statusCode;
    if (handler !== undefined && status < 300 && isConditionalGet(handler)) {
      Representation.ofJson(body).send(response);
      return undefined;
    }
    if (isLargeAnswer(body)) return sendLargeAnswer(response, status, body);
    const text = JSON.stringify(body);
    response.writeHead(status, jsonHead(requestId, Buffer.byteLength(text)));
    return response.end(text);
  }

  override status(response: Response, statusCode: number): unknown {
    // Express's method would check that it is a number, which is certain: it comes from decorators and errors of this
    // service.
    response.statusCode = statusCode;
    return response;
  }
}

function tellAnswered(response: Response): void {
  (response.req as GatehouseRequest).answered?.(response);
}

// A plain function that calls the original, because Reflect.construct and subclasses are slower.
function withPrototype(original: unknown, prototype: object): MessageConstructor {
  const construct = original as MessageConstructor;
  function Message(this: unknown, first: unknown, second: unknown): void {
    construct.call(this, first, second);
  }
  // V8 reserves room for as many properties in an object as the chain of its constructors suggests. Without that room, it would keep
  // these objects as dictionaries, which makes every access slower.
  Object.setPrototypeOf(Message, construct);
  Message.prototype = prototype;
  return Message;
}

/**
 * Refuses to open a WebSocket at `GET /responses` with a 426, also without a credential: clients of OpenAI's that try one first go on by
 * `POST` at once then, and repeat the attempt after any other status (docs/interface/responses.md#not-served).
 */
export function refuseWebSocket(adapter: GatehouseExpressAdapter, apiBasePath: string): RequestHandler {
  return (request, response, next) => {
    const isUpgrade = request.headers.upgrade !== undefined && request.method === 'GET';
    if (!isUpgrade || request.path !== `${apiBasePath}/responses`) {
      next();
      return;
    }
    const { status, metadata } = new WebSocketNotServed();
    // A 426 names a protocol (RFC 9110, section 15.5.22): there is nothing at this path but the WebSocket of OpenAI's interface.
    response.setHeader('Upgrade', 'websocket');
    response.setHeader('Connection', 'Upgrade, close');
    adapter.reply(response, errorEnvelope(status, (request as GatehouseRequest).requestId, metadata), status);
  };
}

/** Responds to unknown paths with the error envelope. */
export function answerUnknownPath(adapter: GatehouseExpressAdapter): RequestHandler {
  return (request, response) => {
    const { status, metadata } = new RouteNotFound();
    const { requestId } = request as GatehouseRequest;
    adapter.reply(response, errorEnvelope(status, requestId, metadata), status);
  };
}
