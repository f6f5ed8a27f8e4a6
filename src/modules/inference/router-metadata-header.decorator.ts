import { ApiHeader } from '@nestjs/swagger';

/** Documents the header that asks how a request was routed (docs/interface/inference.md#routing-metadata). */
export const RouterMetadataHeader = (): MethodDecorator & ClassDecorator =>
  ApiHeader({
    name: 'X-Router-Metadata',
    required: false,
    description: 'With `enabled` the answer says how the request was routed.',
    schema: { type: 'string', enum: ['disabled', 'enabled'] },
  });
