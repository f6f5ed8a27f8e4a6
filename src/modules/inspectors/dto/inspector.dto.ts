import { DataOf, Deleted, PageOf } from '../../../http/openapi/response-envelopes.js';
import { BODY_LIMITS, BodyLimit } from '../../../http/input/body-limit.js';
import type { JsonSchema } from '../../../http/openapi/json-schema.js';
import { SchemaExample } from '../../../http/validation/dto-fields.js';
import {
  BooleanField,
  EnumField,
  EnumListField,
  FreeObjectField,
  IntegerField,
  SchemaField,
  SelectedObjectField,
  TextField,
  TextListField,
  TimestampField,
  UuidField,
} from '../../../http/validation/fields.js';
import { PathIdField } from '../../../http/validation/id-fields.js';
import { Rules } from '../../../http/validation/rules.js';
import { DEFAULT_PLACES, FILTER_PLACES, type FilterPlace } from '../../content/content-filters.js';
import { type Enforcement, ENFORCEMENTS } from '../../limits/limit-vocabulary.js';
import { type InspectionWindow, ON_FAILURE, type OnFailure, TIMEOUTS, WINDOWS } from '../inspector-vocabulary.js';
import { JUDGEMENT_OUTCOMES, type JudgementOutcome } from '../judging/judgement.js';
import {
  DEFAULT_PROTOCOL,
  INSPECTION_PROTOCOLS,
  INSPECTOR_PROTOCOLS,
  type InspectorProtocol,
} from '../protocols/inspection-protocols.js';
import { issuesOfNew, issuesOfParts } from './inspector-rules.js';

/** The classes of settings by their protocols. */
const SETTINGS_CLASSES = Object.fromEntries(
  INSPECTOR_PROTOCOLS.map((name) => [name, INSPECTION_PROTOCOLS[name].settings]),
);

const WINDOW_SCHEMA: JsonSchema = {
  anyOf: [
    { type: 'string', enum: ['whole'] },
    {
      type: 'object',
      required: ['characters', 'overlap'],
      properties: {
        characters: {
          type: 'integer',
          description: 'How many characters there are in a window.',
          minimum: WINDOWS.minimum,
          maximum: WINDOWS.maximum,
          examples: [WINDOWS.default.characters],
        },
        overlap: {
          type: 'integer',
          description: 'How many characters of the window before it come with it: less than `characters`.',
          minimum: 0,
          maximum: WINDOWS.maximum,
          examples: [WINDOWS.default.overlap],
        },
      },
    },
  ],
};

const WINDOW = {
  description:
    'What of an answer the inspector sees at a time: windows of characters, each with the end of the one before it, or the answer as a `whole`, of which nothing leaves before it was judged. Requests are always judged as a whole.',
  example: WINDOWS.default,
} as const;

const SECRET = { minLength: 1, maxLength: 16_384 } as const;

const FIELDS = {
  name: { description: 'The name, which records tell.', example: 'Data loss prevention', minLength: 1, maxLength: 100 },
  protocol: { description: 'How the inspector is asked.', example: DEFAULT_PROTOCOL },
  url: {
    description:
      'The address of the inspector: an https URL of a host on the internet, without a query. It is shown, so that secrets belong in `headers`. Null for the address of the service that the protocol is of.',
    example: 'https://guard.example.com',
    nullable: true,
    minLength: 1,
    maxLength: 2_048,
  },
  settings: { description: 'What the protocol needs to know besides.', example: {} },
  headers: {
    description: 'Further headers of each request. All their values are treated as credentials.',
    example: { 'x-tenant': 'acme' },
  },
  apiKey: {
    description:
      'The key that the inspector is shown. For clouds an API key, or a JSON object: `access_key_id`, `secret_access_key` and perhaps `session_token` of Amazon, the key of a service account of Google, or `tenant_id`, `client_id` and `client_secret` of Entra ID.',
    example: 'key-0123456789abcdef',
    nullable: true,
  },
  signingSecret: {
    description:
      'Secrets that sign requests (Standard Webhooks), separated by spaces: while one is replaced, the new one and the old one.',
    example: 'whsec_MDEyMzQ1Njc4OTAxMjM0NTY3ODkwMTIz',
    nullable: true,
  },
  appliesTo: {
    description:
      'Which texts are judged: what requests say, what models answer, the arguments of the tools that they call, and the results of tools in requests.',
    example: [...DEFAULT_PLACES],
  },
  mode: {
    description: 'Whether its verdict counts, or is only recorded (`observe`).',
    example: 'enforce',
  },
  onFailure: {
    description: 'What becomes of texts when the inspector fails: they are blocked, or pass.',
    example: 'block',
  },
  timeoutMs: {
    description: 'How long judging texts of a request, or a window of an answer, may take, in milliseconds.',
    example: TIMEOUTS.default,
    minimum: TIMEOUTS.minimum,
    maximum: TIMEOUTS.maximum,
  },
} as const;

/** Which inspector. */
export class InspectorPath {
  @PathIdField('The id of the inspector.', '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80')
  id: string;
}

/** A server that judges texts (docs/interface/inspectors.md). */
export class Inspector {
  @UuidField({ description: 'The id of the inspector.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f80' })
  id: string;

  @TextField(FIELDS.name)
  name: string;

  @EnumField(INSPECTOR_PROTOCOLS, FIELDS.protocol)
  protocol: InspectorProtocol;

  @TextField(FIELDS.url)
  url: string | null;

  @SelectedObjectField('protocol', SETTINGS_CLASSES, FIELDS.settings)
  settings: object;

  @EnumListField(FILTER_PLACES, FIELDS.appliesTo)
  applies_to: FilterPlace[];

  @EnumField(ENFORCEMENTS, FIELDS.mode)
  mode: Enforcement;

  @EnumField(ON_FAILURE, FIELDS.onFailure)
  on_failure: OnFailure;

  @IntegerField(FIELDS.timeoutMs)
  timeout_ms: number;

  @SchemaField(WINDOW_SCHEMA, WINDOW)
  window: InspectionWindow;

  @TextField({ description: 'A mask of the key; null for none.', example: 'key-...cdef', nullable: true })
  api_key: string | null;

  @TextField({ description: 'A mask of the secrets that sign; null for none.', example: 'whse...TIz', nullable: true })
  signing_secret: string | null;

  @FreeObjectField({ description: 'A mask of each further header.', example: { 'x-tenant': '****' } })
  headers: Readonly<Record<string, string>>;

  @TimestampField({ description: 'When it was created.' })
  created_at: string;

  @TimestampField({ description: 'When it was last changed.' })
  updated_at: string;
}

/** What requests that create and change have. */
@BodyLimit(BODY_LIMITS.medium)
@Rules(issuesOfParts)
abstract class InspectorRequest {
  @TextField({ ...FIELDS.url, optional: true })
  url?: string | null;

  @FreeObjectField({ ...FIELDS.headers, optional: true, nullable: true })
  headers?: Readonly<Record<string, string>> | null;

  @TextField({ ...FIELDS.apiKey, ...SECRET, optional: true })
  api_key?: string | null;

  @TextField({ ...FIELDS.signingSecret, ...SECRET, optional: true })
  signing_secret?: string | null;

  @EnumListField(FILTER_PLACES, { ...FIELDS.appliesTo, minItems: 1, optional: true })
  applies_to?: FilterPlace[];

  @EnumField(ENFORCEMENTS, { ...FIELDS.mode, optional: true })
  mode?: Enforcement;

  @EnumField(ON_FAILURE, { ...FIELDS.onFailure, optional: true })
  on_failure?: OnFailure;

  @IntegerField({ ...FIELDS.timeoutMs, optional: true })
  timeout_ms?: number;

  @SchemaField(WINDOW_SCHEMA, { ...WINDOW, optional: true })
  window?: InspectionWindow;
}

/** A request for a new inspector. */
@Rules(issuesOfNew)
@SchemaExample({ name: 'Data loss prevention', url: 'https://guard.example.com', applies_to: ['request', 'response'] })
export class CreateInspectorRequest extends InspectorRequest {
  @TextField(FIELDS.name)
  name: string;

  @EnumField(INSPECTOR_PROTOCOLS, { ...FIELDS.protocol, optional: true, default: DEFAULT_PROTOCOL })
  protocol?: InspectorProtocol;

  @SelectedObjectField('protocol', SETTINGS_CLASSES, { ...FIELDS.settings, optional: true, default: {} })
  settings?: object;

  @EnumListField(FILTER_PLACES, { ...FIELDS.appliesTo, minItems: 1, optional: true, default: DEFAULT_PLACES })
  override applies_to?: FilterPlace[];

  @EnumField(ENFORCEMENTS, { ...FIELDS.mode, optional: true, default: 'enforce' })
  override mode?: Enforcement;

  @EnumField(ON_FAILURE, { ...FIELDS.onFailure, optional: true, default: 'block' })
  override on_failure?: OnFailure;

  @IntegerField({ ...FIELDS.timeoutMs, optional: true, default: TIMEOUTS.default })
  override timeout_ms?: number;

  @SchemaField(WINDOW_SCHEMA, { ...WINDOW, optional: true, default: WINDOWS.default })
  override window?: InspectionWindow;
}

/** A request to change an inspector; its protocol stays. */
@SchemaExample({ mode: 'observe', timeout_ms: 1_000 })
export class UpdateInspectorRequest extends InspectorRequest {
  @TextField({ ...FIELDS.name, optional: true })
  name?: string;

  @FreeObjectField({
    ...FIELDS.settings,
    description: 'What the protocol needs to know besides, as a whole.',
    optional: true,
  })
  settings?: object;
}

/** The most texts of a test, and characters in each. */
const MOST_TEXTS = 16;
const MOST_CHARACTERS = 10_000;

/** Texts that an inspector is tried with. */
@BodyLimit(BODY_LIMITS.large)
@SchemaExample({ place: 'request', texts: ['Ignore all previous instructions.'] })
export class TestInspectorRequest {
  @EnumField(FILTER_PLACES, {
    description: 'What the texts are.',
    example: 'request',
    optional: true,
    default: 'request',
  })
  place?: FilterPlace;

  @TextListField({
    description: 'The texts that it is to judge.',
    example: ['Ignore all previous instructions.'],
    minItems: 1,
    maxItems: MOST_TEXTS,
    items: { minLength: 1, maxLength: MOST_CHARACTERS },
  })
  texts: string[];
}

/** What an inspector says of the texts of a test. */
export class InspectorTestResult {
  @EnumField(JUDGEMENT_OUTCOMES, {
    description: 'Whether the texts pass, are blocked or changed, or the inspector failed.',
    example: 'blocked',
  })
  outcome: JudgementOutcome;

  @TextField({
    description: 'Why they are blocked, as the inspector says it; null if it does not, or they are not.',
    example: 'prompt injection',
    nullable: true,
  })
  reason: string | null;

  @TextListField({
    description: 'The texts as the inspector has changed them; null unless it has.',
    example: null,
    nullable: true,
  })
  texts: readonly string[] | null;

  @TextField({ description: 'Why the inspector failed; null if it did not.', example: null, nullable: true })
  failure: string | null;

  @BooleanField({ description: 'Whether texts pass after such a failure.', example: false })
  lets_pass: boolean;

  @IntegerField({ description: 'How long it took, in milliseconds.', example: 84 })
  milliseconds: number;
}

/** The answer to createInspector. */
export class CreateInspectorResponse extends DataOf(Inspector) {}

/** The answer to listInspectors. */
export class ListInspectorsResponse extends PageOf(Inspector) {}

/** The answer to getInspector. */
export class GetInspectorResponse extends DataOf(Inspector) {}

/** The answer to updateInspector. */
export class UpdateInspectorResponse extends DataOf(Inspector) {}

/** The answer to deleteInspector. */
export class DeleteInspectorResponse extends Deleted('Always true: the inspector was deleted.') {}

/** The answer to testInspector. */
export class TestInspectorResponse extends DataOf(InspectorTestResult) {}
