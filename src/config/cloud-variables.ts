import type { VariableReader } from './variable-reader.js';

/**
 * Where the identity that a cloud gives to this process is found: the variables that the clouds' own libraries read, and the
 * addresses of their token services, which a private network may have elsewhere (docs/cloud-providers.md#token-services).
 */
export interface CloudVariables {
  readonly aws: {
    /** Undefined: the regional address of the service. */
    readonly stsUrl: string | undefined;
    readonly roleArn: string | undefined;
    readonly roleSessionName: string | undefined;
    readonly webIdentityTokenFile: string | undefined;
    readonly containerRelativeUri: string | undefined;
    readonly containerFullUri: string | undefined;
    readonly containerToken: string | undefined;
    readonly containerTokenFile: string | undefined;
    readonly metadataUrl: string;
  };
  readonly google: {
    readonly tokenUrl: string;
    readonly stsUrl: string;
    readonly iamCredentialsUrl: string;
    readonly metadataHost: string;
  };
  readonly azure: {
    readonly authority: string;
    readonly tenantId: string | undefined;
    readonly clientId: string | undefined;
    readonly federatedTokenFile: string | undefined;
    /** Of App Service and Container Apps; undefined: the metadata service of virtual machines. */
    readonly identityEndpoint: string | undefined;
    readonly identityHeader: string | undefined;
    readonly metadataUrl: string;
  };
}

/** Reads the variables of Amazon, Google and Microsoft. */
export function cloudVariablesOf(reader: VariableReader): CloudVariables {
  const url = (name: string): string | undefined => reader.url(name, ['https:', 'http:'])?.replace(/\/+$/, '');
  return {
    aws: {
      stsUrl: url('AWS_ENDPOINT_URL_STS'),
      roleArn: reader.optionalText('AWS_ROLE_ARN'),
      roleSessionName: reader.optionalText('AWS_ROLE_SESSION_NAME'),
      webIdentityTokenFile: reader.optionalText('AWS_WEB_IDENTITY_TOKEN_FILE'),
      containerRelativeUri: reader.optionalText('AWS_CONTAINER_CREDENTIALS_RELATIVE_URI'),
      containerFullUri: reader.optionalText('AWS_CONTAINER_CREDENTIALS_FULL_URI'),
      containerToken: reader.optionalText('AWS_CONTAINER_AUTHORIZATION_TOKEN'),
      containerTokenFile: reader.optionalText('AWS_CONTAINER_AUTHORIZATION_TOKEN_FILE'),
      metadataUrl: url('AWS_EC2_METADATA_SERVICE_ENDPOINT') ?? 'http://169.254.169.254',
    },
    google: {
      tokenUrl: url('GOOGLE_TOKEN_URL') ?? 'https://oauth2.googleapis.com/token',
      stsUrl: url('GOOGLE_STS_URL') ?? 'https://sts.googleapis.com/v1/token',
      iamCredentialsUrl: url('GOOGLE_IAM_CREDENTIALS_URL') ?? 'https://iamcredentials.googleapis.com',
      metadataHost: reader.optionalText('GCE_METADATA_HOST') ?? 'metadata.google.internal',
    },
    azure: {
      authority: url('AZURE_AUTHORITY_HOST') ?? 'https://login.microsoftonline.com',
      tenantId: reader.optionalText('AZURE_TENANT_ID'),
      clientId: reader.optionalText('AZURE_CLIENT_ID'),
      federatedTokenFile: reader.optionalText('AZURE_FEDERATED_TOKEN_FILE'),
      identityEndpoint: url('IDENTITY_ENDPOINT'),
      identityHeader: reader.optionalText('IDENTITY_HEADER'),
      metadataUrl: url('AZURE_METADATA_URL') ?? 'http://169.254.169.254',
    },
  };
}
