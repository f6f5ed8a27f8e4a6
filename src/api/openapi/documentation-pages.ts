import type { INestApplication } from '@nestjs/common';
import { type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { openApiDocument } from './openapi-document.js';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import helmet from 'helmet';
import type { GatehouseRequest } from '../request.js';
import { redirectHead } from '../json-head.js';
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { Representation } from '../conditional-requests.js';

/** The OpenAPI document of an application, generated once, when it is requested for the first time. */
export class GeneratedDocument {
  private generating: Promise<OpenAPIObject> | undefined;
  private generated: OpenAPIObject | undefined;

  constructor(private readonly application: INestApplication) {}

  /** Generates the document, unless that has been done. */
  async generate(): Promise<OpenAPIObject> {
    this.generated = await (this.generating ??= openApiDocument(this.application));
    return this.generated;
  }

  /** @throws Error before the document is generated */
  get(): OpenAPIObject {
    if (this.generated === undefined) throw new Error('the OpenAPI document is not generated yet');
    return this.generated;
  }
}

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

function sendRequestId(request: Request, response: Response, next: NextFunction): void {
  response.setHeader('X-Request-Id', (request as GatehouseRequest).requestId);
  next();
}

/** Redirects `/` to the documentation. */
export function redirectToDocumentation(request: Request, response: Response, next: NextFunction): void {
  if (request.path !== '/' || !['GET', 'HEAD'].includes(request.method)) {
    next();
    return;
  }
  // Relative, so that it works behind a proxy that adds a path prefix.
  response.writeHead(302, redirectHead((request as GatehouseRequest).requestId, 'docs'));
  response.end();
}

/** Hides the bar with Swagger's logo, and the column for links, which no response has. */
const STYLE = '.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }';

/** Serves the page of Swagger UI at /docs. Its large files are served by serveDocumentationFiles, which comes before. */
export function serveSwaggerUi(application: INestApplication, document: GeneratedDocument): void {
  SwaggerModule.setup('docs', application, () => document.get(), {
    raw: false,
    customCss: STYLE,
    customSiteTitle: 'Gatehouse',
    swaggerOptions: {
      deepLinking: true,
      // The schemas are shown with the operations that use them, so the list of all schemas starts collapsed.
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
      displayRequestDuration: true,
      persistAuthorization: true,
      tagsSorter: 'alpha',
      // By path, so that operations on a collection come before those on one item.
      operationsSorter: 'alpha',
      tryItOutEnabled: true,
    },
  });
}

/** The files of Swagger UI that the page loads, and their types. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
};

/** The path of the document. */
const DOCUMENT = 'openapi.json';

/** The files of Swagger UI only change with a release. The document is revalidated each time. */
const FILE_CACHING = 'public, max-age=3600';
const DOCUMENT_CACHING = 'no-cache';

/** The script of Swagger UI that has the document in it. @nestjs/swagger makes it of the generated document. */
const SCRIPT_WITH_DOCUMENT = 'swagger-ui-init.js';

/**
 * Serves the OpenAPI document and the large files of Swagger UI from memory, because they are large and need no credential.
 * They are loaded at the first request, and one response is sent in a turn of the event loop, so that many requests for them
 * delay no other. Other paths go to the next handler.
 */
export function serveDocumentationFiles(document: GeneratedDocument): RequestHandler {
  const files = new Map<string, Promise<Representation>>();
  let turn = Promise.resolve();
  /** Resolves in a turn of the event loop that no other response has been given. */
  const ownTurn = (): Promise<void> => (turn = turn.then(() => nextTurn()));
  return async (request: Request, response: Response, next: NextFunction) => {
    const { method, path } = request;
    const name = path.slice(1);
    if (!['GET', 'HEAD'].includes(method)) {
      next();
    } else if (name === SCRIPT_WITH_DOCUMENT) {
      await document.generate();
      await ownTurn();
      next();
    } else if (name === DOCUMENT || Object.hasOwn(FILE_TYPES, name)) {
      // The promise is stored, so that requests that arrive together load a file once.
      const file = files.get(name) ?? read(name, document);
      files.set(name, file);
      const loaded = await file;
      await ownTurn();
      const caching = name === DOCUMENT ? DOCUMENT_CACHING : FILE_CACHING;
      loaded.sendWith(response, ['ETag', loaded.entityTag, 'Cache-Control', caching]);
    } else {
      next();
    }
  };
}

async function read(name: string, document: GeneratedDocument): Promise<Representation> {
  const contentType = FILE_TYPES[name];
  if (contentType === undefined) return Representation.ofJson(await document.generate());
  // They are a dependency of @nestjs/swagger, so they are resolved from there.
  const swagger = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
  const text = readFileSync(swagger.resolve(`swagger-ui-dist/${name}`), 'utf8');
  return Representation.of(text, contentType);
}
