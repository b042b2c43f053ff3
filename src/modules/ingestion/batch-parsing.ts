import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable } from '@nestjs/common';
import { mapBounded } from '#libs/common';
import { Settings } from '#libs/config';
import { ParseError, readSegments, type ParsedDocument } from '#libs/parsing';
import type { TextSegment } from '#libs/text';
import { AttemptEnding } from './attempt-ending.js';
import type { BatchDocument } from './batch-document.js';
import { FileParser } from './file-parser.js';
import type { ParsePlan } from './parse-options.js';
import { isShown, ParseStage } from './parse.stage.js';
import { LANGUAGE_SAMPLE, parsedFile } from './parsed-text.js';
import { finishedText, RevisionTextRepository } from './revision-text.repository.js';
import { parsed as parsedEvent, parsedBefore } from './stage-events.js';
import { WorkFolders } from './work-folders.js';

/** A file that takes longer goes on by itself, so that the others need not wait for it. */
const PATIENCE_MS = 5_000;
/** A small file may unpack to a long text, which goes on by itself, too. */
const LONGEST_TEXT = 256 * 1024;

class TooMuch extends Error {}

interface PlannedFile {
  readonly document: BatchDocument;
  readonly plan: ParsePlan;
}

/** Files → texts in memory, for small documents that go through the stages together. */
@Injectable()
export class BatchParsing {
  private readonly lanes: number;

  constructor(
    private readonly stage: ParseStage,
    private readonly files: FileParser,
    private readonly folders: WorkFolders,
    private readonly texts: RevisionTextRepository,
    private readonly ending: AttemptEnding,
    settings: Settings,
  ) {
    this.lanes = settings.values.parserProcesses;
  }

  /** Gives every document that can go on its text. A file's own fault ends its document; what takes long is left without a text. */
  async run(documents: readonly BatchDocument[]): Promise<void> {
    const toParse: PlannedFile[] = [];
    const known: BatchDocument[] = [];
    for (const document of documents) {
      const plan = this.stage.planOf(document.run);
      const finished = finishedText(document.revision, plan.fingerprint);
      if (finished !== undefined && !finished.staged && finished.length <= LONGEST_TEXT) known.push(document);
      else if (finished === undefined && !isShown(document.run.document, document.revision))
        toParse.push({ document, plan });
    }
    await this.resume(known);
    if (toParse.length > 0) await this.parseAll(toParse);
  }

  /** Waits for all of them, whatever becomes of each. */
  private async parseAll(files: readonly PlannedFile[]): Promise<void> {
    const faults: unknown[] = [];
    await this.folders.use(async (folder) => {
      // One more than parsers: while the text of a file is taken over, the next file is parsed.
      const places = Array.from({ length: Math.min(this.lanes + 1, files.length) }, (_, n) => join(folder, String(n)));
      for (const place of places) await mkdir(place);
      await mapBounded(files, places.length, async ({ document, plan }) => {
        const place = places.pop()!;
        await this.parse(document, plan, place).catch((error: unknown) => faults.push(error));
        places.push(place);
      });
    });
    if (faults.length > 0) throw faults[0];
  }

  private async resume(documents: readonly BatchDocument[]): Promise<void> {
    const [first] = documents;
    if (first === undefined) return;
    const segments = await this.texts.readAll(
      first.run.ctx,
      documents.map(({ revision }) => revision.id),
    );
    for (const document of documents) {
      const text = finishedText(document.revision, this.stage.planOf(document.run).fingerprint)!;
      document.text = { text, segments: segments.get(document.revision.id) ?? [], isNew: false };
      document.run.warnings.push(...text.warnings);
      document.noteResumed();
      document.moveOn(parsedBefore(text, document.run.clock.endStage()), 'chunking');
    }
  }

  private async parse(document: BatchDocument, plan: ParsePlan, folder: string): Promise<void> {
    const { run, revision } = document;
    const patience = new AbortController();
    const timer = setTimeout(() => patience.abort(new TooMuch()), PATIENCE_MS);
    const fileName = revision.name ?? run.document.name;
    const file = { document: run.document, fileName, blobKey: revision.blob_key, options: plan.options, folder };
    run.clock.endStage();
    try {
      const signal = AbortSignal.any([run.signal, patience.signal]);
      await this.files.parse(file, signal, (parsed) => keep(document, parsed, plan.fingerprint));
    } catch (error) {
      if (error instanceof TooMuch || run.signal.aborted) return;
      if (!(error instanceof ParseError)) throw error;
      await this.ending.end({ run, tries: document.tries, stage: 'parsing' }, error);
      document.isOver = true;
    } finally {
      clearTimeout(timer);
    }
  }
}

async function keep(document: BatchDocument, parsed: ParsedDocument, fingerprint: string): Promise<void> {
  if (parsed.textLength > LONGEST_TEXT) throw new TooMuch();
  const segments: TextSegment[] = [];
  let sample = '';
  for await (const segment of readSegments(parsed)) {
    if (sample.length < LANGUAGE_SAMPLE) sample += segment.text.slice(0, LANGUAGE_SAMPLE - sample.length);
    segments.push({ ...segment, blocks: [...segment.blocks] });
  }
  const text = { ...parsedFile(parsed, sample), length: parsed.textLength, fingerprint, staged: false };
  document.text = { text, segments, isNew: true };
  document.run.warnings.push(...text.warnings);
  document.moveOn(parsedEvent(text, document.run.clock.endStage()), 'chunking');
}
