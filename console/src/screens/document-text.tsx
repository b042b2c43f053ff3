import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { api, dataOf, type Schema } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { Empty, ErrorNote, Loading } from '../ui/states';
import styles from './document.module.css';

type Chunk = Schema<'DocumentChunk'>;

interface Place {
  readonly from: number;
  readonly to: number;
}

interface TextProps {
  readonly detail: Schema<'DocumentDetail'>;
  readonly place: Place | undefined;
}

const PAGE = 100;

async function fetchChunks(
  documentId: string,
  skip: number,
  signal: AbortSignal,
): Promise<Schema<'DocumentChunkPage'>> {
  const params = { path: { document_id: documentId }, query: { skip, limit: PAGE } };
  return dataOf(api.GET('/api/v1/documents/{document_id}/chunks', { params, signal }));
}

/** The page of chunks that holds a place, by halving: chunks stand in the order of the text. */
async function findPage(documentId: string, place: Place, signal: AbortSignal): Promise<number> {
  let low = 0;
  let high = Number.POSITIVE_INFINITY;
  for (let page = 0; low < high; page = Math.floor((low + high) / 2)) {
    const { items, total } = await fetchChunks(documentId, page * PAGE, signal);
    high = Math.min(high, Math.max(0, Math.ceil(total / PAGE) - 1));
    const [first, last] = [items[0], items.at(-1)];
    if (first === undefined || last === undefined) return 0;
    if (place.from < first.position.char_start && page > low) high = page - 1;
    else if (place.from >= last.position.char_end && page < high) low = page + 1;
    else return page;
  }
  return low;
}

/** The canonical text with the borders of its chunks, and the cited place marked and in sight. */
export function DocumentText({ detail, place }: TextProps): ReactElement {
  const [chosen, choose] = useState<number>();
  const cited = useQuery({
    queryKey: ['chunk-page', detail.id, detail.revision, place?.from],
    queryFn: ({ signal }) => findPage(detail.id, place!, signal),
    enabled: place !== undefined,
    staleTime: Infinity,
  });
  const page = chosen ?? (place === undefined ? 0 : cited.data);
  const chunks = useQuery({
    queryKey: ['chunks', detail.id, detail.revision, detail.updated_at, page],
    queryFn: ({ signal }) => fetchChunks(detail.id, (page ?? 0) * PAGE, signal),
    enabled: page !== undefined,
    placeholderData: keepPreviousData,
  });
  const last = Math.max(0, Math.ceil((chunks.data?.total ?? 0) / PAGE) - 1);
  return (
    <section className={styles['pane']} aria-label={t('document.text')} tabIndex={0}>
      <div className={styles['pane-head']}>
        <b>{t('document.text')}</b>
        <span className="push" />
        {last > 0 && page !== undefined && (
          <>
            <span className="quiet">
              {t('document.part', { page: formatNumber(page + 1), pages: formatNumber(last + 1) })}
            </span>
            <Button
              look="plain"
              square
              aria-label={t('before')}
              isDisabled={page === 0}
              onPress={() => choose(page - 1)}
            >
              <Icon name="left" />
            </Button>
            <Button
              look="plain"
              square
              aria-label={t('next')}
              isDisabled={page === last}
              onPress={() => choose(page + 1)}
            >
              <Icon name="right" />
            </Button>
          </>
        )}
      </div>
      {chunks.error !== null && <ErrorNote error={chunks.error} onRetry={() => void chunks.refetch()} />}
      {chunks.isPending && (
        <div className={styles['canon']}>
          <Loading lines={8} />
        </div>
      )}
      {chunks.data?.total === 0 && (
        <div className={styles['canon']}>
          <Empty title={t('document.noText')}>
            <p>{t('document.noTextWhy')}</p>
          </Empty>
        </div>
      )}
      <div className={styles['canon']}>
        {chunks.data?.items.map((chunk, index, all) => (
          <ChunkText key={chunk.chunk_id} chunk={chunk} before={all[index - 1]} place={place} />
        ))}
      </div>
    </section>
  );
}

interface ChunkProps {
  readonly chunk: Chunk;
  readonly before: Chunk | undefined;
  readonly place: Place | undefined;
}

/** What neighbours share is shown once, with the earlier one. */
function ChunkText({ chunk, before, place }: ChunkProps): ReactElement {
  const { char_start: start, char_end: end, heading_path: headings, page, sheet, row } = chunk.position;
  const shown = Math.max(start, before?.position.char_end ?? 0);
  const from = Math.max(shown, place?.from ?? end);
  const to = Math.min(end, place?.to ?? 0);
  const isCited = to > from;
  const text = (low: number, high: number): string => chunk.text.slice(low - start, high - start);
  const where = [
    headings.at(-1),
    page === null ? undefined : t('place.page', { page }),
    sheet ?? undefined,
    row === null ? undefined : t('place.row', { row }),
  ].filter((part) => part !== undefined && part !== '');
  return (
    <section className={isCited ? styles['cited'] : ''}>
      <header>
        <b>{t('document.chunk', { number: formatNumber(chunk.ordinal + 1) })}</b>
        <span className="cut">{where.join(', ')}</span>
      </header>
      <p className={styles['prose']}>
        {isCited ? (
          <>
            {text(shown, from)}
            <Marked text={text(from, to)} />
            {text(to, end)}
          </>
        ) : (
          text(Math.min(shown, end), end)
        )}
      </p>
    </section>
  );
}

/** The first mark of a page comes into sight by itself. */
function Marked({ text }: { readonly text: string }): ReactElement {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (document.querySelector('mark') === mark.current) mark.current?.scrollIntoView({ block: 'center' });
  }, []);
  return <mark ref={mark}>{text}</mark>;
}
