import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { BEARER_SCHEME } from '../bearer-scheme.js';
import { Dialect } from '../dialect/dialect.js';
import type { JsonSchema } from '../schema/json-schema.js';
import { allSchemas } from '../schema/schema-registry.js';
import { withFilledInReads } from './filled-in-reads.js';
import { speakPublicStatuses } from './public-statuses.js';

const TAGS: Readonly<Record<string, string>> = {
  'API Keys': 'Keys, by their hash.',
  Audit: 'Who did what.',
  Endpoints: 'Who offers each model, and how.',
  Guardrails: 'Policies over models, providers, data retention, spending and content.',
  Images: 'Image generation models.',
  Models: 'The model catalog.',
  OAuth: 'From an authorization code to an API key (PKCE), and the clients that do it.',
  Observability: 'Destinations that generations are reported to.',
  Organization: 'Who belongs to the organization.',
  Presets: 'Named, versioned configurations of inference.',
  Providers: 'Companies that serve models.',
  SCIM: 'Groups of an identity provider and their roles in workspaces.',
  Workspaces: 'Workspaces, their members and their budgets.',
};

const DESCRIPTION =
  'The management plane of an AI gateway: who may call which model, with which key, from which workspace, under which guardrail, up to which budget. Every operation takes a bearer credential.';

/** The OpenAPI 3.1 document of an application. */
export function openApiDocument(application: INestApplication): OpenAPIObject {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Gatehouse')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addBearerAuth(
      {
        type: 'http',
        scheme: 'bearer',
        // The builder's own default is JWT, which these are not.
        bearerFormat: 'opaque',
        description:
          'A management key, API key or client secret. The first start of a deployment prints a management key.',
      },
      BEARER_SCHEME,
    );
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const document = SwaggerModule.createDocument(application, builder.build(), {
    // Controller methods are named after the operations of the contract.
    operationIdFactory: (_controller, method) => method,
  });
  const dialect = application.get(Dialect);
  const schemas = reachableFrom(document.paths, dialect.schemas(allSchemas()));
  const components = {
    ...document.components,
    schemas: schemas as NonNullable<OpenAPIObject['components']>['schemas'],
  };
  const paths = dialect.isPublic ? speakPublicStatuses(document.paths) : document.paths;
  return { ...document, paths: withFilledInReads(paths), components };
}

/** The schemas that the paths refer to, and those that these refer to in turn. */
function reachableFrom(paths: object, schemas: Record<string, JsonSchema>): Record<string, JsonSchema> {
  const reached = new Set<string>();
  const visit = (value: unknown): void => {
    for (const [, name] of JSON.stringify(value).matchAll(/"#\/components\/schemas\/(\w+)"/g)) {
      if (name === undefined || reached.has(name)) continue;
      reached.add(name);
      visit(schemas[name]);
    }
  };
  visit(paths);
  return Object.fromEntries(Object.entries(schemas).filter(([name]) => reached.has(name)));
}
