import { applyDecorators } from '@nestjs/common';
import { ApiHeader, ApiResponse } from '@nestjs/swagger';
import { CACHE_HEADERS } from '../../../http/dialect/dialect.js';
import { LABELS_HEADER } from '../../labels/labels.js';

/** Documents the header that asks how a request was routed (docs/interface/inference.md#routing-metadata). */
export const RouterMetadataHeader = (): MethodDecorator & ClassDecorator =>
  ApiHeader({
    name: 'X-Router-Metadata',
    required: false,
    description: 'With `enabled` the answer says how the request was routed.',
    schema: { type: 'string', enum: ['disabled', 'enabled'] },
  });

/** Documents the header with the labels of a request (docs/interface/labels.md). */
export const LabelsHeader = (): MethodDecorator =>
  ApiHeader({
    name: LABELS_HEADER,
    required: false,
    description: 'Labels of the request: names and percent-encoded values.',
    schema: { type: 'string', example: 'team=search,env=prod' },
  });

const { request, answer } = CACHE_HEADERS;

/** Documents the headers of an operation whose answers are kept for equal requests, in requests and in answers (docs/response-cache.md). */
export const ResponseCacheHeaders = (): MethodDecorator =>
  applyDecorators(
    ApiHeader({
      name: request.use,
      required: false,
      description: 'With `use` the answer to an equal request is used, and this one kept; `bypass` does without it.',
      schema: { type: 'string', enum: ['use', 'bypass', 'true', 'false'] },
    }),
    ApiHeader({
      name: request.ttl,
      required: false,
      description: 'How many seconds the answer is kept, at most as many as the deployment allows.',
      schema: { type: 'integer', minimum: 1 },
    }),
    ApiHeader({
      name: request.clear,
      required: false,
      description: 'With `true` what is kept for the request is not used, but replaced.',
      schema: { type: 'string', enum: ['true', 'false'] },
    }),
    ApiResponse({
      status: 200,
      headers: {
        [answer.status]: {
          description: 'What the cache of answers has done; absent where it was not asked for.',
          schema: { type: 'string', enum: ['hit', 'miss', 'bypass'] },
        },
        [answer.age]: { description: 'The age of a hit, in seconds.', schema: { type: 'integer', minimum: 0 } },
        [answer.source]: {
          description: 'The id of the generation whose answer a hit is.',
          schema: { type: 'string' },
        },
        [answer.ttl]: {
          description: 'How many seconds the answer to a miss is kept.',
          schema: { type: 'integer', minimum: 1 },
        },
      },
    }),
  );
