import { Injectable } from '@nestjs/common';
import { prefetchOne } from '#libs/common';
import { Settings } from '#libs/config';
import { readSegments, type ParsedDocument } from '#libs/parsing';
import { yieldAndFreeMemory } from '#libs/tasks';
import type { TextSegment } from '#libs/text';
import { Checkpoints } from './checkpoints.service.js';
import { ContentInspection, withoutContent, type ContentMasks } from '../attempt/content-inspection.service.js';
import { done, type Outcome, type Parsed, type Planned, type Way } from '../attempt/document-states.js';
import { FileParser } from './file-parser.service.js';
import { HeldParsing } from './held-parsing.service.js';
import { parsePlanOf, type ParsePlan } from './parse-options.js';
import {
  parsedFile,
  LANGUAGE_SAMPLE,
  type ParsedText,
  finishedText,
  isShown,
  RevisionTextRepository,
} from '../../content/index.js';
import { WorkFolders } from '../attempt/work-folders.service.js';

const SEGMENTS_PER_WRITE = 8;

/**
 * File → canonical text and blocks, stored for each revision; a revision that was already parsed with the same options is not parsed again.
 */
@Injectable()
export class ParseStage {
  constructor(
    private readonly texts: RevisionTextRepository,
    private readonly files: FileParser,
    private readonly folders: WorkFolders,
    private readonly held: HeldParsing,
    private readonly inspection: ContentInspection,
    private readonly checkpoints: Checkpoints,
    private readonly settings: Settings,
  ) {}

  async run(way: Way, documents: readonly Planned[]): Promise<Outcome<Parsed>[]> {
    const outcomes = way === 'held' ? await this.runHeld(documents) : await this.runStreamed(documents);
    for (const outcome of outcomes) {
      if (outcome.kind !== 'done') continue;
      const { journal, text } = outcome.document;
      journal.run.warnings.push(...text.warnings);
    }
    return outcomes;
  }

  /** Documents that turn out not to be small continue alone. */
  private async runHeld(documents: readonly Planned[]): Promise<Outcome<Parsed>[]> {
    const planned = documents.map((document) => ({ document, plan: this.planOf(document) }));
    const known = planned.flatMap(({ document, plan }) => {
      const text = finishedText(document.revision, plan.fingerprint);
      return text === undefined ? [] : [{ document, text }];
    });
    const seen = new Set(known.map(({ document }) => document));
    const fresh = planned.filter(({ document }) => !seen.has(document));
    const [first] = known;
    const resumed = first === undefined ? [] : await this.held.resume(first.document.journal.run.ctx, known);
    return [...resumed, ...(await this.held.parse(fresh))];
  }

  private async runStreamed(documents: readonly Planned[]): Promise<Outcome<Parsed>[]> {
    const outcomes: Outcome<Parsed>[] = [];
    for (const document of documents) {
      const plan = this.planOf(document);
      const known = finishedText(document.revision, plan.fingerprint);
      if (known !== undefined) document.journal.noteResumed();
      const text = known ?? (await this.parse(document, plan));
      document.journal.endWork();
      const isResumed = known !== undefined;
      outcomes.push(done({ ...document, state: 'parsed', text, isResumed, source: { kind: 'stored' } }));
    }
    return outcomes;
  }

  private planOf({ policy, journal }: Planned): ParsePlan {
    return parsePlanOf(policy, journal.run.document, this.settings.values.maxTextCharacters);
  }

  private async parse(document: Planned, plan: ParsePlan): Promise<ParsedText> {
    const { document: row, signal } = document.journal.run;
    const staged = isShown(row, document.revision);
    return this.folders.use((folder) => {
      const { name, blob_key: blobKey } = document.revision;
      const file = { document: row, fileName: name ?? row.name, blobKey, options: plan.options, folder };
      const reading = this.files.parse(file, signal, async (parsed) => {
        const masks = await this.inspection.inspect(document, parsed);
        return this.keep(document, { parsed: masks.file(parsed), masks }, plan.fingerprint, staged);
      });
      return reading.catch((error: unknown) => {
        throw withoutContent(error, document.policy);
      });
    });
  }

  /** The last piece is written with the checkpoint after the stage. */
  private async keep(
    { journal }: Planned,
    { parsed, masks }: { readonly parsed: ParsedDocument; readonly masks: ContentMasks },
    fingerprint: string,
    staged: boolean,
  ): Promise<ParsedText> {
    let isFirst = true;
    let sample = '';
    let rest: TextSegment[] = [];
    // The next pieces are read while the previous ones are written.
    for await (const segments of prefetchOne(piecesOf(parsed, masks))) {
      for (const { text } of segments)
        if (sample.length < LANGUAGE_SAMPLE) sample += text.slice(0, LANGUAGE_SAMPLE - sample.length);
      if (segments.length < SEGMENTS_PER_WRITE) {
        rest = segments;
        break;
      }
      journal.addText({ isFirst, segments, staged, sealed: null });
      await this.checkpoints.writeOne(journal);
      isFirst = false;
      await yieldAndFreeMemory();
    }
    const text = { ...parsedFile(parsed, sample), length: parsed.textLength, fingerprint, staged };
    journal.addText({ isFirst, segments: rest, staged, sealed: text });
    return text;
  }
}

/** Masked segments in groups that are written at once; the last group has fewer, or none. */
async function* piecesOf(parsed: ParsedDocument, masks: ContentMasks): AsyncGenerator<TextSegment[]> {
  let piece: TextSegment[] = [];
  for await (const read of readSegments(parsed)) {
    const segment = masks.segment(read);
    piece.push({ ...segment, blocks: [...segment.blocks] });
    if (piece.length < SEGMENTS_PER_WRITE) continue;
    yield piece;
    piece = [];
  }
  yield piece;
}
