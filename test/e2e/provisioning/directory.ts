import type { NewOrganization } from '../../../src/modules/installation/installation.service.js';
import type { TestApplication } from '../../support/application/test-application.js';
import { sendRawRequest } from '../../support/network/raw-request.js';

/** The body of any answer of SCIM, as far as tests look into it. */
export interface ScimBody {
  readonly schemas: string[];
  readonly id: string;
  readonly status: string;
  readonly scimType?: string;
  readonly detail: string;
  readonly totalResults: number;
  readonly startIndex: number;
  readonly itemsPerPage: number;
  readonly Resources: ScimBody[];
  readonly userName: string;
  readonly displayName?: string;
  readonly externalId?: string;
  readonly active: boolean;
  readonly name: Record<string, string>;
  readonly emails: { value: string; type?: string; primary?: boolean }[];
  readonly members?: { value: string; display?: string }[];
  readonly meta: { resourceType: string; location: string; version: string };
  readonly [attribute: string]: unknown;
}

/** An answer of SCIM, with its media type. */
export interface ScimAnswer {
  readonly status: number;
  readonly headers: Headers;
  readonly type: string | null;
  readonly body: ScimBody;
  readonly text: string;
}

const PATCH_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:PatchOp';

/** The directory of an organization, which sends what Okta and Entra send. */
export class Directory {
  private constructor(
    readonly app: TestApplication,
    readonly organization: NewOrganization,
    readonly token: string,
  ) {}

  /** A new organization with SCIM and a token. */
  static async make(app: TestApplication): Promise<Directory> {
    const organization = await app.factory.organization();
    await app.factory.enableScim(organization);
    const { plaintext } = await app.factory.provisioningToken(organization.organizationId);
    return new Directory(app, organization, plaintext);
  }

  get base(): string {
    return `${this.app.origin}${this.app.environment.apiBasePath}/scim/v2`;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    return this.send('GET', path, undefined, headers);
  }

  /** `GET /Users` with a filter. */
  find(type: 'Users' | 'Groups', filter: string): Promise<ScimAnswer> {
    return this.get(`/${type}?filter=${encodeURIComponent(filter)}`);
  }

  post(path: string, json: unknown, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    return this.send('POST', path, json, headers);
  }

  put(path: string, json: unknown, headers: Record<string, string> = {}): Promise<ScimAnswer> {
    return this.send('PUT', path, json, headers);
  }

  /** A PATCH of some operations. */
  patch(path: string, operations: readonly unknown[], headers: Record<string, string> = {}): Promise<ScimAnswer> {
    return this.send('PATCH', path, { schemas: [PATCH_SCHEMA], Operations: operations }, headers);
  }

  delete(path: string): Promise<ScimAnswer> {
    return this.send('DELETE', path, undefined);
  }

  /** A new user. @returns its id */
  async user(userName: string, more: Readonly<Record<string, unknown>> = {}): Promise<string> {
    const { status, body } = await this.post('/Users', { userName, ...more });
    expect([status, body.detail]).toEqual([201, undefined]);
    return body.id;
  }

  /** A new group. @returns its id */
  async group(displayName: string, members: readonly string[] = []): Promise<string> {
    const listed = members.map((value) => ({ value }));
    const { status, body } = await this.post('/Groups', { displayName, members: listed });
    expect([status, body.detail]).toEqual([201, undefined]);
    return body.id;
  }

  async send(
    method: string,
    path: string,
    json: unknown,
    headers: Record<string, string> = {},
    token = this.token,
  ): Promise<ScimAnswer> {
    const body = typeof json === 'string' ? json : JSON.stringify(json);
    const response = await fetch(`${this.base}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(json !== undefined && { 'content-type': 'application/scim+json' }),
        ...headers,
      },
      ...(json !== undefined && { body }),
    });
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      type: response.headers.get('content-type'),
      text,
      body: (text === '' ? {} : JSON.parse(text)) as ScimBody,
    };
  }

  /** A request with exactly these headers; names and values in turn. */
  async raw(method: string, path: string, headers: readonly string[]) {
    return sendRawRequest(method, `${this.base}${path}`, headers);
  }
}

/** Checks a failure: its status twice, its kind, and that an administrator is told something. */
export function expectScimError(answer: ScimAnswer, status: number, scimType?: string): void {
  expect([answer.status, answer.body.scimType, answer.text]).toEqual([status, scimType, expect.any(String)]);
  expect(answer.type).toBe('application/scim+json; charset=utf-8');
  expect(answer.body).toEqual({
    schemas: ['urn:ietf:params:scim:api:messages:2.0:Error'],
    status: String(status),
    ...(scimType !== undefined && { scimType }),
    detail: expect.stringMatching(/^\[\w+\] ./) as string,
  });
}
