import { setImmediate as nextTurn } from 'node:timers/promises';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { VERSION } from '../../config/version.js';
import { Dialect } from '../dialect/dialect.js';
import { mapOperations, toClassSchemas, toJsonSchema } from './open-api-31.js';
import { applyPublicStatuses } from './public-statuses.js';
import type { JsonSchema } from './json-schema.js';

const TAGS: Readonly<Record<string, string>> = {
  'API Keys': 'API keys, which are identified by their hash.',
  Analytics: 'Usage by day, and queries of usage.',
  Audit: 'The changes in the organization, who made them, and when.',
  BYOK: "Organizations' own keys for providers.",
  Chat: 'Conversations with models, under the guardrails of the key.',
  Completions: 'Answers to a prompt, for clients of the legacy form.',
  Credits: 'What the organization may spend, and what it has spent.',
  Embeddings: 'Vectors of texts, tokens and media, and the models that create them.',
  Endpoints: 'The endpoints of models at providers.',
  Generations: 'The records of inference requests.',
  Guardrails: 'Policies over models, providers, data retention, spending and content.',
  Images: 'Image generation models.',
  Messages: 'Conversations with models, for clients of the Messages form.',
  Models: 'The model catalog.',
  OAuth: 'API keys for applications: authorization codes (PKCE) and Connect clients.',
  Observability: 'Destinations that receive reports about generations.',
  Organization: 'The members of the organization.',
  Presets: 'Named, versioned configurations for inference requests.',
  Providers: 'Companies that serve models.',
  Responses: 'Conversations with models, for clients of the Responses form. Nothing is stored.',
  SCIM: 'Groups of an identity provider and their roles in workspaces.',
  Workspaces: 'Workspaces, their members and their budgets.',
};

const DESCRIPTION =
  'An AI gateway and its management: who may call which model, with which key, from which workspace, under which guardrail, up to which budget. Every operation takes a bearer credential: management operations a management key, inference operations an API key (`POST /keys`).';

type Schemas = NonNullable<NonNullable<OpenAPIObject['components']>['schemas']>;

/**
 * Generates the OpenAPI 3.1 document of an application: module by module, yielding to the event loop in between, because it
 * takes some 200 milliseconds of processor time in all.
 */
export async function openApiDocument(application: INestApplication): Promise<OpenAPIObject> {
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Gatehouse')
    .setDescription(DESCRIPTION)
    .setVersion(VERSION)
    .addBearerAuth({
      type: 'http',
      scheme: 'bearer',
      // The default of the builder is JWT, but the credentials are opaque.
      bearerFormat: 'opaque',
      description:
        'A management key, API key or client secret. The first start of a deployment prints a management key.',
    });
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const parts: OpenAPIObject[] = [];
  for (const module of modulesWithControllers(application)) {
    parts.push(
      SwaggerModule.createDocument(application, builder.build(), {
        include: [module],
        // Controller methods are named after the operations of the contract.
        operationIdFactory: (_controller, method) => method,
        // Operations name their tags, also where those of one controller differ.
        autoTagControllers: false,
      }),
    );
    await nextTurn();
  }
  const paths = Object.assign({}, ...parts.map((part) => part.paths)) as OpenAPIObject['paths'];
  const schemas = Object.assign({}, ...parts.map(({ components }) => components?.schemas)) as Schemas;
  const dialect = application.get(Dialect);
  return {
    ...parts[0]!,
    paths: withParameterSchemas(dialect.isPublic ? applyPublicStatuses(paths) : paths, dialect),
    components: { ...parts[0]!.components, schemas: dialect.schemas(toClassSchemas(schemas)) as Schemas },
  };
}

function modulesWithControllers(application: INestApplication): Type[] {
  return [...application.get(ModulesContainer).values()]
    .filter(({ controllers }) => controllers.size > 0)
    .map(({ metatype }) => metatype);
}

interface Parameter {
  readonly in: string;
  readonly name: string;
  readonly schema: JsonSchema;
}

/**
 * Converts the parameter schemas of paths to OpenAPI 3.1. Path parameters of read-only operations get an example, which
 * Swagger UI fills in, so that they can be tried at once. Operations that change something get none.
 */
function withParameterSchemas(paths: OpenAPIObject['paths'], dialect: Dialect): OpenAPIObject['paths'] {
  return mapOperations(paths, (operation, method) => {
    const parameters = (operation['parameters'] ?? []) as readonly Parameter[];
    return { ...operation, parameters: parameters.map((one) => documented(one, method, dialect)) };
  });
}

function documented(
  parameter: Parameter,
  method: string,
  dialect: Dialect,
): Parameter & { readonly example?: unknown } {
  // Headers are already declared in the form of OpenAPI 3.1.
  if (parameter.in === 'header') return { ...parameter, name: dialect.documentedHeader(parameter.name) };
  const schema = toJsonSchema(parameter.schema);
  const [example] = schema.examples ?? [];
  const isFilledIn = method === 'get' && parameter.in === 'path' && example !== undefined;
  return { ...parameter, schema, ...(isFilledIn && { example }) };
}

/** Sorts the keys of every object in a value; the order of lists is kept. */
export function sortKeys<T>(value: T): T {
  if (Array.isArray(value)) return value.map(sortKeys) as T;
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1));
  return Object.fromEntries(entries.map(([key, item]) => [key, sortKeys(item as unknown)])) as T;
}
