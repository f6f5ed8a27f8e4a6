import 'reflect-metadata';
import { randomUUID } from 'node:crypto';
import http, { type IncomingMessage, type ServerResponse } from 'node:http';
import pg from 'pg';
import { jsonHead, conditionalHead } from '../../src/http/json-head.js';
import { Representation } from '../../src/http/conditional-requests.js';
import { PLANNING_OPTIONS } from '../../src/persistence/connection-options.js';
import { authenticate } from './authenticate.js';
import { type FloorOperation, operationOf } from './operations.js';

// The floor of management: what the hardware gives a service that makes the same answers from the same statements with nothing between
// socket and database but this file. Not a service: it trusts every body, and knows no error but 500.

const pool = new pg.Pool({
  connectionString: process.env['DATABASE_URL'],
  max: 20,
  // As in the service.
  options: PLANNING_OPTIONS,
});

const server = http.createServer((request, response) => {
  const url = request.url ?? '';
  const operation = operationOf(request.method ?? '', url);
  if (operation === undefined) {
    send(response, 404, {});
    return;
  }
  answer(request, response, operation).catch((error: unknown) => send(response, 500, { message: String(error) }));
});

server.listen(Number(process.env['PORT']), '127.0.0.1');

async function answer(request: IncomingMessage, response: ServerResponse, operation: FloorOperation): Promise<void> {
  const { id: credentialId, organization_id: organizationId } = await authenticate(pool, request.headers.authorization);
  const body = operation.hasBody ? await readJson(request) : {};
  const answered = await operation.answer({
    pool,
    organizationId,
    credentialId,
    url: request.url!,
    body,
  });
  if (answered instanceof Representation) sendKept(request, response, answered);
  else send(response, operation.status, answered);
}

function readJson(request: IncomingMessage): Promise<Record<string, never>> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('error', reject);
    request.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString('utf8')) as Record<string, never>));
  });
}

function send(response: ServerResponse, status: number, body: object): void {
  const text = JSON.stringify(body);
  response.writeHead(status, jsonHead(randomUUID(), Buffer.byteLength(text)));
  response.end(text);
}

/** What its caller may have already. */
function sendKept(request: IncomingMessage, response: ServerResponse, kept: Representation): void {
  const { content, contentType, entityTag } = kept;
  const head = conditionalHead(randomUUID(), entityTag);
  if (request.headers['if-none-match'] === entityTag) {
    response.writeHead(304, head);
    response.end();
    return;
  }
  response.writeHead(200, ['Content-Type', contentType, 'Content-Length', String(content.length), ...head]);
  response.end(content);
}
