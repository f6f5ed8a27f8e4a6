import { SetMetadata } from '@nestjs/common';

/** Where a controller says that its routes are no operations of the interface. */
export const NOT_AN_OPERATION_METADATA = 'gatehouse:not-an-operation';

/** Marks a controller outside the management interface, such as health checks: no credential, not in the document. */
export function NotAnOperation(): ClassDecorator {
  return SetMetadata(NOT_AN_OPERATION_METADATA, true);
}
