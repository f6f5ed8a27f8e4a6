import { type ValidationError, type ValidatorOptions, validateSync, getMetadataStorage } from 'class-validator';
import { type Issue, joinPath } from '../errors/issue.js';
import { type IssueContext, isObject } from './constraints.js';
import { meetsConstraints } from './met-constraints.js';
import { allowsAdditionalProperties, type DtoClass, fieldsOf, type NestedObjects } from './dto-fields.js';

/** Constraints on the type of a value. If one fails, other issues of the field are not reported. */
const TYPE_CONSTRAINTS = ['isString', 'isBoolean', 'isInt', 'isNumber', 'isArray', 'isObject'];

const OPTIONS: ValidatorOptions = { forbidUnknownValues: false, validationError: { target: false } };

rememberConstraintsByClass();

/**
 * Validates a value with the class-validator decorators of a class.
 *
 * @param value parsed JSON, or the values of path or query parameters
 * @param isPublic whether it comes in the public dialect, which has fields of its own
 * @returns every issue; none where the value is valid
 */
export function validateDto(type: DtoClass, value: unknown, isPublic = true): Issue[] {
  if (!isObject(value)) return [{ path: '', message: 'must be object' }];
  const issues: Issue[] = [];
  const instance = toInstance(type, value, '', { issues, isPublic });
  if (issues.length === 0 && meetsConstraints(instance)) return issues;
  return [...issues, ...validateSync(instance, OPTIONS).flatMap((error) => issuesOf(error))];
}

interface InstanceReading {
  readonly issues: Issue[];
  readonly isPublic: boolean;
}

/**
 * Creates an instance of a class with the declared fields of a value, recursively. plainToInstance of class-transformer is
 * unsuitable because it silently drops fields named `constructor` or `toString` and changes the contents of free-form
 * objects; the whitelist of class-validator, because it treats `__proto__` and `hasOwnProperty` as declared fields and has
 * no classes that allow additional fields.
 *
 * @param reading receives an issue for each undeclared field, of which in the default dialect those are that only the public one has
 */
export function toInstance(
  type: DtoClass,
  value: Readonly<Record<string, unknown>>,
  path: string,
  reading: InstanceReading,
): object {
  const fields = fieldsOf(type);
  const isOpen = allowsAdditionalProperties(type);
  const instance = Object.create(type.prototype as object) as Record<string, unknown>;
  for (const name of Object.keys(value)) {
    const field = fields.get(name);
    if (field !== undefined && (reading.isPublic || !field.isPublicOnly)) {
      instance[name] = field.nested
        ? toInstances(field.nested, value, name, { path: joinPath(path, name), reading })
        : value[name];
    } else if (!isOpen) {
      // The caller chose this name. With a lone surrogate in it, strict parsers could not read the response.
      reading.issues.push({ path: joinPath(path, name.toWellFormed()), message: 'is not a known field' });
    }
  }
  return instance;
}

/** @param holder the object that has the field */
function toInstances(
  { type: typeOf, maxItems }: NestedObjects,
  holder: Readonly<Record<string, unknown>>,
  name: string,
  { path, reading }: { readonly path: string; readonly reading: InstanceReading },
): unknown {
  const value = holder[name];
  const type = typeOf(holder);
  if (type === undefined) return value;
  if (isObject(value)) return toInstance(type, value, path, reading);
  if (!Array.isArray(value)) return value;
  // Only the length is reported, because class-validator takes some 15 microseconds for each object.
  if (value.length > maxItems) return new Array(value.length);
  return value.map((item: unknown, index) =>
    isObject(item) ? toInstance(type, item, joinPath(path, index), reading) : item,
  );
}

/** Converts a validation error of class-validator, with nested ones, to issues. @param parent the path of the object */
export function issuesOf(
  { property, value, constraints = {}, contexts = {}, children = [] }: ValidationError,
  parent = '',
): Issue[] {
  const path = joinPath(parent, /^\d+$/.test(property) ? Number(property) : property);
  if (value === undefined && Object.keys(constraints).length > 0) return [{ path, message: 'is required' }];
  const mistyped = TYPE_CONSTRAINTS.find((name) => name in constraints);
  if (mistyped !== undefined) return [{ path, message: constraints[mistyped]! }];
  const own = Object.entries(constraints).flatMap(([name, message]) => {
    // Items that are not objects are reported by the constraint on items.
    if (name === 'nestedValidation') return [];
    const context = contexts[name] as IssueContext | undefined;
    if (context === undefined) return [{ path, message }];
    return context
      .issuesOf(value)
      .map((issue) => ({ path: `${path}${separatorOf(issue.path)}${issue.path}`, message: issue.message }));
  });
  return [...own, ...children.flatMap((child) => issuesOf(child, path))];
}

function separatorOf(path: string): string {
  return path === '' || path.startsWith('[') ? '' : '.';
}

/**
 * Lets class-validator collect the constraints of a class once instead of for each object: to find what a class inherits, it
 * looks at every class of the application. That is most of what validating a small request costs, and decorators add no
 * constraint once the application has started.
 */
function rememberConstraintsByClass(): void {
  const storage = getMetadataStorage();
  const collect = storage.getTargetValidationMetadatas.bind(storage);
  const collected = new WeakMap<object, ReturnType<typeof collect>>();
  storage.getTargetValidationMetadatas = (type, schema, always, strictGroups, groups) => {
    // Only for validation without schemas and groups, which is all that this service uses.
    if (schema || always || strictGroups || groups !== undefined)
      return collect(type, schema, always, strictGroups, groups);
    let constraints = collected.get(type);
    if (constraints === undefined) {
      constraints = collect(type, schema, always, strictGroups, groups);
      collected.set(type, constraints);
    }
    return constraints;
  };
}
