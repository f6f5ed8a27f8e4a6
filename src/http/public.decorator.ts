import { applyDecorators, SetMetadata } from '@nestjs/common';
import { ApiExcludeController } from '@nestjs/swagger';

/** The metadata key of controllers whose routes need no credential. */
const PUBLIC_METADATA = 'gatehouse:public';

/** Marks a controller outside the management interface, such as health checks: no credential, and not in the document. */
export function Public(): ClassDecorator {
  return applyDecorators(SetMetadata(PUBLIC_METADATA, true), ApiExcludeController());
}

/** Whether the routes of a controller are outside the management interface. */
export function isPublic(controller: object): boolean {
  return Reflect.getMetadata(PUBLIC_METADATA, controller) === true;
}
