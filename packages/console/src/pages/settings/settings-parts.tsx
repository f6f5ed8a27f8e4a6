import type { ReactNode } from 'react';
import { type Part, Parts } from '../../components/parts';

const PARTS: readonly Part[] = [
  { path: '/settings', label: 'General' },
  { path: '/settings/management-keys', label: 'Management keys', permission: 'management_keys_read' },
  { path: '/settings/sign-in', label: 'Sign-in', permission: 'sign_in_read' },
  { path: '/settings/federation', label: 'Workload federation', permission: 'federation_read' },
];

/** The way between the pages of the settings. */
export function SettingsParts(): ReactNode {
  return <Parts label="Settings" parts={PARTS} />;
}
