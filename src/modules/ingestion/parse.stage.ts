import { Injectable } from '@nestjs/common';
import { Settings } from '#libs/config';
import { readSegments, type ParsedDocument } from '#libs/parsing';
import type { TextSegment } from '#libs/text';
import { DocumentLifecycle, type DocumentRow } from '../documents/index.js';
import { breatheDeeply, type AttemptRun } from './attempt-run.js';
import { FileParser } from './file-parser.js';
import { parsePlanOf, type ParsePlan } from './parse-options.js';
import { LANGUAGE_SAMPLE, parsedFile, type ParsedText } from './parsed-text.js';
import { finishedText, RevisionTextRepository, type RevisionText } from './revision-text.repository.js';
import { parsed as parsedEvent, parsedBefore } from './stage-events.js';
import { WorkFolders } from './work-folders.js';

const SEGMENTS_PER_WRITE = 8;

/** File → canonical text and blocks, kept per revision; a revision that was parsed in this way already is not parsed again. */
@Injectable()
export class ParseStage {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: RevisionTextRepository,
    private readonly files: FileParser,
    private readonly folders: WorkFolders,
    private readonly settings: Settings,
  ) {}

  async run(run: AttemptRun): Promise<ParsedText> {
    const { ctx, document } = run;
    const revision = await this.texts.find(ctx, document.revision_id);
    if (revision === undefined) throw new Error(`Revision ${document.revision_id} is gone.`);
    const plan = this.planOf(run);
    const known = finishedText(revision, plan.fingerprint);
    const text = known === undefined ? await this.parse(run, revision, plan) : await this.resume(run, known);
    run.warnings.push(...text.warnings);
    return text;
  }

  /** How the document of a run is to be parsed. */
  planOf({ policy, document }: Pick<AttemptRun, 'policy' | 'document'>): ParsePlan {
    return parsePlanOf(policy, document, this.settings.values.maxTextCharacters);
  }

  private async resume(run: AttemptRun, text: ParsedText): Promise<ParsedText> {
    await this.lifecycle.noteResumed(run.ctx, run.attempt, 'parsing');
    await this.lifecycle.guarded(run.ctx, run.attempt, (_manager, inner) =>
      this.lifecycle.moveOn(inner, run.attempt, parsedBefore(text, run.clock.endStage()), 'chunking'),
    );
    return text;
  }

  private async parse(run: AttemptRun, revision: RevisionText, plan: ParsePlan): Promise<ParsedText> {
    const { document, signal } = run;
    const staged = isShown(document, revision);
    return this.folders.use((folder) => {
      const { name, blob_key: blobKey } = revision;
      const file = { document, fileName: name ?? document.name, blobKey, options: plan.options, folder };
      return this.files.parse(file, signal, (parsed) => this.keep(run, parsed, plan.fingerprint, staged));
    });
  }

  private async keep(
    run: AttemptRun,
    parsed: ParsedDocument,
    fingerprint: string,
    staged: boolean,
  ): Promise<ParsedText> {
    const { ctx, attempt } = run;
    const revisionId = run.document.revision_id;
    let batch: TextSegment[] = [];
    let first = true;
    const flush = async (last?: ParsedText): Promise<void> => {
      run.signal.throwIfAborted();
      await this.lifecycle.guarded(ctx, attempt, async (manager, inner) => {
        if (first) await this.texts.clear(manager, [revisionId], staged);
        await this.texts.append(manager, ctx, [{ revisionId, segments: batch }], staged);
        if (last === undefined) return;
        await this.texts.seal(manager, [{ revisionId, text: last }], staged);
        await this.lifecycle.moveOn(inner, attempt, parsedEvent(last, run.clock.endStage()), 'chunking');
      });
      first = false;
      batch = [];
    };
    let sample = '';
    for await (const segment of readSegments(parsed)) {
      if (sample.length < LANGUAGE_SAMPLE) sample += segment.text.slice(0, LANGUAGE_SAMPLE - sample.length);
      batch.push({ ...segment, blocks: [...segment.blocks] });
      if (batch.length < SEGMENTS_PER_WRITE) continue;
      await flush();
      await breatheDeeply();
    }
    const text = { ...parsedFile(parsed, sample), length: parsed.textLength, fingerprint, staged };
    await flush(text);
    return text;
  }
}

/** Whether search shows chunks of the text that the revision has now. */
export function isShown(document: DocumentRow, revision: RevisionText): boolean {
  if (document.visible_generation === null || revision.text_fingerprint === null) return false;
  return (document.visible_revision_id ?? document.revision_id) === document.revision_id;
}
