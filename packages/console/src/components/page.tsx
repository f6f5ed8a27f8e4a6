import { type ReactNode, useEffect, useRef } from 'react';
import { Link } from 'wouter';

/** A page above this one. */
export interface Crumb {
  readonly label: string;
  readonly to: string;
}

interface PageProps {
  readonly title: string;
  /** The pages above, outermost first. */
  readonly crumbs?: readonly Crumb[];
  readonly actions?: ReactNode;
  readonly children: ReactNode;
}

/** The first page is not moved to: the browser has just begun at its top. */
let isFirst = true;

/** The frame of a page: its title in the window and above it, the way back, its buttons. A new page takes the focus at its title. */
export function Page({ title, crumbs = [], actions, children }: PageProps): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${title} · Gatehouse`;
  }, [title]);
  useEffect(() => {
    if (!isFirst) heading.current?.focus();
    isFirst = false;
  }, []);
  return (
    <>
      {crumbs.length > 0 && (
        <nav className="crumbs" aria-label="Breadcrumb">
          <ol>
            {crumbs.map(({ label, to }) => (
              <li key={to}>
                <Link href={to}>{label}</Link>
              </li>
            ))}
          </ol>
        </nav>
      )}
      <header className="page-header">
        <h1 ref={heading} tabIndex={-1}>
          {title}
        </h1>
        {actions != null && <div className="actions">{actions}</div>}
      </header>
      {children}
    </>
  );
}

/** A part of a page with a heading of its own. */
export function Section({ title, actions, children }: Omit<PageProps, 'crumbs'>): ReactNode {
  return (
    <section className="section">
      <header className="section-header">
        <h2>{title}</h2>
        {actions != null && <div className="actions">{actions}</div>}
      </header>
      {children}
    </section>
  );
}
