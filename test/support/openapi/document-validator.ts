import { Ajv, type ValidateFunction } from 'ajv';
import { FORMATS } from '../../../src/http/validation/constraints.js';
import type { JsonSchema } from '../../../src/http/openapi/json-schema.js';
import type { Interface } from './described-operations.js';

const DOCUMENT = 'document.json';

/** Checks values against what an application's own OpenAPI document says of them. */
export class DocumentValidator {
  private readonly engine = new Ajv({ allErrors: true, strict: false, strictNumbers: true, allowUnionTypes: true });
  private readonly compiled = new Map<JsonSchema, ValidateFunction>();

  constructor({ schemas }: Interface) {
    for (const [name, validate] of Object.entries(FORMATS)) this.engine.addFormat(name, validate);
    for (const name of ['double', 'binary']) this.engine.addFormat(name, true);
    this.engine.addSchema({ $id: DOCUMENT, components: { schemas } });
  }

  /** What keeps a value from fitting a schema of the document. */
  issuesOf(schema: JsonSchema, value: unknown): string[] {
    let validate = this.compiled.get(schema);
    if (validate === undefined) {
      const text = JSON.stringify(schema).replaceAll('"$ref":"#', `"$ref":"${DOCUMENT}#`);
      validate = this.engine.compile(JSON.parse(text) as JsonSchema);
      this.compiled.set(schema, validate);
    }
    if (validate(value)) return [];
    return (validate.errors ?? []).map((issue) => `${issue.instancePath} ${issue.message}`);
  }
}
