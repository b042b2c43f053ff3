import { useEffect, useRef, type ReactElement, type ReactNode } from 'react';
import { Link } from 'wouter';
import type { Schema } from '../api/client';
import { formatNumber, t, type TextKey } from '../texts/i18n';
import { CountsBar, HealthSentence } from '../ui/counts';
import { usePageTitle } from './page-title';

const TABS = ['ask', 'documents', 'search', 'quality', 'settings'] as const;
/** Tabs for those who only read. */
const READERS: readonly string[] = ['ask', 'documents'];
export type Tab = (typeof TABS)[number];
const LABELS: Readonly<Record<Tab, TextKey>> = {
  ask: 'tab.ask',
  documents: 'tab.documents',
  search: 'tab.search',
  quality: 'tab.quality',
  settings: 'tab.settings',
};

interface PlaceHeadProps {
  readonly dataset: Schema<'Dataset'>;
  readonly tab: Tab;
  /** Of the page in the browser's tab, where it is not that of the tab. */
  readonly title?: string;
  /** Buttons of the tab. */
  readonly children?: ReactNode;
}

/** Name and health of a dataset, and its tabs. Who only reads sees questions and documents. */
export function PlaceHead({ dataset, tab, title, children }: PlaceHeadProps): ReactElement {
  usePageTitle(title ?? t(LABELS[tab]), dataset.name);
  const isWriter = dataset.effective_permissions.includes('documents:write');
  const row = useRef<HTMLElement>(null);
  // On a phone the row is wider than the window, and would begin with its first tab.
  useEffect(() => {
    const here = row.current?.querySelector('[aria-current]');
    if (row.current === null || !(here instanceof HTMLElement)) return;
    row.current.scrollLeft = here.offsetLeft + here.offsetWidth - row.current.clientWidth;
  }, [tab]);
  const tabs = TABS.filter((name) => isWriter || READERS.includes(name));
  return (
    <header className="head">
      <div className="head-line">
        <h1>{dataset.name}</h1>
        <CountsBar counts={dataset.document_counts} />
        <p className="quiet small say">
          <HealthSentence dataset={dataset} />
        </p>
        <span className="push tools">{children}</span>
      </div>
      <nav ref={row} className="tabs" aria-label={dataset.name}>
        {tabs.map((name) => (
          <Link
            key={name}
            href={`/d/${dataset.id}/${name}`}
            className={name === tab ? 'here' : ''}
            aria-current={name === tab ? 'page' : undefined}
          >
            {t(LABELS[name])}
            {name === 'documents' && <small>{formatNumber(dataset.document_counts.total)}</small>}
          </Link>
        ))}
      </nav>
    </header>
  );
}
