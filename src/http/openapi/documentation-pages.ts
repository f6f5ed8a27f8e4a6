import type { INestApplication } from '@nestjs/common';
import { openApiDocument } from './openapi-document.js';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { GatehouseRequest } from '../request.js';
import { redirectHead } from '../json-head.js';
import { sendRequestId } from '../page-request-id.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Representation } from '../conditional-requests.js';

/**
 * The headers of pages and their files; those of JSON responses are in json-head.ts. Inline styles are allowed, because
 * Swagger UI uses them; scripts only from the service itself.
 */
export function pageHeaders(): RequestHandler[] {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'self'"],
        baseUri: ["'none'"],
        formAction: ["'self'"],
        frameAncestors: ["'none'"],
        imgSrc: ["'self'", 'data:'],
        objectSrc: ["'none'"],
        styleSrc: ["'self'", "'unsafe-inline'"],
      },
    },
  });
  return [protect, sendRequestId];
}

/** Redirects `/`. @param target relative, so that it works behind a proxy that adds a path prefix */
export function redirectRoot(target: 'console' | 'docs'): RequestHandler {
  return (request, response, next) => {
    if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) {
      next();
      return;
    }
    response.writeHead(302, redirectHead((request as GatehouseRequest).requestId, target));
    response.end();
  };
}

const STYLE = `
  body { margin: 0 }
  .swagger-ui .response-col_links { display: none }
  .swagger-ui .info { margin: 24px 0 }
  .swagger-ui .scheme-container { padding: 12px 0 }
`;

/** The page of Swagger UI. @param base the path of its files, relative to the page */
function page(base: string): string {
  return `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Gatehouse</title>
    <link rel="icon" href="data:,">
    <link rel="stylesheet" href="${base}swagger-ui.css">
    <style>${STYLE}</style>
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${base}swagger-ui-bundle.js"></script>
    <script src="${base}swagger-ui-init.js"></script>
  </body>
</html>
`;
}

const SETTINGS = {
  dom_id: '#swagger-ui',
  deepLinking: true,
  docExpansion: 'none',
  filter: true,
  // The schemas are shown with the operations that use them, so the list of all schemas is left out.
  defaultModelsExpandDepth: -1,
  defaultModelExpandDepth: 2,
  displayRequestDuration: true,
  // Keys in the browser's storage would be there for everyone who uses it later.
  persistAuthorization: false,
  // By path, so that operations on a collection come before those on one item. Tags are in the order of the document.
  operationsSorter: 'alpha',
  tryItOutEnabled: true,
};

/**
 * Starts Swagger UI with the document, read as JSON: its own loader would take it for YAML, which takes seconds. It is written as OpenAPI 3.0,
 * because Swagger UI converts all of a 3.1 document before it shows anything, which takes seconds as well. Of failures only the reasons are
 * shown: their form stands above all operations. Links of the introduction unfold operations of the page instead of another window, in which
 * the credentials would be missing.
 */
const SCRIPT = `
const files = document.currentScript.src;

function withoutNull(schema, types) {
  schema.type = types.find((type) => type !== 'null');
  if (types.includes('null')) schema.nullable = true;
}

function asOpenApi30(value) {
  if (Array.isArray(value)) return value.map(asOpenApi30);
  if (typeof value !== 'object' || value === null) return value;
  const converted = {};
  for (const [name, item] of Object.entries(value)) {
    if (name === 'examples' && Array.isArray(item)) converted.example = item[0];
    else if (name === 'type' && Array.isArray(item)) withoutNull(converted, item);
    else if (name === 'const') converted.enum = [item];
    else if (name === 'properties') converted.properties = namesOf(item);
    else converted[name] = ['example', 'value', 'default'].includes(name) ? item : asOpenApi30(item);
  }
  return converted;
}

function namesOf(properties) {
  return Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, asOpenApi30(schema)]));
}

function shown(document31) {
  const spec = { ...asOpenApi30(document31), openapi: '3.0.3' };
  for (const { parameters, responses } of Object.values(spec.paths).flatMap((operations) => Object.values(operations))) {
    for (const status of Object.keys(responses)) if (status >= 400) delete responses[status].content;
    // It would be filled in, and so sent.
    for (const { schema } of parameters ?? []) delete schema?.example;
  }
  return spec;
}

fetch(new URL('openapi.json', files)).then((answer) => answer.json()).then((document31) => {
  const spec = shown(document31);
  const ui = SwaggerUIBundle({ ...${JSON.stringify(SETTINGS)}, spec, presets: [SwaggerUIBundle.presets.apis] });
  document.addEventListener('click', (event) => {
    const link = event.target.closest('.info a[href^="#/"]');
    if (link === null) return;
    event.preventDefault();
    const [, tag, id] = link.getAttribute('href').split('/').map(decodeURIComponent);
    const { layoutActions } = ui.getSystem();
    layoutActions.show(['operations-tag', tag], true);
    layoutActions.show(['operations', tag, id], true);
    const block = 'operations-' + tag.replaceAll(' ', '_') + '-' + id;
    setTimeout(() => document.getElementById(block)?.scrollIntoView(), 100);
  });
});
`;

/** The files of Swagger UI that the page loads, and their types. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
};

/** The document, and what may change with it. */
const DOCUMENT = 'openapi.json';
const START = 'swagger-ui-init.js';

/** The files of Swagger UI only change with its version. The others are revalidated each time. */
const FILE_CACHING = 'public, max-age=3600';
const CACHING = 'no-cache';

/** A file in the encodings in which it is sent. */
interface EncodedFile {
  readonly plain: Representation;
  readonly gzip: Representation;
}

/**
 * Serves the page of Swagger UI, its files and the OpenAPI document from memory, compressed for who takes that, because they are large and
 * need no credential. They are made at the first request, and one response is sent in a turn of the event loop, so that many requests for
 * them delay no other. Other paths go to the next handler.
 */
export function serveDocumentation(application: INestApplication): RequestHandler {
  const files = new Map<string, Promise<EncodedFile>>();
  let turn = Promise.resolve();
  /** Resolves in a turn of the event loop that no other response has been given. */
  const ownTurn = (): Promise<void> => (turn = turn.then(() => nextTurn()));
  return async (request: Request, response: Response, next: NextFunction) => {
    const name = nameOf(request);
    if (!['GET', 'HEAD'].includes(request.method) || name === undefined) {
      next();
      return;
    }
    // The promise is stored, so that requests that arrive together make a file once.
    const file = files.get(name) ?? encoded(name, application);
    files.set(name, file);
    const { plain, gzip } = await file;
    await ownTurn();
    const isCompressed = request.acceptsEncodings('gzip') === 'gzip';
    const sent = isCompressed ? gzip : plain;
    const caching = name in FILE_TYPES ? FILE_CACHING : CACHING;
    const head = ['ETag', sent.entityTag, 'Cache-Control', caching, 'Vary', 'Accept-Encoding'];
    sent.sendWith(response, isCompressed ? [...head, 'Content-Encoding', 'gzip'] : head);
  };
}

/** The file that a path below /docs names: the page also has a slash at its end. @returns undefined for no file */
function nameOf({ path, originalUrl }: Request): string | undefined {
  const name = path.slice(1);
  if (name === '') return /^[^?]*\/(\?|$)/.test(originalUrl) ? 'page/' : 'page';
  return name === DOCUMENT || name === START || Object.hasOwn(FILE_TYPES, name) ? name : undefined;
}

async function encoded(name: string, application: INestApplication): Promise<EncodedFile> {
  const plain = await made(name, application);
  return { plain, gzip: await plain.gzipped() };
}

async function made(name: string, application: INestApplication): Promise<Representation> {
  if (name === DOCUMENT) return Representation.ofJson(await openApiDocument(application));
  if (name === START) return Representation.of(SCRIPT, 'text/javascript; charset=utf-8');
  if (name.startsWith('page'))
    return Representation.of(page(name === 'page' ? 'docs/' : ''), 'text/html; charset=utf-8');
  // They are a dependency of @nestjs/swagger, so they are resolved from there.
  const swagger = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
  return Representation.of(readFileSync(swagger.resolve(`swagger-ui-dist/${name}`), 'utf8'), FILE_TYPES[name]!);
}
