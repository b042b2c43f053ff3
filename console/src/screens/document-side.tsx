import type { ReactElement } from 'react';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { ErrorNote, faultOf } from '../ui/states';
import { FindingList } from './document-findings';
import { HowRead } from './document-read';
import { Revisions } from './document-revisions';
import { Tags } from './document-tags';
import { useTimeline } from './document-timeline';
import { spansOf } from './timeline-spans';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;

/** How it was read, what was found in it, where the time went, and its revisions. */
export function DocumentSide({ detail }: { readonly detail: Detail }): ReactElement {
  return (
    <aside className={styles['side']}>
      <HowRead detail={detail} />
      <FindingList detail={detail} />
      <Timeline detail={detail} />
      <Tags detail={detail} />
      <Revisions detail={detail} />
      <Metadata detail={detail} />
    </aside>
  );
}

function Timeline({ detail }: { readonly detail: Detail }): ReactElement | null {
  const timeline = useTimeline(detail);
  if (faultOf(timeline) !== null) return <ErrorNote error={timeline.error} />;
  const spans = spansOf(timeline.data?.items ?? []);
  const begin = Math.min(...spans.map(({ from }) => from));
  const length = Math.max(...spans.map(({ to }) => to)) - begin;
  if (spans.length === 0) return null;
  const longest = Math.max(...spans.map(({ from, to }) => to - from));
  const share = (milliseconds: number): string => `${(milliseconds / Math.max(1, length)) * 100}%`;
  return (
    <section>
      <h2>
        {t('document.timeline')} <span className="quiet small">{secondsOf(length)}</span>
      </h2>
      <div className={styles['falls']}>
        {spans.map(({ stage, from, to }) => (
          <div key={stage} className={styles['fall']}>
            <span>{t(`stage.${stage}`)}</span>
            <i
              className={to - from === longest ? styles['most'] : ''}
              style={{ marginLeft: share(from - begin), width: share(to - from) }}
            />
            <span>{secondsOf(to - from)}</span>
          </div>
        ))}
      </div>
    </section>
  );
}

function secondsOf(milliseconds: number): string {
  const seconds = milliseconds / 1000;
  return `${formatNumber(seconds < 10 ? Math.round(seconds * 10) / 10 : Math.round(seconds))} s`;
}

function Metadata({ detail }: { readonly detail: Detail }): ReactElement | null {
  const entries = Object.entries(detail.metadata);
  if (entries.length === 0) return null;
  return (
    <section>
      <h2>{t('document.metadata')}</h2>
      <dl className={styles['metadata']}>
        {entries.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{typeof value === 'string' ? value : JSON.stringify(value)}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
