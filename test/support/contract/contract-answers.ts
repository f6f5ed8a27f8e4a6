import { Ajv, type AnySchemaObject, type ValidateFunction } from 'ajv';
import formatsPlugin from 'ajv-formats';
import { OPERATIONS } from '../../operations/operations.js';
import { type Contract, readContract } from './public-contract.js';

const CONTRACT_ID = 'contract.json';

/** The vendors' fields go by the names that API_DIALECT gives them, so any of these names is the contract's. */
const VENDOR_FIELD = '^enforce_zdr_[a-z0-9_]+$';

/** Where the contract has the form of every failure. */
const FAILURE = '/components/responses/Error/content/application~1json/schema';

const MESSAGES_FAILURE = '/components/schemas/AnthropicMessagesErrorResponse';

/** The schemas of failures of operations whose clients know another form. */
const FAILURE_OF_OPERATION: Readonly<Record<string, string>> = {
  countMessageTokens: MESSAGES_FAILURE,
  createMessages: MESSAGES_FAILURE,
};

let contract: ContractValidator | undefined;

/**
 * Checks that the body of an answer is what the public contract promises: every field of the right form, none missing and
 * none that the contract does not know.
 *
 * @param operationId the contract's
 * @param status of the answer; one of success may differ from the contract's, which has but one for each operation
 */
export function expectToFitContract(operationId: string, status: number, body: unknown): void {
  contract ??= new ContractValidator(JSON.parse(readContract()) as Contract);
  expect(contract.issuesOf(operationId, status, body)).toEqual([]);
}

/** Compares answers with a contract, whose objects have no fields but those that it names. */
export class ContractValidator {
  private readonly engine: Ajv;
  private readonly compiled = new Map<string, ValidateFunction>();
  private readonly pointers = new Map<string, string>();

  /** @param document an OpenAPI 3.1 document with the form of every failure as its response `Error` */
  constructor(document: Contract) {
    for (const [path, operations] of Object.entries(document.paths)) {
      for (const [method, { operationId, responses }] of Object.entries(operations)) {
        const success = Object.keys(responses).find((status) => status.startsWith('2'))!;
        const response = `/paths/${escape(path)}/${method}/responses/${success}`;
        this.pointers.set(operationId, `${response}/content/application~1json/schema`);
      }
    }
    this.engine = new Ajv({ allErrors: true, strict: false, allowUnionTypes: true });
    // ajv-formats is CommonJS: what is imported as its default is the module, whose `default` is the same function.
    const addFormats = formatsPlugin as unknown as typeof formatsPlugin.default;
    addFormats(this.engine, ['uuid', 'date-time', 'uri']);
    this.engine.addFormat('double', true);
    const whole = withMergedParts(document, document.components.schemas);
    this.engine.addSchema({ $id: CONTRACT_ID, ...(answerForm(whole) as object) });
  }

  /** What is wrong with the body of an answer, as JSON Schema says it. */
  issuesOf(operationId: string, status: number, body: unknown): unknown[] {
    const pointer = this.pointerOf(operationId, status);
    if (pointer === undefined) return [];
    const validate = this.validatorOf(pointer);
    return validate(body) ? [] : (validate.errors ?? []);
  }

  /** Where the schema of an answer is; undefined for what an operation of our own answers, which is in no contract. */
  private pointerOf(operationId: string, status: number): string | undefined {
    if (status >= 300) return FAILURE_OF_OPERATION[operationId] ?? FAILURE;
    const pointer = this.pointers.get(operationId);
    if (pointer === undefined && OPERATIONS[operationId]?.isBeyondContract !== true) {
      throw new Error(`the contract has no operation ${operationId}`);
    }
    return pointer;
  }

  private validatorOf(pointer: string): ValidateFunction {
    let validate = this.compiled.get(pointer);
    if (validate === undefined) {
      validate = this.engine.compile({ $ref: `${CONTRACT_ID}#${pointer}` });
      this.compiled.set(pointer, validate);
    }
    return validate;
  }
}

/** The document with objects that are described in parts (`allOf`) in one piece, so that they can be closed as a whole. */
function withMergedParts(value: unknown, schemas: Readonly<Record<string, AnySchemaObject>>): unknown {
  if (Array.isArray(value)) return value.map((item) => withMergedParts(item, schemas));
  if (typeof value !== 'object' || value === null) return value;
  const parts =
    'allOf' in value ? (value.allOf as AnySchemaObject[]).filter((part) => Object.keys(part).length > 0) : [];
  if (parts.length === 0) {
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, withMergedParts(item, schemas)]));
  }
  if (parts.length === 1) return withMergedParts(parts[0], schemas);
  const resolved = parts.map((part) =>
    part.$ref === undefined ? part : schemas[String(part.$ref).split('/').at(-1)!]!,
  );
  // A property of several parts must fit all of them; the first say as much as the others.
  const properties = Object.assign({}, ...resolved.map((part) => part['properties'] as object).toReversed()) as object;
  const required = resolved.flatMap((part) => (part['required'] ?? []) as string[]);
  return withMergedParts({ type: 'object', properties, required: [...new Set(required)] }, schemas);
}

/**
 * The document for checking answers alone: objects without fields that it does not name, and without the pattern of a
 * Sentry DSN, which is answered masked (docs/interface/destinations.md#masks).
 */
function answerForm(value: unknown, name = ''): unknown {
  if (Array.isArray(value)) return value.map((item) => answerForm(item));
  if (typeof value !== 'object' || value === null) return value;
  const entries = Object.entries(value).filter(([key]) => !(name === 'dsn' && key === 'pattern'));
  const object = Object.fromEntries(entries.map(([key, item]) => [key, answerForm(item, key)]));
  const isClosable = 'properties' in value && 'type' in value && !('additionalProperties' in value);
  if (!isClosable) return object;
  return {
    ...object,
    additionalProperties: false,
    patternProperties: { [VENDOR_FIELD]: { type: ['boolean', 'null'] } },
  };
}

/** A path as one segment of a JSON pointer in a URI (RFC 6901, sections 3 and 6). */
function escape(path: string): string {
  return encodeURIComponent(path.replaceAll('~', '~0').replaceAll('/', '~1'));
}
