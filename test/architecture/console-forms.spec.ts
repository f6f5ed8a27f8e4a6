import { readFileSync } from 'node:fs';
import { type SentPart, type SentRequest, sentRequests } from './console-requests.js';

interface Schema {
  readonly $ref?: string;
  readonly deprecated?: boolean;
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly items?: Schema;
  readonly anyOf?: readonly Schema[];
  readonly oneOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
}

interface Operation {
  readonly requestBody: { readonly content: Readonly<Record<string, { readonly schema: Schema }>> };
}

interface OpenApi {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly schemas: Readonly<Record<string, Schema>> };
}

const { paths, components } = JSON.parse(readFileSync('openapi.json', 'utf8')) as OpenApi;

/** Operations that answer a question of a page, whose bodies pages make themselves: no form fills them in. */
const QUESTIONS: readonly string[] = [
  'post /api/v1/analytics/query',
  'post /api/v1/guardrails/evaluate',
  'post /api/v1/guardrails/{id}/evaluate',
];

const WORKSPACES = ['post /api/v1/workspaces ', 'patch /api/v1/workspaces/{id} '];

/** What has content filters. */
const FILTERS = [
  'post /api/v1/guardrails ',
  'patch /api/v1/guardrails/{id} ',
  'post /api/v1/guardrails/{id}/replay draft.',
].flatMap((request) => ['content_filters.', 'content_filter_builtins.'].map((filters) => request + filters));

/** Why no form sets a field. */
const LEFT_OUT: Readonly<Record<string, string>> = {
  'post /api/v1/keys external': 'Partners make keys for their own users, with secrets that people do not type.',
  'post /api/v1/limits/{id}/replay draft': 'The page of a limit replays it as it is saved; its form is a dialog above.',
  'post /api/v1/private-endpoints activate':
    'The page that follows checks the model, and activates it where the person sees what failed.',
  ...of(WORKSPACES, 'io_logging_api_key_ids', 'Keys have no numbers here: with a list no content is kept at all.'),
  ...of(WORKSPACES, 'is_data_discount_logging_enabled', 'Stored as sent: nothing is discounted here.'),
  ...of(FILTERS, 'holds_whole_text', 'The service says it in answers, and ignores it in requests.'),
};

/** The same reason for a field of several requests. */
function of(requests: readonly string[], field: string, reason: string): Readonly<Record<string, string>> {
  return Object.fromEntries(requests.map((request) => [request + field, reason]));
}

/** The fields of an object, or of the objects of a list, whichever of several forms it has. */
function fieldsOf(schema: Schema): readonly (readonly [name: string, field: Schema])[] {
  const { properties = {}, items, anyOf = [], oneOf = [], allOf = [] } = resolved(schema);
  return [
    ...Object.entries(properties),
    ...[...anyOf, ...oneOf, ...allOf, ...(items === undefined ? [] : [items])].flatMap(fieldsOf),
  ];
}

function resolved(schema: Schema): Schema {
  return schema.$ref === undefined ? schema : components.schemas[schema.$ref.split('/').at(-1)!]!;
}

/** The fields of a schema that are never sent, as paths. */
function unsent(schema: Schema, sent: SentPart, before: string): readonly string[] {
  return fieldsOf(schema).flatMap(([name, field]) => {
    if (field.deprecated === true) return [];
    const part = sent.fields.get(name);
    if (part === undefined) return sent.isAnything ? [] : [before + name];
    return part.isAnything && part.fields.size === 0 ? [] : unsent(field, part, `${before}${name}.`);
  });
}

function schemaOf({ method, path }: SentRequest): Schema {
  return paths[path]![method]!.requestBody.content['application/json']!.schema;
}

describe('the forms of the console', () => {
  const requests = sentRequests();
  const nameOf = ({ method, path }: SentRequest): string => `${method} ${path}`;
  const all = requests
    .filter((request) => !QUESTIONS.includes(nameOf(request)))
    .flatMap((request) => unsent(schemaOf(request), request.body, '').map((field) => `${nameOf(request)} ${field}`));

  it('can set every field of the requests that they send, but for what is left out with a reason', () => {
    expect(requests.length).toBeGreaterThan(50);
    expect(all.filter((field) => LEFT_OUT[field] === undefined)).toEqual([]);
  });

  it('leave out what is said to be left out, and ask what are said to be questions', () => {
    expect(Object.keys(LEFT_OUT).filter((field) => !all.includes(field))).toEqual([]);
    expect(QUESTIONS.filter((question) => !requests.some((request) => nameOf(request) === question))).toEqual([]);
  });
});
