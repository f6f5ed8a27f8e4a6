import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { openApiDocument } from './openapi-document.js';

/** Serves Swagger UI at /docs and the document at /docs/openapi.json. The document is made when it is first asked for. */
export function serveSwaggerUi(application: INestApplication): void {
  SwaggerModule.setup('docs', application, () => openApiDocument(application), {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    customSiteTitle: 'Gatehouse',
    swaggerOptions: { persistAuthorization: true, tagsSorter: 'alpha', tryItOutEnabled: true },
  });
}
