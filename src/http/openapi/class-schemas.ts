import { type INestApplication, Module } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import { Dialect } from '../dialect/dialect.js';
import type { DtoClass } from '../validation/dto-fields.js';
import type { JsonSchema } from './json-schema.js';
import { namedSchemas } from './named-schemas.js';
import { toClassSchemas } from './open-api-31.js';

/** Has no controller, so that a document of it has no operation. */
@Module({})
class NoModule {}

/** The schemas of classes and of all that they refer to, by their names, as the OpenAPI document would have them. */
export function classSchemas(application: INestApplication, classes: readonly DtoClass[]): Record<string, JsonSchema> {
  const { components } = SwaggerModule.createDocument(application, new DocumentBuilder().build(), {
    include: [NoModule],
    extraModels: classes as (new () => object)[],
  });
  const dialect = application.get(Dialect);
  return dialect.schemas(dialect.offeredSchemas({ ...toClassSchemas(components?.schemas), ...namedSchemas() }));
}
