import { setImmediate as nextTurn } from 'node:timers/promises';
import type { INestApplication, Type } from '@nestjs/common';
import { ModulesContainer } from '@nestjs/core';
import { DocumentBuilder, type OpenAPIObject, SwaggerModule } from '@nestjs/swagger';
import { Environment } from '../../config/environment.js';
import { VERSION } from '../../config/version.js';
import { MULTIPART_TYPE } from '../input/multipart-body.js';
import { Dialect } from '../dialect/dialect.js';
import { withNamedParts } from './named-parts.js';
import { namedSchemas } from './named-schemas.js';
import { mapOperations, toClassSchemas, toJsonSchema } from './open-api-31.js';
import { sharedErrorExamples } from './error-examples.js';
import { withPermissions } from './permission-extension.js';
import { applyPublicStatuses } from './public-statuses.js';
import { completeDocumentation, MULTIPART_EXTENSION } from './operation.decorator.js';
import type { JsonSchema } from './json-schema.js';

/** The tags, in the order in which a new user needs them. */
const TAGS: Readonly<Record<string, string>> = {
  Chat: 'Conversations with models, under the guardrails of the key.',
  'API Keys': 'API keys, which are identified by their hash.',
  Guardrails: 'Policies over models, providers, data retention, spending and content.',
  Models: 'The model catalog.',
  Messages: 'Conversations with models, for clients of the Messages form.',
  Responses: 'Conversations with models, for clients of the Responses form. Nothing is stored.',
  Completions: 'Answers to a prompt, for clients of the legacy form.',
  Embeddings: 'Vectors of texts, tokens and media, and the models that create them.',
  Audio: 'Texts of recordings, and spoken texts.',
  Rerank: 'Documents in the order of their relevance to a query.',
  Moderations: 'Texts and images that are classified as harmful or not.',
  Generations: 'The records of inference requests.',
  Presets: 'Named, versioned configurations for inference requests.',
  Workspaces: 'Workspaces, their members and their budgets.',
  Organization: 'The members of the organization.',
  'External Users': "Users of the organization's own product, by the names that its requests have.",
  'Management Keys': 'Keys that manage the organization, and what each of them may do.',
  Credits: 'What the organization may spend, and what it has spent.',
  Analytics: 'Usage by day, and queries of usage.',
  Providers: 'Companies that serve models.',
  BYOK: "Organizations' own keys for providers.",
  'Private models': "Organizations' own providers, and their own endpoints of models.",
  'Provider connections': "The deployment's connections to providers, for the organization of its operator.",
  Endpoints: 'The endpoints of models at providers.',
  Images: 'Images of prompts, and the models that draw them.',
  OAuth: 'API keys for applications: authorization codes (PKCE) and Connect clients.',
  Federation: 'Issuers whose tokens workloads exchange for access tokens, and what these may do.',
  SCIM: 'Groups of an identity provider and their roles in workspaces.',
  'Sign-in': 'How people sign in: identity providers, and the session of the caller.',
  Observability: 'Destinations that generations are delivered to.',
  Inspectors: 'Servers that judge the texts of requests and answers.',
  'MCP Servers': 'Servers of tools, and which of their tools are approved.',
  Limits:
    'Limits of US dollars, tokens and requests by end user, session, model and so on, with exceptions and what they have counted.',
  Alerts: 'What an organization is told of: budgets that are nearly spent, keys that expire, destinations that pause.',
  Configuration: 'Configuration by files: plans, what is applied in one transaction, and exports.',
  Audit: 'The changes in the organization, who made them, and when.',
};

const DESCRIPTION = `An AI gateway and its management: who may call which model, with which key, from which workspace, under which guardrail, up to which budget.

**Start here.** Press *Authorize* and paste the management key that the first start has printed. [Create an API key](#/API%20Keys/createKeys), and paste it beside the management key: each operation takes the one that it needs. Then [ask a model](#/Chat/sendChatCompletionRequest), [create a guardrail](#/Guardrails/createGuardrail) and see [how it decides](#/Guardrails/evaluateGuardrail), and [list the models](#/Models/getModels). What is typed here is forgotten with the page.

Every failure has the same form, in the words of the client where it has its own: \`{"error": {"code": 404, "message": "Resource not found", "metadata": {"reason": "guardrail_not_found"}}}\`. The reasons of each status stand at its operations.`;

/** The schemes of credentials: one for each kind, so that several can be kept at a time. */
const CREDENTIALS: Readonly<Record<string, string>> = {
  management_key:
    'A management key (`mk-...`), for management operations, of which each names the permission that the key needs. The first start of a deployment prints one; `gatehouse management-key` creates another.',
  api_key: 'An API key (`sk-...`), for inference operations. `POST /keys` creates one.',
  client_secret: 'The secret of a Connect client (`cs-...`), for the operations of its authorization codes.',
};

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
    .setVersion(VERSION);
  for (const [kind, description] of Object.entries(CREDENTIALS)) {
    // The default of the builder is JWT, but the credentials are opaque.
    builder.addBearerAuth({ type: 'http', scheme: 'bearer', bearerFormat: 'opaque', description }, kind);
  }
  for (const [name, description] of Object.entries(TAGS)) builder.addTag(name, description);
  const parts: OpenAPIObject[] = [];
  for (const module of modulesWithControllers(application)) {
    completeOperations(application, module);
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
  const permitted = withPermissions(dialect.isPublic ? applyPublicStatuses(paths) : paths);
  const shared = sharedErrorExamples(permitted);
  return {
    ...parts[0]!,
    servers: [
      { url: serverPath(application.get(Environment)), description: 'The deployment that serves this document.' },
    ],
    paths: withMultipartBodies(withHeaders(withParameterSchemas(shared.paths, dialect), dialect)),
    components: {
      ...parts[0]!.components,
      schemas: dialect.schemas(
        withNamedParts(dialect.offeredSchemas({ ...toClassSchemas(schemas), ...namedSchemas() })),
      ) as Schemas,
      examples: shared.examples,
    },
  };
}

/** Where the paths of the document begin, at the host that serves it: behind a proxy that adds a prefix, that of PUBLIC_URL. */
function serverPath({ publicUrl }: Environment): string {
  return publicUrl === undefined ? '/' : new URL(publicUrl).pathname;
}

function modulesWithControllers(application: INestApplication): Type[] {
  return [...application.get(ModulesContainer).values()]
    .filter(({ controllers }) => controllers.size > 0)
    .map(({ metatype }) => metatype);
}

/** Documents of the operations of a module what they only know now. */
function completeOperations(application: INestApplication, module: Type): void {
  const modules = [...application.get(ModulesContainer).values()].filter(({ metatype }) => metatype === module);
  for (const { metatype } of modules.flatMap(({ controllers }) => [...controllers.values()])) {
    const prototype = (metatype as Type).prototype as object;
    for (const name of Object.getOwnPropertyNames(prototype)) completeDocumentation(prototype, name);
  }
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
    const shown = parameters.filter((one) => dialect.shows(one) && dialect.shows(one.schema));
    return { ...operation, parameters: shown.map((one) => documented(one, method, dialect)) };
  });
}

type Answers = Readonly<Record<string, { readonly headers?: Parameters<Dialect['documentedAnswerHeaders']>[0] }>>;

/** Names the headers of answers as the dialect does. */
function withHeaders(paths: OpenAPIObject['paths'], dialect: Dialect): OpenAPIObject['paths'] {
  return mapOperations(paths, (operation) => {
    const answers = Object.entries(operation['responses'] as Answers).map(([status, answer]) => {
      const { headers } = answer;
      return [status, headers ? { ...answer, headers: dialect.documentedAnswerHeaders(headers) } : answer] as const;
    });
    return { ...operation, responses: Object.fromEntries(answers) };
  });
}

interface RequestBody {
  readonly content: Readonly<Record<string, object>>;
}

/** Puts the schemas of bodies as multipart/form-data beside those of JSON. */
function withMultipartBodies(paths: OpenAPIObject['paths']): OpenAPIObject['paths'] {
  return mapOperations(paths, (operation) => {
    const { [MULTIPART_EXTENSION]: $ref, ...others } = operation;
    if ($ref === undefined) return operation;
    const body = operation['requestBody'] as RequestBody;
    const content = { ...body.content, [MULTIPART_TYPE]: { schema: { $ref } } };
    return { ...others, requestBody: { ...body, content } };
  });
}

function documented(
  parameter: Parameter,
  method: string,
  dialect: Dialect,
): Parameter & { readonly example?: unknown } {
  // Headers are already declared in the form of OpenAPI 3.1.
  if (parameter.in === 'header') return { ...parameter, name: dialect.documentedHeader(parameter.name) };
  const schema = dialect.documentedField(toJsonSchema(parameter.schema));
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
