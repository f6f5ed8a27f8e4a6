import http, { type RequestListener, type ServerOptions } from 'node:http';
import { ExpressAdapter } from '@nestjs/platform-express';
import express, { type Express, type Response } from 'express';
import { jsonHead } from './json-head.js';
import { isLargeList, sendLargeList } from './large-answer.js';
import { originForm } from './origin-form.js';
import type { GatehouseRequest } from './request.js';
import { Rendition } from './revalidation/rendition.js';
import { sendRendition } from './revalidation/send-rendition.js';
import { SLOW_CLIENT_LIMITS } from './slow-clients.js';

type MessageConstructor = (this: unknown, ...values: unknown[]) => void;

/**
 * Express without what it costs by default.
 *
 * Express sets the prototype of every request and response after Node has made them, which undoes V8's inline caches
 * for all later accesses; that is most of what Express costs. Here Node makes them with Express's prototypes in the
 * first place, so that setting them again changes nothing. A JSON answer is written in one piece, without the checks
 * that `response.json` makes for every kind of body; a large list is written in several turns of the event loop.
 */
export class WarmExpressAdapter extends ExpressAdapter {
  constructor() {
    const application = express();
    // Rules of a proxy in front are about one spelling of a path, so there is one. Read when the first route is added.
    application.enable('case sensitive routing');
    application.enable('strict routing');
    super(application);
  }

  override initHttpServer(): void {
    const application = this.getInstance<Express>();
    const listener: RequestListener = (request, response) => {
      request.url = originForm(request.url!);
      application(request, response);
    };
    this.httpServer = http.createServer(
      {
        IncomingMessage: withPrototype(http.IncomingMessage, application.request),
        ServerResponse: withPrototype(http.ServerResponse, application.response),
        // Refused by the application, in the envelope (requireHost).
        requireHostHeader: false,
        ...SLOW_CLIENT_LIMITS,
      } as unknown as ServerOptions,
      listener,
    );
    // Node would answer an expectation that it does not know by itself; it may as well be ignored (RFC 9110, 10.1.1).
    this.httpServer.on('checkExpectation', listener);
  }

  override reply(response: Response, body: unknown, statusCode?: number): unknown {
    if (body instanceof Rendition) return sendRendition(response, body);
    if (typeof body !== 'object' || body === null || Object.getPrototypeOf(body) !== Object.prototype) {
      return super.reply(response, body, statusCode) as unknown;
    }
    if (isLargeList(body)) return sendLargeList(response, statusCode ?? response.statusCode, body);
    const text = JSON.stringify(body);
    const { requestId } = response.req as GatehouseRequest;
    response.writeHead(statusCode ?? response.statusCode, jsonHead(requestId, Buffer.byteLength(text)));
    return response.end(text);
  }

  override status(response: Response, statusCode: number): unknown {
    // Express's own checks that it is a number, which it is: it comes from our decorators and errors.
    response.statusCode = statusCode;
    return response;
  }
}

// A plain function that calls the original: constructing through Reflect or a subclass is slower than doing nothing.
function withPrototype(original: unknown, prototype: object): MessageConstructor {
  const construct = original as MessageConstructor;
  function Message(this: unknown, first: unknown, second: unknown): void {
    construct.call(this, first, second);
  }
  Message.prototype = prototype;
  return Message;
}
