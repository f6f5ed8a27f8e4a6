import { createParamDecorator, type ExecutionContext } from '@nestjs/common';
import { ApiBody, ApiExtension, ApiParam, ApiQuery } from '@nestjs/swagger';
import type { JsonSchema } from '../schema/json-schema.js';
import { referenceTo, type SchemaClass, schemaOf } from '../schema/schema-registry.js';
import { bodyLimitOf } from './body-limit.js';
import { InputPipe, type InputSources } from './input.pipe.js';

/** Where an operation of the document says how large its body may be, in bytes. */
export const BODY_LIMIT_EXTENSION = 'x-body-limit-bytes';

const RequestItself = createParamDecorator((_sources: InputSources, context: ExecutionContext): unknown =>
  context.switchToHttp().getRequest(),
);

/**
 * What an operation takes: the fields of path, query and body, checked and in one object. Documents them as well.
 *
 * @param sources the class of each source that the operation reads; what is not named is refused
 */
export function Input(sources: InputSources): ParameterDecorator {
  for (const type of Object.values(sources)) referenceTo(type as SchemaClass);
  return (prototype, method, index) => {
    RequestItself(sources, InputPipe)(prototype, method, index);
    for (const decorate of documentationOf(sources)) {
      decorate(prototype, method!, Object.getOwnPropertyDescriptor(prototype, method!)!);
    }
  };
}

function documentationOf({ path, query, body, optionalBody, openBody }: InputSources): MethodDecorator[] {
  return [
    ...parametersOf(path).map((parameter) => ApiParam(parameter)),
    ...parametersOf(query).map((parameter) => ApiQuery(parameter)),
    ...[body, openBody].flatMap((type) => (type ? documentationOfBody(type, true) : [])),
    ...(optionalBody ? documentationOfBody(optionalBody, false) : []),
  ];
}

function documentationOfBody(type: SchemaClass, required: boolean): MethodDecorator[] {
  const limit = bodyLimitOf(type);
  const description = `At most ${limit.toLocaleString('en-US')} bytes, not compressed.`;
  return [
    ApiBody({ required, description, schema: referenceTo(type) as object }),
    ApiExtension(BODY_LIMIT_EXTENSION, limit),
  ];
}

interface DocumentedParameter {
  readonly name: string;
  readonly required: boolean;
  readonly description?: string;
  readonly schema: object;
}

function parametersOf(type: SchemaClass | undefined): DocumentedParameter[] {
  if (type === undefined) return [];
  const { properties = {}, required = [] } = schemaOf(type);
  return Object.entries(properties).map(([name, { description, ...schema }]: [string, JsonSchema]) => ({
    name,
    required: required.includes(name),
    ...(description !== undefined && { description }),
    schema,
  }));
}
