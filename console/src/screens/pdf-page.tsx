import { useQueryClient } from '@tanstack/react-query';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { Problem } from '../api/problem';
import { t } from '../texts/i18n';
import { Details } from '../ui/details';
import { ErrorNote, Loading, Note } from '../ui/states';
import type { Place } from './addresses';
import { useBoxes } from './page-boxes';
import { openPdf, type PdfFile } from './pdf-file';
import { PageTurner, ZoomButtons, type Zoom } from './pdf-tools';
import styles from './document.module.css';

/** Some browsers draw nothing on a larger canvas. */
const MOST_PIXELS = 16_000_000;

interface PdfProps {
  readonly documentId: string;
  readonly revision: number;
  readonly name: string;
  /** The page that is cited, from 1. */
  readonly page: number;
  /** The cited place; undefined without a citation. */
  readonly place: Place | undefined;
}

/** Pages of a PDF, drawn by pdf.js in a worker of its own: its scripts never run, and what it needs comes from the service. */
export default function PdfPane({ documentId, revision, name, page, place }: PdfProps): ReactElement {
  const [number, turn] = useState(page);
  useEffect(() => turn(page), [page]);
  const [zoom, setZoom] = useState<Zoom>(1);
  const [tries, count] = useState(0);
  const again = (): void => count((so) => so + 1);
  const { pdf, error } = usePdf(documentId, revision, tries);
  const pages = pdf?.pages ?? 0;
  const shown = Math.min(Math.max(1, number), Math.max(1, pages));
  return (
    <section className={styles['pane']} aria-label={t('document.original')}>
      <div className={styles['pane-head']}>
        <b>{t('document.original')}</b>
        <span className="push" />
        {pages > 0 && (
          <>
            <ZoomButtons zoom={zoom} onZoom={setZoom} />
            <PageTurner page={shown} pages={pages} onTurn={turn} />
          </>
        )}
      </div>
      <div className={styles['desk']}>
        {error !== undefined && <PdfError error={error} onRetry={again} />}
        {pdf === undefined && error === undefined && <Loading lines={10} />}
        {pdf !== undefined && (
          <PdfPage
            pdf={pdf}
            documentId={documentId}
            number={shown}
            zoom={zoom}
            place={shown < page ? undefined : place}
            label={name}
            onRetry={again}
          />
        )}
      </div>
    </section>
  );
}

/** Refused by the service, which says why, or no PDF that can be drawn. */
function PdfError({ error, onRetry }: { readonly error: unknown; readonly onRetry: () => void }): ReactElement {
  if (error instanceof Problem) return <ErrorNote error={error} onRetry={onRetry} />;
  const isLocked = error instanceof Error && error.name === 'PasswordException';
  return (
    <Note kind="warn" icon="warn" title={t('document.pdfBroken')}>
      <p>{t(isLocked ? 'document.pdfLocked' : 'document.pdfBrokenWhy')}</p>
      <Details>
        <p className="mono">{error instanceof Error ? error.message : String(error)}</p>
      </Details>
    </Note>
  );
}

interface Opened {
  readonly pdf?: PdfFile;
  readonly error?: unknown;
}

/** The PDF, open for as long as it is shown; opened again when `tries` grows. */
function usePdf(documentId: string, revision: number, tries: number): Opened {
  const queries = useQueryClient();
  const [opened, show] = useState<Opened>({});
  useEffect(() => {
    const stop = new AbortController();
    openPdf(queries, documentId, revision, stop.signal).then(
      (pdf) => {
        if (!stop.signal.aborted) show({ pdf });
      },
      (error: unknown) => {
        if (!stop.signal.aborted) show({ error });
      },
    );
    return () => {
      stop.abort();
      show({});
    };
  }, [queries, documentId, revision, tries]);
  return opened;
}

interface PageProps {
  readonly pdf: PdfFile;
  readonly documentId: string;
  readonly number: number;
  readonly zoom: Zoom;
  readonly place: Place | undefined;
  readonly label: string;
  readonly onRetry: () => void;
}

function PdfPage({ pdf, documentId, number, zoom, place, label, onRetry }: PageProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<number>();
  const marks = useBoxes(documentId, number, place);
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    setError(undefined);
    draw(pdf, number, canvas.current!, stop.signal).then(
      () => {
        if (!stop.signal.aborted) setDrawn(number);
      },
      (problem: unknown) => {
        if (!stop.signal.aborted) setError(problem);
      },
    );
    return () => stop.abort();
  }, [pdf, number, zoom]);
  const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  return (
    <div className={styles['page']} style={{ width: `${zoom * 100}%` }}>
      {error !== undefined && <ErrorNote error={error} onRetry={onRetry} />}
      {marks.error !== null && <p className={styles['unmarked']}>{marks.error.message}</p>}
      <canvas ref={canvas} role="img" aria-label={`${label}, ${t('place.page', { page: number })}`} />
      {(drawn === number ? (marks.data?.boxes ?? []) : []).map((box, index) => (
        <PageMark
          key={box.start}
          isFirst={index === 0}
          zoom={zoom}
          place={{
            left: share(box.x, marks.data!.width),
            top: share(box.y, marks.data!.height),
            width: share(box.width, marks.data!.width),
            height: share(box.height, marks.data!.height),
          }}
        />
      ))}
    </div>
  );
}

interface MarkProps {
  readonly place: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
  readonly zoom: Zoom;
}

/** What is cited stays in sight, also when the page becomes larger. */
function PageMark({ place, isFirst, zoom }: MarkProps): ReactElement {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFirst) mark.current?.scrollIntoView({ block: 'center', inline: zoom === 1 ? 'nearest' : 'start' });
  }, [isFirst, zoom]);
  return <i ref={mark} className={styles['page-mark']} style={place} data-cited />;
}

async function draw(pdf: PdfFile, number: number, canvas: HTMLCanvasElement, signal: AbortSignal): Promise<void> {
  const page = await pdf.page(number);
  const plain = page.getViewport({ scale: 1 });
  const width = canvas.parentElement?.clientWidth ?? plain.width;
  const fitting = width / plain.width;
  const most = Math.sqrt(MOST_PIXELS / (plain.width * plain.height));
  const viewport = page.getViewport({ scale: Math.min(fitting * Math.min(2, devicePixelRatio), most) });
  if (signal.aborted) throw new Error('left');
  // Sizes are whole pixels; a canvas that is set anew is empty.
  Object.assign(canvas, { width: Math.floor(viewport.width), height: Math.floor(viewport.height) });
  const task = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => task.cancel(), { once: true });
  await pdf.reading(task.promise);
}
