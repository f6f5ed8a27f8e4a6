import { Module } from '@nestjs/common';
import { EndpointHealth } from './endpoint-health.js';
import { StickyEndpoints } from './sticky-endpoints.js';

/** Which endpoints of models may answer a request, and in which order they are tried. */
@Module({ providers: [EndpointHealth, StickyEndpoints], exports: [EndpointHealth, StickyEndpoints] })
export class RoutingModule {}
