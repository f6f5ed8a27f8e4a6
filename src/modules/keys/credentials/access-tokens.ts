import { Injectable } from '@nestjs/common';

/** What a valid access token says. */
export interface ReadAccessToken {
  readonly organizationId: string;
  /** The id of the API key that it acts as. */
  readonly keyId: string;
}

/** Reads access tokens. The federation module provides the implementation, so that keys do not depend on it. */
export interface AccessTokenReader {
  /** @returns undefined for what is no access token of this deployment */
  read(token: string): Promise<ReadAccessToken | 'expired' | undefined>;
}

/** JSON in base64url begins so, and so does a JWT: `{"`. */
const JWT = /^eyJ[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/;

/** Access tokens, which act as API keys for some minutes (docs/interface/token-exchange.md). */
@Injectable()
export class AccessTokens {
  private reader: AccessTokenReader | undefined;

  register(reader: AccessTokenReader): void {
    this.reader = reader;
  }

  /** @returns undefined for what is none, such as a secret that a partner has brought in the same form */
  async read(credential: string): Promise<ReadAccessToken | 'expired' | undefined> {
    return JWT.test(credential) ? this.reader?.read(credential) : undefined;
  }
}
