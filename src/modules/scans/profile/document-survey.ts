import { Injectable } from '@nestjs/common';
import type { RevisionId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import { bytesOf } from './duplicate-builder.js';
import type { DocumentFacts, TextFacts } from './document-facts.js';
import { ProfileDocumentsRepository, type ProfiledDocument } from './profile-documents.repository.js';
import type { ScannedDocument } from './scanned-documents.repository.js';
import { TextSurvey, type SurveyedText } from './text-survey.js';

/** Text that is held at once, in UTF-16 code units; a longer one is read piece by piece. */
const TEXT_TOGETHER = 2_000_000;
const DAY_MS = 24 * 3600 * 1000;

/** What decides whether a document is stale. */
export interface StaleRules {
  readonly versionsInForce: ReadonlySet<number>;
  /** True where the dataset has vectors of another model than the installation. */
  readonly isOtherSpace: boolean;
  readonly afterDays: number;
  readonly now: number;
}

/** Looks at documents and their texts. */
@Injectable()
export class DocumentSurvey {
  constructor(private readonly documents: ProfileDocumentsRepository) {}

  /** `breathe` is called between two documents, and may throw to end it. */
  async survey(
    ctx: RequestContext,
    page: readonly ProfiledDocument[],
    rules: StaleRules,
    breathe: () => Promise<void>,
  ): Promise<ScannedDocument[]> {
    const scanned: ScannedDocument[] = [];
    for (const batch of batchesOf(page)) {
      const [first] = batch;
      const isLong = batch.length === 1 && lengthOf(first!) > TEXT_TOGETHER;
      const ids = batch.flatMap(({ text_revision_id: id, text_length: length }) =>
        id === null || length === null ? [] : [id],
      );
      const texts = isLong ? new Map<RevisionId, string[]>() : await this.documents.readTexts(ctx, ids);
      for (const document of batch) {
        const text = isLong ? await this.surveyLong(ctx, document, breathe) : surveyShort(document, texts);
        scanned.push(toScanned(document, text, rules));
        await breathe();
      }
    }
    return scanned;
  }

  private async surveyLong(
    ctx: RequestContext,
    { text_revision_id: id }: ProfiledDocument,
    breathe: () => Promise<void>,
  ): Promise<SurveyedText | null> {
    if (id === null) return null;
    const survey = new TextSurvey();
    for await (const piece of this.documents.readText(ctx, id)) {
      survey.add(piece);
      await breathe();
    }
    return survey.finish();
  }
}

/** Documents whose texts can be held together. */
function* batchesOf(page: readonly ProfiledDocument[]): Generator<ProfiledDocument[]> {
  let batch: ProfiledDocument[] = [];
  let length = 0;
  for (const document of page) {
    if (batch.length > 0 && length + lengthOf(document) > TEXT_TOGETHER) {
      yield batch;
      batch = [];
      length = 0;
    }
    batch.push(document);
    length += lengthOf(document);
  }
  if (batch.length > 0) yield batch;
}

function lengthOf({ text_length: length }: ProfiledDocument): number {
  return Number(length ?? 0);
}

function surveyShort(
  document: ProfiledDocument,
  texts: ReadonlyMap<RevisionId, readonly string[]>,
): SurveyedText | null {
  const { text_revision_id: id, text_length: length } = document;
  if (id === null || length === null) return null;
  const survey = new TextSurvey();
  for (const piece of texts.get(id) ?? []) survey.add(piece);
  return survey.finish();
}

function toScanned(document: ProfiledDocument, text: SurveyedText | null, rules: StaleRules): ScannedDocument {
  return {
    document_id: document.id,
    facts: factsOf(document, text?.facts ?? null, rules),
    signature: text === null || text.signature === null ? null : bytesOf(text.signature),
  };
}

function factsOf(document: ProfiledDocument, text: TextFacts | null, rules: StaleRules): DocumentFacts {
  const pages = (name: string): number => Number(document.fidelity[name] ?? 0);
  const withoutText = Math.max(0, pages('pages_without_text') - pages('pages_recognised')) + pages('pages_failed');
  const age = document.content_at === null ? 0 : rules.now - document.content_at.getTime();
  return {
    status: document.status,
    media_type: document.media_type,
    size_bytes: Number(document.size_bytes),
    sha256: document.sha256,
    language: document.language,
    charset: document.charset,
    chunks: document.chunk_count,
    tokens: Number(document.token_count),
    pages: document.page_count,
    pages_without_text: withoutText,
    warnings: [...new Set(document.warnings.map(({ code }) => code))],
    metadata_keys: document.metadata_keys,
    stale_policy: document.is_shown && !rules.versionsInForce.has(document.policy_version),
    stale_embedding: document.is_shown && rules.isOtherSpace,
    stale_age: age > rules.afterDays * DAY_MS,
    text,
  };
}
