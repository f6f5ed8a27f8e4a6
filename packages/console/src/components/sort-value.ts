import { Children, isValidElement, type ReactNode } from 'react';

/** What rows are sorted by. */
export type SortValue = string | number | null | undefined;

/** What is no value, but something to do. */
const CONTROLS: readonly unknown[] = ['button', 'form', 'input', 'select'];

/**
 * What a cell is sorted by: its time, else the text that it shows, as a number where the column has numbers. What a component of its own
 * makes of other properties cannot be seen here.
 *
 * @returns undefined where there is nothing
 */
export function valueOfCell(cell: ReactNode, isNumber: boolean): SortValue {
  const text = textOf(cell).trim();
  if (text === '') return undefined;
  if (!isNumber) return text;
  const amount = Number.parseFloat(text.replaceAll(/[^\d.-]/g, ''));
  return Number.isNaN(amount) ? undefined : amount;
}

interface CellProps {
  readonly at?: unknown;
  readonly children?: ReactNode;
}

/** The text that a cell shows, and its time as the interface has it. */
export function textOf(node: ReactNode): string {
  if (typeof node === 'string' || typeof node === 'number') return String(node);
  if (Array.isArray(node)) return Children.toArray(node).map(textOf).join(' ');
  if (!isValidElement<CellProps>(node) || CONTROLS.includes(node.type)) return '';
  const { at, children } = node.props;
  return typeof at === 'string' ? at : textOf(children);
}
