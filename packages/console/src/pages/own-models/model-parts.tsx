import type { ReactNode } from 'react';
import { type Part, Parts } from '../../components/parts';

const PARTS: readonly Part[] = [
  { path: '/models', label: 'Catalog' },
  { path: '/models/own', label: 'Of your own', permission: 'catalog_read' },
];

/** The way between the pages of models. */
export function ModelParts(): ReactNode {
  return <Parts label="Models" parts={PARTS} />;
}
