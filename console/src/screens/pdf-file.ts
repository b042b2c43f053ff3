import type { QueryClient } from '@tanstack/react-query';
import {
  getDocument,
  GlobalWorkerOptions,
  PDFDataRangeTransport,
  PDFWorker,
  type PDFDocumentLoadingTask,
  type PDFDocumentProxy,
  type PDFPageProxy,
} from 'pdfjs-dist';
import workerAddress from 'pdfjs-dist/build/pdf.worker.min.mjs?url';
import { Problem } from '../api/problem';
import { fetchPart, headQuery, partBytesOf, type FilePart } from './document-bytes';
import { PdfResources } from './pdf-resources';

GlobalWorkerOptions.workerSrc = workerAddress;

const CLOSE_MS = 2000;
/** Parts that are fetched at a time: pdf.js asks for as many as there are pages. */
const PARTS_AT_ONCE = 3;
const TRIES = 3;
const PAUSE_MS = 400;

/** A worker that has begun and has no file yet. Each file has one of its own: what breaks one does not break the next. */
let spare: PDFWorker | undefined;

/** Starts the worker of the PDF that is opened next: that takes longer than to read most of them. */
export function prepareWorker(): void {
  spare ??= PDFWorker.create({});
}

function takeWorker(): PDFWorker {
  const worker = spare ?? PDFWorker.create({});
  spare = undefined;
  return worker;
}

/** An open PDF. */
export class PdfFile {
  constructor(
    private readonly pdf: PDFDocumentProxy,
    private readonly parts: FileParts | undefined,
  ) {}

  get pages(): number {
    return this.pdf.numPages;
  }

  /** Waits for what is made of parts of the file, which are fetched as they are needed; rejects when one cannot be fetched. */
  async reading<Result>(work: Promise<Result>): Promise<Result> {
    return this.parts === undefined ? work : Promise.race([work, this.parts.failure]);
  }

  /** A page by its number, from 1. */
  page(number: number): Promise<PDFPageProxy> {
    return this.reading(this.pdf.getPage(number));
  }
}

/** Opens the PDF of a document; `signal` ends its worker and what is still fetched. */
export async function openPdf(
  queries: QueryClient,
  documentId: string,
  revision: number,
  signal: AbortSignal,
): Promise<PdfFile> {
  const head = await queries.query(headQuery(documentId, revision));
  signal.throwIfAborted();
  const worker = takeWorker();
  const isWhole = head.bytes.byteLength >= head.size;
  const parts = isWhole ? undefined : new FileParts(documentId, head, signal);
  const task = getDocument({
    // The worker takes what it is given away from the page.
    ...(parts === undefined ? { data: head.bytes.slice() } : { range: parts }),
    rangeChunkSize: partBytesOf(head.size),
    disableAutoFetch: true,
    disableStream: true,
    worker,
    BinaryDataFactory: PdfResources,
    // The names only say that there are some: PdfResources knows the addresses.
    cMapUrl: 'cmaps/',
    standardFontDataUrl: 'fonts/',
    useWorkerFetch: false,
    useWasm: false,
    enableXfa: false,
  });
  signal.addEventListener('abort', () => close(task, worker), { once: true });
  const opening = task.promise;
  // Another try begins with the file as it is then.
  parts?.failure.catch(() => queries.removeQueries({ queryKey: headQuery(documentId, revision).queryKey }));
  return new PdfFile(await (parts === undefined ? opening : Promise.race([opening, parts.failure])), parts);
}

/** A worker that hangs in its file never says that it has closed it. */
function close(task: PDFDocumentLoadingTask, worker: PDFWorker): void {
  const end = (): void => worker.destroy();
  setTimeout(end, CLOSE_MS);
  task.destroy().then(end, end);
}

/** The parts of a large file that pdf.js asks for: the end with its table, then what a page needs. */
class FileParts extends PDFDataRangeTransport {
  /** Rejects when a part cannot be fetched: pdf.js would wait for it for good. */
  readonly failure: Promise<never>;
  private fail: (reason: unknown) => void = () => undefined;
  private readonly waiting: (() => Promise<void>)[] = [];
  private running = 0;

  constructor(
    private readonly documentId: string,
    private readonly head: FilePart,
    private readonly signal: AbortSignal,
  ) {
    super(head.size, head.bytes.slice());
    this.failure = new Promise<never>((_, reject) => {
      this.fail = reject;
    });
    // Who waits for a page hears of it; between pages nobody does.
    this.failure.catch(() => undefined);
  }

  override requestDataRange(begin: number, end: number): void {
    this.waiting.push(() =>
      this.fetch(begin, end).then(
        (bytes) => {
          if (!this.signal.aborted) this.onDataRange(begin, bytes);
        },
        (error: unknown) => {
          if (!this.signal.aborted) this.fail(error);
        },
      ),
    );
    void this.run();
  }

  private async run(): Promise<void> {
    if (this.running === PARTS_AT_ONCE) return;
    this.running += 1;
    for (let work = this.waiting.shift(); work !== undefined && !this.signal.aborted; work = this.waiting.shift()) {
      await work();
    }
    this.running -= 1;
  }

  /** A connection that is lost once does not end the file. */
  private async fetch(begin: number, end: number): Promise<Uint8Array> {
    const { bytes, size } = await this.tried(() => fetchPart(this.documentId, begin, end, this.signal));
    if (size === this.head.size && bytes.byteLength === Math.min(end, size) - begin) return bytes;
    throw new Error('The file has changed since it was opened.');
  }

  private async tried<Result>(work: () => Promise<Result>): Promise<Result> {
    for (let tries = 1; ; tries += 1) {
      try {
        return await work();
      } catch (error) {
        const isRefused = error instanceof Problem && error.status >= 400 && error.status < 500;
        if (this.signal.aborted || isRefused || tries === TRIES) throw error;
        await new Promise((go) => setTimeout(go, PAUSE_MS * tries));
      }
    }
  }
}
