import { Fragment, useState, type ReactElement } from 'react';
import { MOST_CHARACTERS } from '../api/canonical-text';
import type { Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorNote, Loading } from '../ui/states';
import type { Place } from './addresses';
import { PAGE, useChunks, useGaps, usePageOf } from './chunk-pages';
import { failedWords } from './code-words';
import { NoText } from './document-archive';
import { BetweenChunks, ChunkText, type TextLayers } from './document-chunk';
import { FindBar, useFind } from './document-find';
import { useTextFindings } from './document-findings';
import styles from './document.module.css';
import { setOf } from './document-prose';

/** As the service writes what a policy hides. */
const MASK = '█';

interface TextProps {
  readonly detail: Schema<'DocumentDetail'>;
  readonly place: Place | undefined;
}

/** The canonical text with the borders of its chunks and what was found in it, the cited place marked and in sight. */
export function DocumentText({ detail, place }: TextProps): ReactElement {
  const find = useFind(detail);
  const hit = find.hits[find.at];
  const focus = hit?.from ?? place?.from;
  const [chosen, choose] = useState<{ readonly focus: number | undefined; readonly page: number }>();
  const found = usePageOf(detail, focus);
  // Who turns the page looks elsewhere until another place is to be shown.
  const page = chosen !== undefined && chosen.focus === focus ? chosen.page : focus === undefined ? 0 : found.data;
  const chunks = useChunks(detail, page);
  const layers = { cited: place, findings: useTextFindings(detail), hits: find.hits, hit };
  return (
    <section className={styles['pane']} aria-label={t('document.text')} tabIndex={0}>
      <div className={`${styles['pane-head']} ${styles['text-head']}`}>
        <b>{t('document.text')}</b>
        {chunks.data?.total !== 0 && <FindBar find={find} />}
        <Pager total={chunks.data?.total ?? 0} page={page} onTurn={(next) => choose({ focus, page: next })} />
      </div>
      {[chunks, found, find].map(({ error }, index) => error !== null && <ErrorNote key={index} error={error} />)}
      {find.isCut && <p className={styles['hint']}>{t('find.cut', { count: MOST_CHARACTERS })}</p>}
      {chunks.isPending && (
        <div className={styles['canon']}>
          <Loading lines={8} />
        </div>
      )}
      {chunks.data?.total === 0 && (
        <div className={styles['canon']}>
          {detail.status === 'failed' ? (
            <Empty title={t('document.noTextFailed')}>
              <p>{failedWords(detail)}</p>
            </Empty>
          ) : (
            <NoText detail={detail} />
          )}
        </div>
      )}
      {chunks.data !== undefined && <Canon detail={detail} chunks={chunks.data} layers={layers} />}
    </section>
  );
}

interface CanonProps {
  readonly detail: Schema<'DocumentDetail'>;
  readonly chunks: Schema<'DocumentChunkPage'>;
  readonly layers: TextLayers;
}

function Canon({ detail, chunks, layers }: CanonProps): ReactElement {
  const { gaps, error } = useGaps(detail, chunks);
  const shown = chunks.items.slice(0, PAGE);
  const set = setOf(detail.media_type);
  const gapBefore = (index: number): ReactElement | null => {
    const gap = gaps.find(({ before }) => before === index);
    return gap === undefined ? null : <BetweenChunks text={gap.text} stretch={gap} layers={layers} set={set} />;
  };
  return (
    <div className={styles['canon']}>
      {error !== null && <ErrorNote error={error} />}
      {shown.some(({ text }) => text.includes(MASK)) && <p className={styles['hint']}>{t('document.masked')}</p>}
      {shown.map((chunk, index) => (
        <Fragment key={chunk.chunk_id}>
          {gapBefore(index)}
          <ChunkText chunk={chunk} before={shown[index - 1]} next={chunks.items[index + 1]} layers={layers} set={set} />
        </Fragment>
      ))}
      {gapBefore(shown.length)}
    </div>
  );
}

interface PagerProps {
  readonly total: number;
  readonly page: number | undefined;
  readonly onTurn: (page: number) => void;
}

function Pager({ total, page, onTurn }: PagerProps): ReactElement | null {
  const last = Math.max(0, Math.ceil(total / PAGE) - 1);
  if (last === 0 || page === undefined) return null;
  return (
    <>
      <span className="quiet">
        {t('document.part', { page: formatNumber(page + 1), pages: formatNumber(last + 1) })}
      </span>
      <Button look="plain" square aria-label={t('before')} isDisabled={page === 0} onPress={() => onTurn(page - 1)}>
        <Icon name="left" />
      </Button>
      <Button look="plain" square aria-label={t('next')} isDisabled={page === last} onPress={() => onTurn(page + 1)}>
        <Icon name="right" />
      </Button>
    </>
  );
}
