import { getMetadataStorage, type ValidationArguments, ValidationTypes } from 'class-validator';
import type { ValidationMetadata } from 'class-validator/types/metadata/ValidationMetadata.js';

/** One constraint of a field, as class-validator has it. */
interface FieldConstraint {
  readonly validate: (value: unknown, args: ValidationArguments) => unknown;
  readonly constraints: unknown[];
}

/** What class-validator asks of a field. */
interface FieldPlan {
  readonly name: string;
  /** Whether the field is validated at all, as `IsOptional` and `ValidateIf` say. */
  readonly conditions: readonly ((object: object, value: unknown) => boolean)[];
  readonly constraints: readonly FieldConstraint[];
  readonly isNested: boolean;
}

type ClassPlan = readonly FieldPlan[];

const plans = new WeakMap<object, ClassPlan | undefined>();

/**
 * Whether an instance meets every constraint of its class and of those nested in it. It asks the constraints of class-validator themselves, and
 * makes no list of what they found: of a body with sixty optional fields class-validator makes 67 KB, most of it for fields that are not there.
 *
 * @returns false where it does not, or where this function cannot tell: then class-validator says what is wrong, if anything is
 */
export function meetsConstraints(object: object): boolean {
  return planOf(object)?.every((field) => meetsField(object, field)) ?? false;
}

function meetsField(object: object, { name, conditions, constraints, isNested }: FieldPlan): boolean {
  const value = (object as Record<string, unknown>)[name];
  for (const condition of conditions) if (!condition(object, value)) return true;
  if (constraints.length > 0) {
    const args = { targetName: object.constructor.name, property: name, object, value, constraints: [] as unknown[] };
    for (const constraint of constraints) {
      args.constraints = constraint.constraints;
      if (constraint.validate(value, args) !== true) return false;
    }
  }
  return !isNested || meetsNested(value);
}

function meetsNested(value: unknown): boolean {
  if (value === undefined) return true;
  if (Array.isArray(value)) return value.every((item) => meetsNested(item));
  return typeof value === 'object' && value !== null && meetsConstraints(value);
}

/** @returns undefined for an object without a class, and for a class with constraints of which nothing is known here */
function planOf(object: object): ClassPlan | undefined {
  const prototype = Object.getPrototypeOf(object) as { readonly constructor: new () => object } | null;
  if (prototype === null || prototype === Object.prototype) return undefined;
  const type = prototype.constructor;
  if (!plans.has(type)) plans.set(type, planOfClass(type));
  return plans.get(type);
}

function planOfClass(type: new () => object): ClassPlan | undefined {
  const storage = getMetadataStorage();
  const found = storage.getTargetValidationMetadatas(type, '', false, false);
  if (found.length === 0 || !found.every(isKnown)) return undefined;
  const fields = storage.groupByPropertyName(found);
  return Object.entries(fields).map(([name, ofField]) => ({
    name,
    conditions: ofTypes(ofField, ValidationTypes.CONDITIONAL_VALIDATION).map(
      ({ constraints }) => constraints[0] as FieldPlan['conditions'][number],
    ),
    constraints: ofTypes(ofField, ValidationTypes.CUSTOM_VALIDATION).flatMap(({ constraintCls, constraints }) =>
      storage.getTargetValidatorConstraints(constraintCls).map(({ instance }) => ({
        validate: (value: unknown, args: ValidationArguments): unknown => instance.validate(value, args),
        constraints: constraints as unknown[],
      })),
    ),
    isNested: ofTypes(ofField, ValidationTypes.NESTED_VALIDATION).length > 0,
  }));
}

const KNOWN: ReadonlySet<string> = new Set([
  ValidationTypes.CONDITIONAL_VALIDATION,
  ValidationTypes.CUSTOM_VALIDATION,
  ValidationTypes.NESTED_VALIDATION,
]);

/** The constraints of this service are about whole values; those about each item of a list are left to class-validator. */
function isKnown({ type, validateIf, each }: ValidationMetadata): boolean {
  const isAboutItems = type === ValidationTypes.CUSTOM_VALIDATION && each;
  return KNOWN.has(type) && (validateIf as unknown) === undefined && !isAboutItems;
}

function ofTypes(metadata: readonly ValidationMetadata[], type: string): readonly ValidationMetadata[] {
  return metadata.filter((one) => one.type === type);
}
