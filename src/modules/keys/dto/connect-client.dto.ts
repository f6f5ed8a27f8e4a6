import { DataOf, PageOf } from '../../../http/schema/answer-shapes.js';
import { TextField, TextListField, TimestampField, UuidField } from '../../../http/schema/fields.js';

/** A Connect client: an application that users connect to the organization through OAuth. */
export class ConnectClient {
  @UuidField({ description: 'The id.', example: '019aa3f0-5b1e-7c40-9d0e-3d1c2b4a5f61' })
  id: string;

  @TextField({ description: 'The name.', example: 'My application' })
  name: string;

  @TextListField({
    description: "Codes for one of these URLs can be exchanged with this client's secret only.",
    example: ['https://app.example.com/callback'],
    items: { format: 'uri' },
  })
  callback_urls: string[];

  @TimestampField({ description: 'When it was made.' })
  created_at: string;
}

/** The answer to getConnectClient. */
export class ConnectClientResponse extends DataOf(ConnectClient) {}

/** The answer to listConnectClients. */
export class ListConnectClientsResponse extends PageOf(ConnectClient) {}

/** The answer to createConnectClient and rotateConnectClientSecret. */
export class IssuedConnectClientResponse extends DataOf(ConnectClient) {
  @TextField({
    description: 'The secret itself. It is shown this once.',
    example: 'cs-gate-v1-0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef01234567',
  })
  client_secret: string;
}
