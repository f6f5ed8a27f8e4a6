import type { INestApplication } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { AppModule, type ProcessContext } from './app.module.js';
import { DeclaredRoutes } from './auth/declared-routes.js';
import { ClientConnections, defaultConnectionLimit } from './http/client-connections.js';
import { consoleHeaders, serveConsole } from './http/console/console-files.js';
import { Dialect } from './http/dialect/dialect.js';
import { allowCrossOrigin, operationPathOf } from './http/cross-origin.js';
import { offerConsoleOperations } from './http/console-operations.js';
import { GatehouseExpressAdapter, answerUnknownPath, refuseWebSocket } from './http/express-adapter.js';
import { requestLog } from './http/request-log.middleware.js';
import { markMalformedPath, checkRequestHead } from './http/request-head.js';
import { serveMetrics } from './http/metrics/metrics-routes.js';
import { metricsOf } from './telemetry/metrics/metrics-setup.js';
import { serveDocumentation, pageHeaders, redirectRoot } from './http/openapi/documentation-pages.js';
import { CONSENT_PATHS } from './modules/oauth/consent/consent.controller.js';
import { SIGN_IN_PATHS } from './modules/sign-in/paths.js';
import { traceRequests } from './telemetry/tracing/tracing-setup.js';
import { UnreadAnswers } from './http/unread-answers.js';
import { answerUnreadableRequests } from './http/unreadable-request.js';

/**
 * Creates the application with everything between the socket and a controller. Used by the service, its tests and the
 * generator of the OpenAPI document.
 *
 * @returns the application, initialized but not listening
 */
export async function createApplication(context: ProcessContext): Promise<INestApplication> {
  const adapter = new GatehouseExpressAdapter();
  const application = await NestFactory.create<NestExpressApplication>(
    AppModule.forRoot(context),
    adapter,
    // RequestValidationGuard reads bodies after authentication, so no body parser runs before it.
    { bodyParser: false, logger: context.logger, abortOnError: false },
  );
  application.disable('x-powered-by');
  application.disable('etag');
  // Without trusted proxies, the client address is the peer address, and X-Forwarded-For is ignored.
  application.set('trust proxy', context.environment.trustedProxies ?? false);
  // RequestValidationGuard parses query strings strictly.
  application.set('query parser', false);
  const metrics = metricsOf(application);
  const server = application.getHttpServer();
  const { maximumConnections, workers, unreadStreamTimeoutMs, unreadAnswerTimeoutMs } = context.environment;
  const mostConnections = maximumConnections ?? Math.ceil(defaultConnectionLimit() / workers);
  const connections = new ClientConnections(server, mostConnections);
  new UnreadAnswers(server, { stream: unreadStreamTimeoutMs, other: unreadAnswerTimeoutMs });
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
    const dialect = application.get(Dialect);
    const policy = {
      origins: corsOrigins,
      openOperations: anonymousOperations,
      basePath: apiBasePath,
      requestHeaders: [...dialect.headerNames('X-Router-Metadata'), ...Object.values(dialect.cacheHeaders.request)],
      answerHeaders: Object.values(dialect.cacheHeaders.answer),
    };
    application.use(allowCrossOrigin(operations, policy));
  }
  // Behind the rules for other origins, which may not call these.
  application.use(offerConsoleOperations(apiBasePath));
  application.use(refuseWebSocket(adapter, apiBasePath));
  application.use(markMalformedPath);
  application.setGlobalPrefix(apiBasePath, {
    exclude: ['health/live', 'health/ready', ...SIGN_IN_PATHS, ...CONSENT_PATHS],
  });
  application.use('/docs', ...pageHeaders(), serveDocumentation(application));
  const { hasConsole } = context.environment;
  if (hasConsole) application.use('/console', ...consoleHeaders(), serveConsole());
  application.use(redirectRoot(hasConsole ? 'console' : 'docs'));
  await application.init();
  serveMetrics(application);
  // Nest handles unknown paths only below the prefix.
  application.use(answerUnknownPath(adapter));
  return application;
}
