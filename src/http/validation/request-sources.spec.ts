import { Body, createParamDecorator, Param, Query } from '@nestjs/common';
import { ROUTE_ARGS_METADATA } from '@nestjs/common/constants.js';
import { requestSourcesOf } from './request-sources.js';

class SourcesPath {}
class SourcesQuery {}
class SourcesBody {}

const Principal = createParamDecorator(() => undefined);

class SourcesController {
  update(
    @Principal() _caller: object,
    @Param() _path: SourcesPath,
    @Query() _query: SourcesQuery,
    @Body() _body: SourcesBody,
  ) {
    return true;
  }
}

const DECLARED = { path: SourcesPath, query: SourcesQuery, body: SourcesBody };

describe('requestSourcesOf', () => {
  it('finds the classes of @Param(), @Query() and @Body()', () => {
    expect(requestSourcesOf(SourcesController.prototype, 'update')).toEqual(DECLARED);
  });

  it.each(['3a', '4f', '5e', '33', '4'])('ignores a custom decorator whose random name begins with %s', (name) => {
    const parameters = Reflect.getMetadata(ROUTE_ARGS_METADATA, SourcesController, 'update') as Record<string, object>;
    const named = { ...parameters, [`${name}__customRouteArgs__:0`]: { index: 0 } };
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, named, SourcesController, 'update');

    expect(requestSourcesOf(SourcesController.prototype, 'update')).toEqual(DECLARED);
    Reflect.defineMetadata(ROUTE_ARGS_METADATA, parameters, SourcesController, 'update');
  });
});
