import { mkdir, mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Injectable, type OnModuleInit } from '@nestjs/common';
import { Settings } from '#libs/config';
import { ObjectStorage, parseObjectKey } from '#libs/object-storage';
import { DocumentParser, readSegments, type ParsedDocument } from '#libs/parsing';
import { detectLanguage, type TextSegment } from '#libs/text';
import { DocumentLifecycle, type FinishedStage } from '../documents/index.js';
import { breathe, STAGE_SPAN, type AttemptRun } from './attempt-run.js';
import { firstLineTitle } from './document-title.js';
import { RevisionTextRepository } from './revision-text.repository.js';

/** Changes when the same file would give another text or other blocks. */
export const PARSER_VERSION = '1';
const SEGMENTS_PER_WRITE = 8;
const LANGUAGE_SAMPLE = 4_000;
const LONGEST_TITLE = 500;
const LEFT_BEHIND_MS = 6 * 3600 * 1000;

/** What the next stage needs to know of the text. */
export interface ParsedText {
  /** The title that the content gives, or null. */
  readonly title: string | null;
  /** Length in UTF-16 code units. */
  readonly length: number;
}

/** File → canonical text and blocks, kept per revision; a revision that was parsed already is not parsed again. */
@Injectable()
export class ParseStage implements OnModuleInit {
  constructor(
    private readonly lifecycle: DocumentLifecycle,
    private readonly texts: RevisionTextRepository,
    private readonly storage: ObjectStorage,
    private readonly parser: DocumentParser,
    private readonly settings: Settings,
  ) {}

  async run(run: AttemptRun): Promise<ParsedText> {
    const { ctx, attempt, document } = run;
    const revision = await this.texts.find(ctx, document.revision_id);
    if (revision === undefined) throw new Error(`Revision ${document.revision_id} is gone.`);
    const fingerprint = `parser-${PARSER_VERSION}`;
    const done = revision.text_fingerprint === fingerprint;
    if (done) {
      run.warnings.push(...(revision.parsed?.warnings ?? []));
      const finished = { stage: 'parsing', progress: STAGE_SPAN.parsing.to, details: { resumed: true } } as const;
      await this.lifecycle.noteResumed(ctx, attempt, 'parsing');
      await this.lifecycle.guarded(ctx, attempt, (_manager, inner) =>
        this.lifecycle.moveOn(inner, attempt, finished, 'chunking'),
      );
      return { title: revision.parsed?.title ?? null, length: Number(revision.text_length ?? 0) };
    }
    const folder = await this.makeWorkFolder();
    try {
      const key = parseObjectKey(revision.blob_key);
      return await this.storage.withLocalFile(key, async (path) => {
        const parsed = await this.parser.parse(
          {
            path,
            fileName: document.name,
            workDirectory: folder,
            options: { maxTextUnits: this.settings.values.maxTextCharacters },
            ...(document.declared_media_type === null ? {} : { declaredMediaType: document.declared_media_type }),
          },
          { signal: run.signal },
        );
        return this.keep(run, parsed, fingerprint);
      });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  /** What killed processes have left behind; an attempt takes far less time. */
  async onModuleInit(): Promise<void> {
    const parent = await this.openWorkParent();
    for (const name of await readdir(parent)) {
      const { mtimeMs } = await stat(join(parent, name));
      if (Date.now() - mtimeMs > LEFT_BEHIND_MS) await rm(join(parent, name), { recursive: true, force: true });
    }
  }

  private async openWorkParent(): Promise<string> {
    const parent = join(this.settings.values.dataDir, 'work');
    await mkdir(parent, { recursive: true, mode: 0o700 });
    return parent;
  }

  private async makeWorkFolder(): Promise<string> {
    return mkdtemp(join(await this.openWorkParent(), 'parse-'));
  }

  private async keep(run: AttemptRun, parsed: ParsedDocument, fingerprint: string): Promise<ParsedText> {
    const { ctx, attempt, document } = run;
    const revisionId = document.revision_id;
    let sample = '';
    let batch: TextSegment[] = [];
    let first = true;
    const flush = async (last: boolean): Promise<void> => {
      run.signal.throwIfAborted();
      await this.lifecycle.guarded(ctx, attempt, async (manager, inner) => {
        if (first) await this.texts.clear(manager, revisionId);
        if (batch.length > 0) await this.texts.append(manager, ctx, revisionId, batch);
        if (!last) return;
        await this.texts.seal(manager, revisionId, fingerprint, parsed.textLength, {
          warnings: parsed.warnings.map((w) => ({ ...w })),
          title: contentTitle(parsed, sample),
        });
        const details = { media_type: parsed.mediaType, characters: parsed.textLength };
        const finished = {
          stage: 'parsing',
          progress: STAGE_SPAN.parsing.to,
          details,
          facts: factsOf(parsed, sample),
        } as const;
        await this.lifecycle.moveOn(inner, attempt, finished, 'chunking');
      });
      first = false;
      batch = [];
    };
    for await (const segment of readSegments(parsed)) {
      if (sample.length < LANGUAGE_SAMPLE) sample += segment.text.slice(0, LANGUAGE_SAMPLE - sample.length);
      batch.push({ ...segment, blocks: [...segment.blocks] });
      if (batch.length < SEGMENTS_PER_WRITE) continue;
      await flush(false);
      await breathe();
    }
    await flush(true);
    run.warnings.push(...parsed.warnings);
    return { title: contentTitle(parsed, sample), length: parsed.textLength };
  }
}

function contentTitle(parsed: ParsedDocument, sample: string): string | null {
  if (parsed.title !== undefined && parsed.title.trim() !== '')
    return parsed.title.trim().slice(0, LONGEST_TITLE).toWellFormed();
  return parsed.mediaType === 'text/plain' ? firstLineTitle(sample) : null;
}

type Facts = NonNullable<FinishedStage['facts']>;

function factsOf(parsed: ParsedDocument, sample: string): Facts {
  return {
    media_type: parsed.mediaType,
    language: detectLanguage(sample.toWellFormed()).language,
    fidelity: { characters: parsed.textLength, ...parsed.fidelity },
    ...(parsed.charset === undefined ? {} : { charset: parsed.charset.name }),
    ...(parsed.pageCount === undefined ? {} : { page_count: parsed.pageCount }),
  };
}
