import { Injectable } from '@nestjs/common';
import { Environment } from '../../../config/environment.js';
import { TokenServiceTransport } from '../../../http/addresses/issuer-transport.js';

/** Asks the authorization servers of MCP servers. ALLOW_PRIVATE_DESTINATIONS allows private addresses, as for the servers themselves. */
@Injectable()
export class McpIssuerTransport extends TokenServiceTransport {
  constructor(environment: Environment) {
    super(environment, environment.allowPrivateDestinations);
  }
}
