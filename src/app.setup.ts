import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type ProcessContext } from './app.module.js';
import { DeclaredRoutes } from './auth/declared-routes.js';
import { defaultConnectionLimit } from './http/connection-limit.js';
import { Connections } from './http/connections.js';
import { allowCrossOrigin } from './http/cors/cross-origin.js';
import { operationPathOf } from './http/cors/operation-path.js';
import { WarmExpressAdapter } from './http/express-adapter.js';
import { requestLog } from './http/logging/request-log.middleware.js';
import { markMalformedPath } from './http/malformed-path.js';
import { metricsOf, serveMetrics } from './http/metrics/serve-metrics.js';
import { serveDocumentationFiles } from './http/openapi/documentation-files.js';
import { serveSwaggerUi } from './http/openapi/swagger-ui.js';
import { pageHeaders } from './http/page-headers.js';
import { checkRequestHead } from './http/request-head.js';
import { redirectToDocumentation } from './http/root-redirect.js';
import { traceRequests } from './http/tracing/trace-requests.js';
import { answerUnknownPath } from './http/unknown-path.js';
import { answerUnreadableRequests } from './http/unreadable-request.js';

/**
 * Puts the application together: everything between the socket and a controller. The service, its tests and the writer of
 * the OpenAPI document all use it.
 *
 * @returns the application, initialized but not listening
 */
export async function createApplication(context: ProcessContext): Promise<INestApplication> {
  const adapter = new WarmExpressAdapter();
  const application = await NestFactory.create<NestExpressApplication>(
    AppModule.with(context),
    adapter,
    // Bodies are read behind the guard (InputPipe), so no parser stands ahead of it.
    { bodyParser: false, logger: context.logger, abortOnError: false },
  );
  application.disable('x-powered-by');
  application.disable('etag');
  // With none, the address of a client is that of whoever connects, whatever it says of itself.
  application.set('trust proxy', context.environment.trustedProxies ?? false);
  // Query strings are read by InputPipe, strictly.
  application.set('query parser', false);
  const metrics = metricsOf(application);
  const server = application.getHttpServer();
  const connections = new Connections(server, context.environment.maximumConnections ?? defaultConnectionLimit());
  answerUnreadableRequests(server, connections, context.logger, metrics);
  application.use(requestLog(context.logger, metrics));
  traceRequests(application);
  application.use(checkRequestHead);
  const { corsOrigins, anonymousOperations, apiBasePath } = context.environment;
  if (corsOrigins.size > 0 || anonymousOperations.size > 0) {
    const operations = application
      .get(DeclaredRoutes)
      .all()
      .filter(({ isOperation }) => isOperation)
      .map(({ controllerClass, handler, method }) => operationPathOf(controllerClass, handler, method));
    const policy = { origins: corsOrigins, openOperations: anonymousOperations, basePath: apiBasePath };
    application.use(allowCrossOrigin(operations, policy));
  }
  application.use(markMalformedPath);
  application.setGlobalPrefix(apiBasePath, { exclude: ['health/live', 'health/ready'] });
  application.use('/docs', ...pageHeaders(), serveDocumentationFiles(application));
  serveSwaggerUi(application);
  application.use(redirectToDocumentation);
  await application.init();
  serveMetrics(application);
  // Nest answers unknown paths below the prefix only.
  application.use(answerUnknownPath(adapter));
  return application;
}
