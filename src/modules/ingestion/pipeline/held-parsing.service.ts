import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { mapBounded } from '#libs/common';
import { Settings } from '#libs/config';
import { ParseError, readSegments, type ParsedDocument } from '#libs/parsing';
import type { RequestContext } from '#libs/tenancy';
import type { TextSegment } from '#libs/text';
import {
  ContentInspection,
  ContentRefused,
  withoutContent,
  type ContentMasks,
} from '../attempt/content-inspection.service.js';
import { done, type Outcome, type Parsed, type Planned } from '../attempt/document-states.js';
import { FileParser } from './file-parser.service.js';
import type { ParsePlan } from './parse-options.js';
import { LANGUAGE_SAMPLE, parsedFile, type ParsedText, isShown, RevisionTextRepository } from '../../content/index.js';
import { WorkFolders } from '../attempt/work-folders.service.js';

/** Time in milliseconds after which a file continues alone, so that the others do not wait for it. */
const PATIENCE_MS = 5_000;
/** Length of a text above which its document continues alone; a small file may unpack to a long text. */
const LONGEST_TEXT = 256 * 1024;

class TooMuch extends Error {}

/** A file with its parsing options. */
export interface PlannedFile {
  readonly document: Planned;
  readonly plan: ParsePlan;
}

/** Files → texts in memory, for small documents that are processed in a group. */
@Injectable()
export class HeldParsing {
  private readonly lanes: number;

  constructor(
    private readonly files: FileParser,
    private readonly folders: WorkFolders,
    private readonly texts: RevisionTextRepository,
    private readonly inspection: ContentInspection,
    settings: Settings,
  ) {
    this.lanes = settings.values.parserProcesses;
  }

  /** Reads existing texts; documents with long or staged texts continue alone. */
  async resume(
    ctx: RequestContext,
    known: readonly { readonly document: Planned; readonly text: ParsedText }[],
  ): Promise<Outcome<Parsed>[]> {
    const fits = ({ text }: { readonly text: ParsedText }): boolean => !text.staged && text.length <= LONGEST_TEXT;
    const revisions = known.filter(fits).map(({ document }) => document.revision.id);
    const stored = await this.texts.readAll(ctx, revisions);
    return known.map(({ document, text }) => {
      const segments = stored.get(document.revision.id);
      if (segments === undefined) return { kind: 'alone', journal: document.journal };
      document.journal.noteResumed();
      document.journal.endWork();
      return done({ ...document, state: 'parsed', text, isResumed: true, source: { kind: 'held', segments } });
    });
  }

  /** Waits for all files, whatever their outcome. A revision whose shown text must be kept meanwhile continues alone. */
  async parse(files: readonly PlannedFile[]): Promise<Outcome<Parsed>[]> {
    if (files.length === 0) return [];
    const faults: unknown[] = [];
    const outcomes = await this.folders.use(async (folder) => {
      // One more than parsers, so that the next file is parsed while the text of a file is read.
      const places = Array.from({ length: Math.min(this.lanes + 1, files.length) }, (_, n) => join(folder, String(n)));
      for (const place of places) await mkdir(place);
      return mapBounded(files, places.length, async (file): Promise<Outcome<Parsed>> => {
        const place = places.pop()!;
        try {
          return await this.parseOne(file, place);
        } catch (error) {
          faults.push(error);
          return { kind: 'alone', journal: file.document.journal };
        } finally {
          places.push(place);
        }
      });
    });
    if (faults.length > 0) throw faults[0];
    return outcomes;
  }

  private async parseOne({ document, plan }: PlannedFile, folder: string): Promise<Outcome<Parsed>> {
    const { journal, revision } = document;
    const { run } = journal;
    if (isShown(run.document, revision)) return { kind: 'alone', journal };
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new TooMuch()), PATIENCE_MS);
    const fileName = revision.name ?? run.document.name;
    const file = { document: run.document, fileName, blobKey: revision.blob_key, options: plan.options, folder };
    journal.beginWork();
    try {
      const signal = AbortSignal.any([run.signal, patience.signal]);
      const parsed = await this.files.parse(file, signal, async (read) => {
        if (read.textLength > LONGEST_TEXT) throw new TooMuch();
        const masks = await this.inspection.inspect(document, read);
        return keep(document, { parsed: masks.file(read), masks }, plan.fingerprint);
      });
      return done(parsed);
    } catch (error) {
      if (error instanceof TooMuch || run.signal.aborted) return { kind: 'alone', journal };
      if (!(error instanceof ParseError || error instanceof ContentRefused)) throw error;
      return { kind: 'failed', journal, error: withoutContent(error, document.policy) };
    } finally {
      clearTimeout(timer);
    }
  }
}

async function keep(
  document: Planned,
  { parsed, masks }: { readonly parsed: ParsedDocument; readonly masks: ContentMasks },
  fingerprint: string,
): Promise<Parsed> {
  const segments: TextSegment[] = [];
  let sample = '';
  for await (const read of readSegments(parsed)) {
    const segment = masks.segment(read);
    if (sample.length < LANGUAGE_SAMPLE) sample += segment.text.slice(0, LANGUAGE_SAMPLE - sample.length);
    segments.push({ ...segment, blocks: [...segment.blocks] });
  }
  const text = { ...parsedFile(parsed, sample), length: parsed.textLength, fingerprint, staged: false };
  document.journal.addText({ isFirst: true, segments, staged: false, sealed: text });
  document.journal.endWork();
  return { ...document, state: 'parsed', text, isResumed: false, source: { kind: 'held', segments } };
}
