import type { INestApplication } from '@nestjs/common';
import { SwaggerModule } from '@nestjs/swagger';
import { openApiDocument } from './openapi-document.js';

/** Hides what only takes room here: the bar with Swagger's logo, and the column of links, which no answer has. */
const STYLE = '.swagger-ui .topbar, .swagger-ui .response-col_links { display: none }';

/** Serves Swagger UI at /docs and the document at /docs/openapi.json. The document is made when it is first asked for. */
export function serveSwaggerUi(application: INestApplication): void {
  SwaggerModule.setup('docs', application, () => openApiDocument(application), {
    jsonDocumentUrl: 'docs/openapi.json',
    raw: ['json'],
    customCss: STYLE,
    customSiteTitle: 'Gatehouse',
    swaggerOptions: {
      deepLinking: true,
      // The schemas are shown with the operations that use them; the list of all of them starts folded.
      defaultModelsExpandDepth: 0,
      defaultModelExpandDepth: 3,
      displayRequestDuration: true,
      persistAuthorization: true,
      tagsSorter: 'alpha',
      // By path: what there is of a kind, before what belongs to one of them.
      operationsSorter: 'alpha',
      tryItOutEnabled: true,
    },
  });
}
