import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useKeys } from '../../api/names';
import { useMay } from '../../api/session';

/** How much of a hash is shown. */
const SHOWN = 12;

/** The API key that tokens act as: its name, else the beginning of its hash. */
export function ActingKey({ hash }: { readonly hash: string }): ReactNode {
  const mayRead = useMay()('keys_read');
  const name = useKeys(mayRead).find((key) => key.hash === hash)?.name;
  const shown = name ?? <code>{hash.slice(0, SHOWN)}…</code>;
  return mayRead ? <Link href={`/keys/${hash}`}>{shown}</Link> : shown;
}
