import { useQuery } from '@tanstack/react-query';
import { useEffect, useState, type ReactElement } from 'react';
import { Link, useSearchParams } from 'wouter';
import { fetchRoute, type Schema } from '../api/client';
import { usePageTitle } from '../frame/page-title';
import { formatBytes, formatNumber, formatWhen, t } from '../texts/i18n';
import { Dot, lookOf } from '../ui/counts';
import { Button } from '../ui/controls';
import { Details } from '../ui/details';
import { Download } from '../ui/download';
import { Icon } from '../ui/icon';
import { ErrorNote, ErrorPage, Loading, faultOf } from '../ui/states';
import type { Place } from './addresses';
import { failedWords } from './code-words';
import { DocumentActions } from './document-actions';
import { ArchiveLink } from './document-archive';
import { HeldNote, HeldText, useIsOpen } from './document-held';
import { documentQuery } from './document-query';
import { FormerRevision, useRevisions } from './document-revisions';
import { DocumentSide } from './document-side';
import { DocumentText } from './document-text';
import { wordsOf } from './document-row';
import { useBoxes } from './page-boxes';
import { PdfPane } from './pdf-pane';
import styles from './document.module.css';

type Detail = Schema<'DocumentDetail'>;

/** What a browser shows as a picture, where no script of it runs: in an `<img>`. Everything else of an original is shown as its text. */
const PICTURES: readonly string[] = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/svg+xml'];
const PDF = 'application/pdf';
/** As the service calls a language that nobody could tell. */
const UNKNOWN_LANGUAGE = 'und';
const BUSY_MS = 2000;

const hasOriginal = ({ media_type: type }: Detail): boolean => type === PDF || PICTURES.includes(type);

interface DocumentProps {
  readonly datasetId: string;
  readonly documentId: string;
}

/** One document: the original, what was read of it, and how. `from` and `to` of the address are the cited place. */
export default function DocumentScreen({ datasetId, documentId }: DocumentProps): ReactElement {
  const [search, setSearch] = useSearchParams();
  const side: Side = search.get('view') === 'text' ? 'text' : 'original';
  const show = (view: Side): void => {
    setSearch((former) => ({ ...Object.fromEntries(former), view }), { replace: true });
  };
  const document = useQuery({
    ...documentQuery(documentId),
    refetchInterval: ({ state }) =>
      state.data?.status === 'pending' || state.data?.status === 'processing' ? BUSY_MS : false,
  });
  if (faultOf(document) !== null) {
    return <ErrorPage error={document.error} onRetry={() => void document.refetch()} />;
  }
  if (document.data === undefined)
    return (
      <main className="body">
        <Loading lines={8} />
      </main>
    );
  return <DocumentView detail={document.data} datasetId={datasetId} side={side} onSide={show} />;
}

interface ViewProps {
  readonly detail: Detail;
  readonly datasetId: string;
  readonly side: Side;
  readonly onSide: (side: Side) => void;
}

function DocumentView({ detail, datasetId, side, onSide }: ViewProps): ReactElement {
  const [search] = useSearchParams();
  const place = placeOf(search);
  const page = pageOf(search);
  const isOpen = useIsOpen(detail);
  const isBeside = isOpen === true && hasOriginal(detail);
  const isPdf = isBeside && detail.media_type === PDF;
  // Asked for while the viewer and the file are on their way; what is at the side comes behind it.
  const boxes = useBoxes(detail.id, page, isPdf ? place : undefined);
  const isPlaced = !isPdf || place === undefined || boxes.isFetched;
  return (
    <div className={styles['screen']}>
      <Head detail={detail} datasetId={datasetId} isCited={place !== undefined} isOpen={isOpen === true} />
      {isBeside && <Sides side={side} onChange={onSide} />}
      <main className={`${isBeside ? styles['beside'] : styles['alone']} ${styles[`side-${side}`]}`}>
        {isBeside && !isPdf && <Picture detail={detail} />}
        {isPdf && (
          <PdfPane documentId={detail.id} revision={detail.revision} name={detail.name} page={page} place={place} />
        )}
        {isOpen === true && <DocumentText detail={detail} place={place} />}
        {isOpen === false && <HeldText />}
        {isPlaced ? <DocumentSide detail={detail} /> : <aside className={styles['side']} />}
      </main>
    </div>
  );
}

type Side = 'original' | 'text';

/** On a phone the two sides are tabs; where there is room both are there. */
function Sides({ side, onChange }: { readonly side: Side; readonly onChange: (side: Side) => void }): ReactElement {
  return (
    <section className={styles['sides']} aria-label={t('document.sides')}>
      {(['original', 'text'] as const).map((name) => (
        <button key={name} type="button" aria-pressed={name === side} onClick={() => onChange(name)}>
          {t(`document.${name}`)}
        </button>
      ))}
    </section>
  );
}

function placeOf(search: URLSearchParams): Place | undefined {
  const from = Number(search.get('from') ?? Number.NaN);
  const to = Number(search.get('to') ?? Number.NaN);
  return Number.isInteger(from) && Number.isInteger(to) && to > from && from >= 0 ? { from, to } : undefined;
}

/** The page of the cited place, from 1. */
const pageOf = (search: URLSearchParams): number => Math.max(1, Number(search.get('page') ?? 1) || 1);

interface HeadProps {
  readonly detail: Detail;
  readonly datasetId: string;
  readonly isCited: boolean;
  /** Its file may be read. */
  readonly isOpen: boolean;
}

function Head({ detail, datasetId, isCited, isOpen }: HeadProps): ReactElement {
  const folder = detail.path?.slice(0, detail.path.lastIndexOf('/') + 1) ?? '';
  usePageTitle(detail.name);
  return (
    <header className="head">
      <div className="head-line one">
        {isCited ? (
          <Button look="plain" square aria-label={t('document.back')} onPress={() => history.back()}>
            <Icon name="left" />
          </Button>
        ) : (
          <Link className="button plain square" href={`/d/${datasetId}/documents`} aria-label={t('document.toList')}>
            <Icon name="left" />
          </Link>
        )}
        <h1 className="cut" title={detail.path ?? detail.name}>
          {detail.name}
        </h1>
        <span className={`state ${lookOf(detail)}`}>
          <Dot look={lookOf(detail)} />
          {detail.status === 'failed' ? t('state.failed') : wordsOf(detail)}
        </span>
        <span className="push tools">
          <DocumentActions detail={detail} datasetId={datasetId} />
          {isOpen && (
            <Download
              route={`api/v1/documents/${detail.id}/content`}
              name={detail.name}
              label={t('document.download')}
            />
          )}
        </span>
      </div>
      <p className={styles['facts']}>
        <ArchiveLink detail={detail} />
        {folder !== '' && <span>{folder}</span>}
        {detail.page_count !== null && <span>{t('document.pages', { count: detail.page_count })}</span>}
        <span>{t('document.chunks', { count: detail.chunk_count })}</span>
        <span>{formatBytes(detail.size_bytes)}</span>
        {detail.language !== null && detail.language !== UNKNOWN_LANGUAGE && (
          <span>{languageName(detail.language)}</span>
        )}
        {detail.revision > 1 && <span>{t('document.revision', { revision: formatNumber(detail.revision) })}</span>}
        <Uploaded detail={detail} />
      </p>
      {detail.status === 'failed' && (
        <div className={styles['failure']} role="status">
          <Icon name="warn" />
          <div>
            <p>{failedWords(detail)}</p>
            <Details>
              <p>{detail.error_message}</p>
              <p className="mono">{detail.error?.code}</p>
            </Details>
          </div>
        </div>
      )}
      {detail.status === 'quarantined' && <HeldNote detail={detail} />}
      <FormerRevision detail={detail} />
    </header>
  );
}

function languageName(tag: string): string {
  return new Intl.DisplayNames([document.documentElement.lang], { type: 'language' }).of(tag) ?? tag;
}

function Picture({ detail }: { readonly detail: Detail }): ReactElement {
  const [address, setAddress] = useState<string>();
  const content = useQuery({
    queryKey: ['content', detail.id, detail.revision],
    queryFn: async ({ signal }) => (await fetchRoute(`api/v1/documents/${detail.id}/content`, { signal })).blob(),
    staleTime: Infinity,
  });
  useEffect(() => {
    if (content.data === undefined) return undefined;
    // An address of this origin would be a page of the console, with its scripts, for who opens it by itself; what is in a `data:` address has no origin.
    const reader = new FileReader();
    reader.addEventListener('load', () => setAddress(reader.result as string));
    reader.readAsDataURL(new Blob([content.data], { type: detail.media_type }));
    return () => reader.abort();
  }, [content.data, detail.media_type]);
  return (
    <section className={styles['pane']} aria-label={t('document.original')}>
      <div className={styles['pane-head']}>
        <b>{t('document.original')}</b>
      </div>
      <div className={styles['desk']}>
        {content.error !== null && <ErrorNote error={content.error} />}
        {address !== undefined && <img className={styles['picture']} src={address} alt={detail.name} />}
      </div>
    </section>
  );
}

/** When the latest file came. */
function Uploaded({ detail }: { readonly detail: Schema<'DocumentDetail'> }): ReactElement | null {
  const { revision, created_at: first } = detail;
  const latest = useRevisions(detail).data?.items.find((one) => one.revision === revision);
  const at = revision === 1 ? first : latest?.created_at;
  return at === undefined ? null : <span>{t('document.uploaded', { when: formatWhen(at) })}</span>;
}
