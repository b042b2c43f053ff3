import { useQuery } from '@tanstack/react-query';
import { getDocument, GlobalWorkerOptions, type PDFDocumentProxy, type PDFPageProxy } from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { useEffect, useRef, useState, type ReactElement } from 'react';
import { fetchRoute } from '../api/client';
import { formatNumber, t } from '../texts/i18n';
import { Button } from '../ui/controls';
import { Icon } from '../ui/icon';
import { ErrorNote, Loading } from '../ui/states';
import { boxesOf, type Box, type PagePiece } from './page-boxes';
import { PdfFiles } from './pdf-files';
import styles from './document.module.css';

GlobalWorkerOptions.workerSrc = workerAddress;

interface PdfProps {
  readonly documentId: string;
  readonly revision: number;
  readonly name: string;
  /** The page that is cited, from 1. */
  readonly page: number;
  /** The cited text; undefined without a citation. */
  readonly cited: string | undefined;
}

interface Drawn {
  readonly width: number;
  readonly height: number;
  readonly boxes: readonly Box[];
}

/** Pages of a PDF, drawn by pdf.js in a worker of its own: its scripts never run, and what it needs comes from the service. */
export default function PdfPane({ documentId, revision, name, page, cited }: PdfProps): ReactElement {
  const [number, turn] = useState(page);
  useEffect(() => turn(page), [page]);
  const pdf = useQuery({
    queryKey: ['pdf', documentId, revision],
    queryFn: async ({ signal }) => {
      const response = await fetchRoute(`api/v1/documents/${documentId}/content`, { signal });
      return openPdf(await response.arrayBuffer());
    },
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  const pages = pdf.data?.numPages ?? 0;
  const shown = Math.min(Math.max(1, number), Math.max(1, pages));
  return (
    <section className={styles['pane']} aria-label={t('document.original')}>
      <div className={styles['pane-head']}>
        <b>{t('document.original')}</b>
        <span className="push" />
        {pages > 0 && (
          <>
            <Button
              look="plain"
              square
              aria-label={t('document.pageBefore')}
              isDisabled={shown === 1}
              onPress={() => turn(shown - 1)}
            >
              <Icon name="left" />
            </Button>
            <span className="quiet">
              {t('document.pageOf', { page: formatNumber(shown), pages: formatNumber(pages) })}
            </span>
            <Button
              look="plain"
              square
              aria-label={t('document.pageNext')}
              isDisabled={shown === pages}
              onPress={() => turn(shown + 1)}
            >
              <Icon name="right" />
            </Button>
          </>
        )}
      </div>
      <div className={styles['desk']}>
        {pdf.error !== null && <ErrorNote error={pdf.error} />}
        {pdf.isPending && <Loading lines={10} />}
        {pdf.data !== undefined && (
          <PdfPage pdf={pdf.data} number={shown} cited={shown === page ? cited : undefined} label={name} />
        )}
      </div>
    </section>
  );
}

function openPdf(data: ArrayBuffer): Promise<PDFDocumentProxy> {
  return getDocument({
    data,
    BinaryDataFactory: PdfFiles,
    // The names only say that there are some: PdfFiles knows the addresses.
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'fonts/',
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
  }).promise;
}

interface PageProps {
  readonly pdf: PDFDocumentProxy;
  readonly number: number;
  readonly cited: string | undefined;
  readonly label: string;
}

function PdfPage({ pdf, number, cited, label }: PageProps): ReactElement {
  const canvas = useRef<HTMLCanvasElement>(null);
  const [drawn, setDrawn] = useState<Drawn>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    const stop = new AbortController();
    draw(pdf, number, canvas.current!, cited, stop.signal).then(
      (made) => {
        if (!stop.signal.aborted) setDrawn(made);
      },
      (problem: unknown) => {
        if (!stop.signal.aborted) setError(problem);
      },
    );
    return () => stop.abort();
  }, [pdf, number, cited]);
  const share = (part: number, whole: number): string => `${(part / whole) * 100}%`;
  return (
    <div className={styles['page']}>
      {error !== undefined && <ErrorNote error={error} />}
      <canvas ref={canvas} role="img" aria-label={`${label}, ${t('place.page', { page: number })}`} />
      {drawn?.boxes.map((box) => (
        <PageMark
          key={`${box.x} ${box.y}`}
          isFirst={box === drawn.boxes[0]}
          place={{
            left: share(box.x, drawn.width),
            bottom: share(box.y, drawn.height),
            width: share(box.width, drawn.width),
            height: share(box.height, drawn.height),
          }}
        />
      ))}
    </div>
  );
}

function PageMark({
  place,
  isFirst,
}: {
  readonly place: Readonly<Record<string, string>>;
  readonly isFirst: boolean;
}): ReactElement {
  const mark = useRef<HTMLElement>(null);
  useEffect(() => {
    if (isFirst) mark.current?.scrollIntoView({ block: 'center' });
  }, [isFirst]);
  return <i ref={mark} className={styles['page-mark']} style={place} data-cited />;
}

async function draw(
  pdf: PDFDocumentProxy,
  number: number,
  canvas: HTMLCanvasElement,
  cited: string | undefined,
  signal: AbortSignal,
): Promise<Drawn> {
  const page = await pdf.getPage(number);
  const plain = page.getViewport({ scale: 1 });
  const width = canvas.parentElement?.clientWidth ?? plain.width;
  const viewport = page.getViewport({ scale: (width / plain.width) * Math.min(2, devicePixelRatio) });
  if (signal.aborted) throw new Error('left');
  // Sizes are whole pixels; a canvas that is set anew is empty.
  Object.assign(canvas, { width: Math.floor(viewport.width), height: Math.floor(viewport.height) });
  const task = page.render({ canvas, viewport });
  signal.addEventListener('abort', () => task.cancel(), { once: true });
  await task.promise;
  return { width: plain.width, height: plain.height, boxes: cited === undefined ? [] : await marksOf(page, cited) };
}

async function marksOf(page: PDFPageProxy, cited: string): Promise<readonly Box[]> {
  const { items } = await page.getTextContent();
  const pieces = items.filter((item) => 'str' in item) as readonly PagePiece[];
  return boxesOf(pieces, cited);
}
