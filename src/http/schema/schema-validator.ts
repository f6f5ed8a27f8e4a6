import { Ajv, type ValidateFunction } from 'ajv';
import type { Issue } from '../errors/issue.js';
import { FORMATS } from './formats.js';
import type { JsonSchema } from './json-schema.js';
import { faultsToName, toIssue } from './schema-fault.js';

const DOCUMENT = 'gatehouse.json';

/**
 * Checks values against the schemas of classes and names every fault. A string is never taken for a number, a number is
 * finite, a length is in code points.
 */
export class SchemaValidator {
  private readonly engine: Ajv;
  private readonly compiled = new Map<string, ValidateFunction>();

  /** @param schemas every schema, by the name of its class */
  constructor(schemas: Record<string, JsonSchema>) {
    this.engine = engineFor(schemas);
  }

  /**
   * @param type the class whose schema the value must fit, or whatever else has the schema's name
   * @param value parsed JSON, or an object of path or query parameters
   * @returns the faults; none when the value fits
   */
  check(type: { readonly name: string }, value: unknown): Issue[] {
    const validate = this.validatorOf(type.name);
    return validate(value) ? [] : faultsToName(validate.errors ?? []).map(toIssue);
  }

  private validatorOf(name: string): ValidateFunction {
    let validate = this.compiled.get(name);
    if (validate === undefined) {
      validate = this.engine.compile({ $ref: `${DOCUMENT}#/components/schemas/${name}` });
      this.compiled.set(name, validate);
    }
    return validate;
  }
}

function engineFor(schemas: Record<string, JsonSchema>): Ajv {
  const engine = new Ajv({
    allErrors: true,
    // The schemas carry OpenAPI's own keywords, such as `examples` and `discriminator`.
    strict: false,
    strictNumbers: true,
    allowUnionTypes: true,
    // That they are schemas is tested with the document that they stand in; here it would cost a third of a second at start.
    meta: false,
    validateSchema: false,
  });
  for (const [name, validate] of Object.entries(FORMATS)) engine.addFormat(name, validate);
  engine.addFormat('double', true);
  engine.addSchema({ $id: DOCUMENT, components: { schemas } });
  return engine;
}
