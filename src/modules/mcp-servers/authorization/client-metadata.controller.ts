import { Controller, Get, Req } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { publicUrlOf } from '../../../http/pages/origin.js';
import { Public } from '../../../http/public.decorator.js';
import type { GatehouseRequest } from '../../../http/request.js';
import { callbackOf, CLIENT_METADATA_PATH } from './client-metadata.js';

/** Says who the gateway is to authorization servers of MCP servers that read it there (OAuth Client ID Metadata Document). */
@Controller(CLIENT_METADATA_PATH.slice(1))
@Public()
export class ClientMetadataController {
  constructor(private readonly environment: Environment) {}

  @Get()
  metadata(@Req() request: GatehouseRequest): object {
    const publicUrl = publicUrlOf(request, this.environment);
    return {
      client_id: `${publicUrl}${this.environment.apiBasePath}${CLIENT_METADATA_PATH}`,
      client_name: 'Gatehouse',
      client_uri: publicUrl,
      redirect_uris: [callbackOf(publicUrl)],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    };
  }
}
