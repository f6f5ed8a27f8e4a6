import { readFileSync } from 'node:fs';
import { writtenFields } from './console-fields.js';
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

const IN_PATH = 'It is part of the path or the query, which the descriptions of requests do not have.';
const CHOICE = 'It is one of several choices of a field, which is described for all of them together.';
const UNTYPED = 'The document has an object of any fields here.';

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

/** Why a field has other words than the interface has for the field of a request. */
const OWN_WORDS: Readonly<Record<string, string>> = {
  'alerts/alert-fields.tsx "Only of one"': 'It chooses which field of the request is filled in.',
  'budgets/set-budget.tsx "Of the workspace"': IN_PATH,
  'budgets/set-budget.tsx "Interval"': IN_PATH,
  'destinations/destination-fields.tsx {label}': CHOICE,
  'destinations/destination-fields.tsx "Further headers"': UNTYPED,
  'destinations/destination-fields.tsx {...}': UNTYPED,
  'destinations/destination-fields.tsx {`Remove: ${label}`}': UNTYPED,
  'destinations/filter-rules.tsx {`Field of ${name}`}': CHOICE,
  'destinations/filter-rules.tsx {`Operator of ${name}`}': CHOICE,
  'guardrails/assignments.tsx {label}': CHOICE,
  'guardrails/guardrail-fields.tsx {label}': CHOICE,
  'guardrails/guardrail-fields.tsx {region}': CHOICE,
  'guardrails/inspector-choice.tsx {label}': CHOICE,
  'inspectors/inspector-fields.tsx "Address"':
    'It says what the address is where none is named, after the description.',
  'inspectors/inspector-fields.tsx {label}': CHOICE,
  'limits/limit-fields.tsx {label}': CHOICE,
  'limits/limit-fields.tsx "What is compared"': UNTYPED,
  'limits/limit-fields.tsx "Name of the label"': UNTYPED,
  'limits/limit-fields.tsx "Add to the values"': UNTYPED,
  "own-models/endpoint-form.tsx {name === 'prompt' ? 'Prompt' : 'Answer'}":
    'It says what a million tokens cost, after the description.',
  'people/groups.tsx "Keep them as members of the workspace"': IN_PATH,
  'presets/preset-fields.tsx "System prompt"': 'It is one of the messages of the request.',
  'presets/preset-fields.tsx "Other parameters as JSON"': 'They are many fields of the request.',
  'presets/preset.tsx "Workspace"': IN_PATH,
  'presets/preset.tsx "Slug"': IN_PATH,
  'providers/connect-provider.tsx "Provider"': IN_PATH,
  'providers/connect-provider.tsx "The server wants no credential"': 'It is null in the field of the credential.',
  'providers/connections.tsx "Key of the operator"': 'It is sent as a header.',
  'settings/sign-in-connection.tsx "Forget the client secret"': 'It is null in the field of the secret.',
  'settings/sign-in-fields.tsx "Client secret"': 'What leaving it empty means depends on whether there is one.',
  'workspaces/workspace.tsx "Also if it is the default workspace"': IN_PATH,
};

/** Files whose fields belong to a question, not to an object that is made or changed. */
const ASKING: readonly string[] = [
  'audit/chain-head.tsx',
  'guardrails/try-request.tsx',
  'inspectors/inspector-trial.tsx',
  'playground/answer.tsx',
  'playground/playground.tsx',
];

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

  const fields = writtenFields();
  const own = fields.filter(({ isOfRequest, hasHint }) => !isOfRequest || hasHint).map(({ name }) => name);
  const isAsking = (name: string): boolean => ASKING.some((file) => name.startsWith(`${file} `));

  it('say of a field what the interface says of it, and what it refuses, but for those that have their own words', () => {
    expect(fields.length).toBeGreaterThan(150);
    expect(own.filter((name) => OWN_WORDS[name] === undefined && !isAsking(name))).toEqual([]);
  });

  it('have own words only where they are said to have them', () => {
    expect(Object.keys(OWN_WORDS).filter((name) => !own.includes(name))).toEqual([]);
    expect(ASKING.filter((file) => !own.some((name) => name.startsWith(`${file} `)))).toEqual([]);
  });
});
