import { Module } from '@nestjs/common';
import { EndpointHealth } from './endpoint-health.js';

/** Which endpoints of models may answer a request, and in which order they are tried. */
@Module({ providers: [EndpointHealth], exports: [EndpointHealth] })
export class RoutingModule {}
