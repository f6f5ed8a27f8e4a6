import type { INestApplication } from '@nestjs/common';
import { classSchemas } from '../../http/openapi/class-schemas.js';
import { sortKeys } from '../../http/openapi/openapi-document.js';
import { classesOf, configurationSchema } from '../../modules/configuration/document/configuration-schema.js';
import { ConfiguredKinds } from '../../modules/configuration/kinds/configured-kinds.js';

/** The JSON Schema of configuration documents, with sorted keys, so that two versions can be compared line by line. */
export function schemaText(application: INestApplication): string {
  const kinds = application.get(ConfiguredKinds).all;
  const schema = configurationSchema(kinds, classSchemas(application, kinds.flatMap(classesOf)));
  return `${JSON.stringify(sortKeys(schema), null, 2)}\n`;
}
