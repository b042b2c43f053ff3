import { isDeepStrictEqual } from 'node:util';
import { Injectable } from '@nestjs/common';
import { UnitOfWork } from '#libs/database';
import { maskJson, maskSpans, maskText, type EntityType, type Span } from '#libs/detectors';
import { ParseError, readSegments, type ParsedDocument } from '#libs/parsing';
import { yieldAndFreeMemory } from '#libs/tasks';
import type { TextSegment } from '#libs/text';
import { bumpContent } from '../../datasets/index.js';
import {
  contentOf,
  DocumentChangesRepository,
  DocumentLifecycle,
  guardContent,
  maskedTypesOf,
  maskFacts,
  maskName,
  type MaskedTypes,
} from '../../documents/index.js';
import {
  findInContent,
  findingKey,
  FindingsRepository,
  MOST_FINDINGS_KEPT,
  type NewFinding,
} from '../../governance/index.js';
import { governanceRulesOf, isStricter, type DetectorAction } from '../../ingestion-policy/index.js';
import type { Planned } from './document-states.js';

/** The policy quarantines or rejects the document because of its content. */
export class ContentRefused extends Error {
  constructor(
    readonly action: 'quarantine' | 'reject',
    readonly types: readonly EntityType[],
  ) {
    super(`the policy asks to ${action} it`);
    this.name = 'ContentRefused';
  }
}

/** The stretches of a parsed file that must not be stored. */
export class ContentMasks {
  private next = 0;

  constructor(
    private readonly spans: readonly Span[],
    private readonly types: MaskedTypes,
  ) {}

  /** The parsed file with masked properties. */
  file(parsed: ParsedDocument): ParsedDocument {
    const { title, warnings, fidelity } = parsed;
    return this.types.size === 0 ? parsed : { ...parsed, ...maskJson({ title, warnings, fidelity }, this.types) };
  }

  /** Masked pieces of the text, in order. */
  segment(segment: TextSegment): TextSegment {
    if (this.types.size === 0) return segment;
    const { start, text } = segment;
    const blocks = segment.blocks.map((block) =>
      block.sheet === undefined ? block : { ...block, sheet: maskJson(block.sheet, this.types) },
    );
    const within: Span[] = [];
    while (this.next < this.spans.length && this.spans[this.next]!.end <= start) this.next += 1;
    for (
      let index = this.next;
      index < this.spans.length && this.spans[index]!.start < start + text.length;
      index += 1
    ) {
      const span = this.spans[index]!;
      within.push({ start: span.start - start, end: span.end - start });
    }
    return { start, text: maskSpans(text, within), blocks };
  }
}

/** Inspects the result of parsing before anything of it is stored. */
@Injectable()
export class ContentInspection {
  constructor(
    private readonly findings: FindingsRepository,
    private readonly lifecycle: DocumentLifecycle,
    private readonly changes: DocumentChangesRepository,
    private readonly unitOfWork: UnitOfWork,
  ) {}

  /** Records the findings, and masks them in the name, metadata and tags of the document. @throws ContentRefused, AttemptEnded */
  async inspect({ policy, journal, revision }: Planned, parsed: ParsedDocument): Promise<ContentMasks> {
    const rules = governanceRulesOf(policy.governance);
    const { run } = journal;
    // Findings of earlier ingestions are removed, too.
    const isNew = contentOf(run.document).generation === null && revision.content_guard === null;
    if (rules.size === 0 && isNew) return new ContentMasks([], new Map());
    const { title = null, unseen = [] } = parsed;
    const { name, path, metadata, tags } = run.document;
    const content = { name, path, metadata, tags, title, unseen, text: readSegments(parsed) };
    const found = await findInContent(content, rules, async () => {
      await yieldAndFreeMemory();
      run.signal.throwIfAborted();
    });
    const owner = {
      documentId: run.document.id,
      revisionId: revision.id,
      revision: run.document.revision,
      generation: run.attempt.token,
      rescanId: null,
    };
    const accepted = await this.findings.listAccepted(run.ctx, owner);
    // Findings beyond the stored ones cannot be accepted one by one.
    const acceptsAll = accepted.size >= MOST_FINDINGS_KEPT;
    const refused = refusalOf(found.filter((finding) => !acceptsAll && !accepted.has(findingKey(finding))));
    const spans = found.filter(({ action, place }) => action === 'mask' && place === 'text');
    const isMasked = found.some(({ action }) => action === 'mask');
    const guard = refused?.action === 'reject' ? 'unread' : isMasked ? 'masked' : null;
    const types = maskedTypesOf(policy);
    await this.hideFacts(run, types);
    await this.lifecycle.guarded(run.ctx, run.attempt, async (manager, inner) => {
      await this.findings.record(inner, owner, found);
      const shown = revision.name === null ? null : maskName(revision.name, types);
      await guardContent(manager, { id: revision.id, name: shown }, guard);
    });
    if (refused !== undefined) throw refused;
    return new ContentMasks(withoutOverlap(spans), types);
  }

  /** A name, a path or metadata from before the rule may contain what it masks. */
  private async hideFacts({ ctx, attempt, document }: Planned['journal']['run'], types: MaskedTypes): Promise<void> {
    const { name, path, metadata, tags } = document;
    const facts = { name, path, metadata, tags };
    if (isDeepStrictEqual(maskFacts(facts, types), facts)) return;
    await this.unitOfWork.run(ctx, async (outer, tx) => {
      const contentSeq = await bumpContent(outer, document.dataset_id);
      await this.lifecycle.guarded(tx, attempt, async (_manager, inner, row) => {
        await this.changes.write(inner, [{ id: row.id, facts: maskFacts(row, types), contentSeq }]);
      });
    });
  }
}

/** Messages of parsers may quote the file, so content that the policy masks, quarantines or rejects is masked in them. */
export function withoutContent<T>(error: T, { governance }: Planned['policy']): T | ParseError {
  if (!(error instanceof ParseError)) return error;
  const rules = [...governanceRulesOf(governance)].filter(([, { action }]) => action !== 'allow');
  const detail = maskText(error.detail, new Map(rules.map(([type, { minScore }]) => [type, minScore])));
  return detail === error.detail ? error : new ParseError(error.code, detail, { retryable: error.retryable });
}

function refusalOf(found: readonly NewFinding[]): ContentRefused | undefined {
  const strictest = found.reduce<DetectorAction>(
    (most, { action }) => (isStricter(action, most) ? action : most),
    'allow',
  );
  if (strictest !== 'quarantine' && strictest !== 'reject') return undefined;
  const types = found.filter(({ action }) => action === strictest).map(({ entityType }) => entityType);
  return new ContentRefused(strictest, [...new Set(types)].toSorted());
}

/** In order, without overlaps. */
function withoutOverlap(spans: readonly Span[]): Span[] {
  const joined: { start: number; end: number }[] = [];
  for (const { start, end } of spans.toSorted((left, right) => left.start - right.start)) {
    const last = joined.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else joined.push({ start, end });
  }
  return joined;
}
