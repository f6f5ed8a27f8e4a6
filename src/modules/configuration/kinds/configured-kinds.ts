import { Injectable } from '@nestjs/common';
import type { ModelsOfKeys } from '../plan/models-of-keys.js';
import type { RecordedTraffic } from '../plan/recorded-traffic.js';
import type { ConfiguredKind, KindContext } from './configured-kind.js';

/** The order in which objects are created, so that what an entry names is there; deletions go the other way. */
const ORDER = [
  'workspaces',
  'inspectors',
  'mcp_servers',
  'private_providers',
  'private_endpoints',
  'keys',
  'guardrails',
  'default_guardrails',
  'limits',
  'provider_keys',
  'presets',
  'destinations',
  'alerts',
  'sign_in_connections',
  'federation_issuers',
  'federation_policies',
  'scim_group_mappings',
] as const;

/** A list of files. */
export type Section = (typeof ORDER)[number];

/** Names of what files do not configure: members by their addresses, groups of a directory by what they are called. */
export interface NamedOutside {
  readonly to: string;
  /** Ids by their names. */
  readonly list: (context: KindContext) => Promise<readonly { readonly id: string; readonly name: string }[]>;
}

/** The kinds of objects that files configure. Their modules add them. */
@Injectable()
export class ConfiguredKinds {
  private readonly bySection = new Map<string, ConfiguredKind>();
  /** Says what keys may use; undefined until the module of the guardrails has begun. */
  modelsOfKeys: ModelsOfKeys | undefined;
  /** Says what changes would have done to recorded requests; undefined until the module of the replays has begun. */
  recordedTraffic: RecordedTraffic | undefined;
  private readonly outside = new Map<string, NamedOutside>();

  add(kind: ConfiguredKind): void {
    this.bySection.set(kind.section, kind);
  }

  addNames(names: NamedOutside): void {
    this.outside.set(names.to, names);
  }

  /** All kinds, in the order in which their objects are created. */
  get all(): readonly ConfiguredKind[] {
    return ORDER.flatMap((section) => this.bySection.get(section) ?? []);
  }

  of(section: string): ConfiguredKind | undefined {
    return this.bySection.get(section);
  }

  namesOutside(to: string): NamedOutside | undefined {
    return this.outside.get(to);
  }
}
