import { Injectable } from '@nestjs/common';
import type { RevisionId } from '#libs/common';
import type { RequestContext } from '#libs/tenancy';
import type { TextSegment } from '#libs/text';
import { SAME_NAME } from '../../documents/index.js';
import { countInContent, type SearchedTypes } from '../../governance/index.js';
import { bytesOf } from './duplicate-builder.js';
import type { DocumentFacts, TextFacts } from './document-facts.js';
import type { FieldNames } from './field-names.js';
import { ProfileDocumentsRepository, type ProfiledDocument } from './profile-documents.repository.js';
import type { ScannedDocument } from './scanned-documents.repository.js';
import { TextSurvey } from './text-survey.js';

/** Maximum length of text in memory, in UTF-16 code units; a longer text is read in pieces. */
const TEXT_TOGETHER = 2_000_000;
const DAY_MS = 24 * 3600 * 1000;

/** Parameters of a survey: criteria of stale documents, and the content to detect. */
export interface SurveyRules {
  readonly searched: SearchedTypes;
  readonly fieldNames: FieldNames;
  readonly versionsInForce: ReadonlySet<number>;
  /** True if the dataset has vectors of another model than the installation. */
  readonly isOtherSpace: boolean;
  readonly afterDays: number;
  readonly now: number;
}

/** Examines documents and their texts. */
@Injectable()
export class DocumentSurvey {
  constructor(private readonly documents: ProfileDocumentsRepository) {}

  /** `breathe` is called between two documents and two pieces of a text, and may throw to end the survey. */
  async survey(
    ctx: RequestContext,
    page: readonly ProfiledDocument[],
    rules: SurveyRules,
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
        const pieces = isLong ? this.readLong(ctx, document) : eachOf(texts.get(document.text_revision_id!) ?? []);
        scanned.push(await surveyOne(document, pieces, rules, breathe));
        await breathe();
      }
    }
    return scanned;
  }

  private readLong(ctx: RequestContext, { text_revision_id: id }: ProfiledDocument): AsyncIterable<string> {
    return id === null ? eachOf([]) : this.documents.readText(ctx, id);
  }
}

/** Groups documents whose texts fit into memory together. */
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

async function* eachOf(pieces: readonly string[]): AsyncGenerator<string> {
  yield* pieces;
}

/** The pieces as segments of the text; each is also passed to the survey. */
async function* shownTo(survey: TextSurvey, pieces: AsyncIterable<string>): AsyncGenerator<TextSegment> {
  let start = 0;
  for await (const text of pieces) {
    survey.add(text);
    yield { start, text, blocks: [] };
    start += text.length;
  }
}

async function surveyOne(
  document: ProfiledDocument,
  pieces: AsyncIterable<string>,
  rules: SurveyRules,
  breathe: () => Promise<void>,
): Promise<ScannedDocument> {
  const { id, name, path, metadata, tags, title, unseen } = document;
  const survey = new TextSurvey();
  const content = { name, path, metadata, tags, title, unseen: unseen ?? [], text: shownTo(survey, pieces) };
  const findings = await countInContent(content, rules.searched, breathe);
  const hasText = document.text_revision_id !== null && document.text_length !== null;
  const text = hasText ? survey.finish() : null;
  return {
    document_id: id,
    facts: factsOf(document, text?.facts ?? null, Object.fromEntries(findings), rules),
    signature: text === null || text.signature === null ? null : bytesOf(text.signature),
  };
}

/** Warning codes of a document. */
function codesOf({ warnings, has_namesake: hasNamesake }: ProfiledDocument): string[] {
  const codes = warnings.map(({ code }) => code);
  return [...new Set(hasNamesake ? [...codes, SAME_NAME] : codes)];
}

function factsOf(
  document: ProfiledDocument,
  text: TextFacts | null,
  findings: DocumentFacts['findings'],
  rules: SurveyRules,
): DocumentFacts {
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
    warnings: codesOf(document),
    metadata_keys: document.metadata_keys.map((key) => rules.fieldNames.hide(key)),
    stale_policy: document.is_shown && !rules.versionsInForce.has(document.policy_version),
    stale_embedding: document.is_shown && rules.isOtherSpace,
    stale_age: age > rules.afterDays * DAY_MS,
    findings,
    text,
  };
}
