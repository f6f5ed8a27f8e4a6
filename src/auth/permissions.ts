/**
 * What management keys and sessions may be permitted to do: the one list, by area (docs/interface/permissions.md). The names of areas that
 * the public interface has scopes for are those of its scopes. `_read` permits to see what the area has, `_write` to change it as well.
 */
const AREAS = {
  keys: 'API keys, authorization codes for them, and external users.',
  connect: 'Connect clients.',
  guardrails: 'Guardrails, their assignments and evaluations, and the effective policy of a key.',
  workspaces: 'Workspaces, their members and their budgets.',
  organization_members: 'The members of the organization.',
  scim: 'Groups of an identity provider, their mappings to workspaces, and provisioning.',
  byok: "The organization's own keys for providers.",
  catalog: "The organization's own providers and endpoints.",
  presets: 'Presets and their versions.',
  destinations: 'Destinations for reports about generations, and their deliveries.',
  alerts: 'Alerts.',
  limits: 'Limits by condition and group, their exceptions, and what they have counted.',
  inspectors: 'Inspectors, and tests of them.',
  mcp_servers: 'MCP servers, tests of them, and which of their tools are approved.',
  usage:
    'Activity, analytics, credits, the records of generations with feedback about them, and the health of providers.',
  content: 'The logged contents of generations.',
  audit: 'The audit trail.',
  management_keys: 'Management keys.',
  federation: 'Issuers and policies of the exchange of tokens.',
  sign_in: 'How people sign in.',
  settings: 'Settings of the organization.',
} as const;

/**
 * The areas of the operator of the deployment (docs/interface/provider-connections.md). A management key has their permissions only where
 * its scopes name them: no role has them, and a key that nothing restricts does not either.
 */
const OPERATOR_AREAS = {
  providers: "The deployment's connections to providers, for the organization of its operator.",
} as const;

const ALL_AREAS = { ...AREAS, ...OPERATOR_AREAS };

/** A part of the interface that is permitted by itself. */
export type PermissionArea = keyof typeof ALL_AREAS;

/** The areas of records, which the interface only reads. */
const READ_ONLY = ['content', 'audit'] as const satisfies readonly PermissionArea[];

type ReadOnlyArea = (typeof READ_ONLY)[number];

/** A permission. */
export type Permission = `${PermissionArea}_read` | `${Exclude<PermissionArea, ReadOnlyArea>}_write`;

function isReadOnly(area: PermissionArea): area is ReadOnlyArea {
  return (READ_ONLY as readonly PermissionArea[]).includes(area);
}

/** The permissions with what each permits, in the order of the documentation. */
export const PERMISSION_DESCRIPTIONS = Object.fromEntries(
  (Object.keys(ALL_AREAS) as PermissionArea[]).flatMap((area) => [
    [`${area}_read`, `To read: ${ALL_AREAS[area]}`],
    ...(isReadOnly(area) ? [] : [[`${area}_write`, `To read and to change: ${ALL_AREAS[area]}`]]),
  ]),
) as Readonly<Record<Permission, string>>;

/** Every permission that scopes may name. */
export const SCOPES = Object.keys(PERMISSION_DESCRIPTIONS) as Permission[];

/** The permissions in an organization: what an administrator has, and a management key that nothing restricts. */
export const PERMISSIONS: readonly Permission[] = SCOPES.filter((permission) => !isOfOperator(permission));

/** Whether a permission is one of the operator of the deployment, which only scopes give. */
export function isOfOperator(permission: Permission): boolean {
  return Object.hasOwn(OPERATOR_AREAS, permission.replace(/_(?:read|write)$/, ''));
}

/**
 * What an operation names that every caller of the kinds that it takes may call, because it shows what everybody may see or what is the
 * caller's own.
 */
export const NO_PERMISSION_NEEDED = 'none';

/** What an operation says of the permission that its callers need. */
export type NeededPermission = Permission | typeof NO_PERMISSION_NEEDED;

/**
 * The permission that an operation of an area needs by its method: what is safe needs to read, all others to write.
 *
 * @param isSafe whether the method is safe (RFC 9110, section 9.2.1)
 */
export function permissionInArea(area: PermissionArea, isSafe: boolean): Permission {
  return isSafe || isReadOnly(area) ? `${area}_read` : `${area}_write`;
}

/** Whether a text names an area, and no permission. */
export function isArea(text: string): text is PermissionArea {
  return Object.hasOwn(ALL_AREAS, text);
}

/** The permission to read what a permission is about. */
export function readingOf(permission: Permission): Permission {
  return permission.replace(/_write$/, '_read') as Permission;
}

/** Permissions with those that they include: to write includes to read. */
export function withIncluded(permissions: Iterable<Permission>): ReadonlySet<Permission> {
  const all = new Set(permissions);
  for (const permission of [...all]) all.add(readingOf(permission));
  return all;
}

/** What a caller may do. */
export interface Rights {
  readonly permissions: ReadonlySet<Permission>;
  /** Whether it reaches only what is the caller's own: other people's keys and records look as if they were missing. */
  readonly onlyOwn: boolean;
}

/** The rights of someone who is no member. */
export const NO_RIGHTS: Rights = { permissions: new Set(), onlyOwn: true };

/** Whether someone may do everything in the organization: nothing restricts their key, and they administer it. */
export function hasAllRights({ permissions, onlyOwn }: Rights): boolean {
  return !onlyOwn && PERMISSIONS.every((permission) => permissions.has(permission));
}

/**
 * What a key with scopes may do whose owner has rights: what both permit, and what the scopes of an administrator's key name of the operator's.
 *
 * @param scopes null for a key that nothing restricts
 */
export function permissionsWithin(
  { permissions, onlyOwn }: Rights,
  scopes: readonly Permission[] | null,
): ReadonlySet<Permission> {
  if (scopes === null) return permissions;
  const granted = [...withIncluded(scopes)];
  return new Set(granted.filter((one) => permissions.has(one) || (!onlyOwn && isOfOperator(one))));
}
