import { Injectable } from '@nestjs/common';
import { Statements, type Transaction } from '../../../persistence/statements.js';
import { SERVICE } from '../../audit/audit-trail.js';
import { DirectoryMembersService } from '../../scim/provisioning/directory-members.service.js';
import type { SignInConnectionEntity } from '../entities/sign-in-connection.entity.js';
import { IdentityLinksService } from '../identities/identity-links.service.js';
import { EncryptedClientSecrets } from './encrypted-client-secrets.js';
import { SIGN_IN_CONNECTIONS, SignInConnectionsRepository } from './sign-in-connections.repository.js';

/**
 * Lets an identity provider that was entered with another text than its discovery document states, such as one without the slash at its end,
 * take over what that states, with everything that is bound to the text: identities, provisioning tokens and what directories have
 * written with these. So people stay who they are (docs/interface/sign-in.md#issuers).
 */
@Injectable()
export class IssuerTakeover {
  constructor(
    private readonly connections: SignInConnectionsRepository,
    private readonly encrypted: EncryptedClientSecrets,
    private readonly links: IdentityLinksService,
    private readonly directories: DirectoryMembersService,
    private readonly statements: Statements,
  ) {}

  /**
   * Takes an issuer over, once for all replicas that find it out. Where the organization has the same client of the stated issuer a second
   * time, the text of the connection stays, and everything else follows.
   *
   * @param issuer what the discovery document states
   * @returns the connection with this issuer
   */
  async takeOver(connection: SignInConnectionEntity, issuer: string): Promise<SignInConnectionEntity> {
    const { organizationId, id } = connection;
    return this.statements.transaction(async (tx) => {
      const current = await SIGN_IN_CONNECTIONS.lock(tx, organizationId, id);
      if (current?.issuer !== connection.issuer) return { ...(current ?? connection), issuer };
      const renamed = { organizationId, before: current.issuer, after: issuer };
      await this.directories.renameIssuer(tx, renamed);
      await this.links.renameIssuer(tx, SERVICE, renamed);
      const isTaken = await this.connections.hasClient(tx, organizationId, issuer, current.clientId);
      return isTaken ? { ...current, issuer } : this.rename(tx, current, issuer);
    });
  }

  private async rename(
    tx: Transaction,
    before: SignInConnectionEntity,
    issuer: string,
  ): Promise<SignInConnectionEntity> {
    const { encryptedClientSecret } = before;
    const after = {
      ...before,
      issuer,
      // It is bound to the issuer.
      encryptedClientSecret:
        encryptedClientSecret === null
          ? null
          : this.encrypted.encrypted(
              { ...before, issuer },
              this.encrypted.decrypted({ ...before, encryptedClientSecret }),
            ),
    };
    return SIGN_IN_CONNECTIONS.update(tx, SERVICE, before, after);
  }
}
