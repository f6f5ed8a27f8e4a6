import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { INestApplication } from '@nestjs/common';
import type { NextFunction, Request, RequestHandler, Response } from 'express';
import { hasEntityTag } from '../revalidation/if-none-match.js';
import { Rendition } from '../revalidation/rendition.js';
import { openApiDocument } from './openapi-document.js';

/** The files of Swagger UI that the page loads, and their types. */
const FILE_TYPES: Readonly<Record<string, string>> = {
  'swagger-ui.css': 'text/css; charset=utf-8',
  'swagger-ui-bundle.js': 'text/javascript; charset=utf-8',
  'swagger-ui-standalone-preset.js': 'text/javascript; charset=utf-8',
};

/** Files of Swagger UI change with a release; the document is asked for each time, and answered with 304. */
const FILE_CACHING = 'public, max-age=3600';
const DOCUMENT_CACHING = 'no-cache';

/** A file, and how it may be kept. */
interface KeptFile {
  readonly rendition: Rendition;
  readonly caching: string;
}

/**
 * Serves the OpenAPI document and the large files of Swagger UI from memory: made once, when they are first asked for, for
 * they are large and need no credential. Other paths are left to what comes behind.
 */
export function serveDocumentationFiles(application: INestApplication): RequestHandler {
  const kept = new Map<string, KeptFile>();
  return ({ method, path, headers }: Request, response: Response, next: NextFunction) => {
    const name = path.slice(1);
    if (!['GET', 'HEAD'].includes(method) || !(name === 'openapi.json' || Object.hasOwn(FILE_TYPES, name))) {
      next();
      return;
    }
    const file = kept.get(name) ?? read(name, application);
    kept.set(name, file);
    const { content, contentType, entityTag } = file.rendition;
    response.setHeader('ETag', entityTag);
    response.setHeader('Cache-Control', file.caching);
    if (hasEntityTag(headers['if-none-match'], entityTag)) {
      response.writeHead(304).end();
      return;
    }
    response.setHeader('Content-Type', contentType);
    response.setHeader('Content-Length', content.length);
    response.writeHead(200).end(content);
  };
}

function read(name: string, application: INestApplication): KeptFile {
  const contentType = FILE_TYPES[name];
  if (contentType === undefined) {
    return { rendition: Rendition.ofJson(openApiDocument(application)), caching: DOCUMENT_CACHING };
  }
  // They come with @nestjs/swagger, which knows their folder.
  const swagger = createRequire(createRequire(import.meta.url).resolve('@nestjs/swagger'));
  const text = readFileSync(swagger.resolve(`swagger-ui-dist/${name}`), 'utf8');
  return { rendition: Rendition.of(text, contentType), caching: FILE_CACHING };
}
