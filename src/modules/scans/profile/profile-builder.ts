import type { DocumentFacts } from './document-facts.js';
import { shareOf, spreadOf, Tally } from './distribution.js';
import type { CountedValue, StoredDocuments, StoredProfile } from './stored-profile.js';

/** Maximum number of documents that a finding names. */
const MOST_NAMED = 20;
/** Maximum number of values of a list. */
const MOST_VALUES = 50;
const PDF = 'application/pdf';

/** The parts of a profile that need no comparison between documents. */
export type CountedProfile = Omit<StoredProfile, 'duplicates' | 'sections'>;

/** Counts documents, and names the first ones. */
class Documents {
  private count = 0;
  private readonly named: string[] = [];

  addIf(condition: boolean, id: string): void {
    if (!condition) return;
    this.count += 1;
    if (this.named.length < MOST_NAMED) this.named.push(id);
  }

  describe(): StoredDocuments {
    return { count: this.count, documents: this.named };
  }
}

/** Summarises documents one after another; keeps only a few numbers of each. */
export class ProfileBuilder {
  private total = 0;
  private withText = 0;
  private replaced = 0;
  private misread = 0;
  private readonly findings = new Map<string, { findings: number; documents: number }>();
  private readonly pdf = { documents: 0, pages: 0, withoutText: 0 };
  private readonly numbers = {
    size: new Array<number>(),
    tokens: new Array<number>(),
    chunks: new Array<number>(),
    characters: new Array<number>(),
  };
  private readonly tallies = {
    status: new Tally(),
    language: new Tally(),
    type: new Tally(),
    charset: new Tally(),
    warning: new Tally(),
    field: new Tally(),
  };
  private readonly found = {
    empty: new Documents(),
    withoutChunks: new Documents(),
    policy: new Documents(),
    embedding: new Documents(),
    age: new Documents(),
    withoutMetadata: new Documents(),
    damaged: new Documents(),
    unreadable: new Documents(),
    partlyReadable: new Documents(),
  };

  add(id: string, facts: DocumentFacts): void {
    const { numbers, tallies, found } = this;
    this.total += 1;
    numbers.size.push(facts.size_bytes);
    tallies.status.add(facts.status);
    tallies.type.add(facts.media_type);
    for (const code of facts.warnings) tallies.warning.add(code);
    for (const key of facts.metadata_keys) tallies.field.add(key);
    found.withoutMetadata.addIf(facts.metadata_keys.length === 0, id);
    found.empty.addIf(facts.size_bytes === 0 || facts.text?.is_blank === true, id);
    found.withoutChunks.addIf(facts.status === 'completed' && facts.chunks === 0, id);
    found.policy.addIf(facts.stale_policy, id);
    found.embedding.addIf(facts.stale_embedding, id);
    found.age.addIf(facts.stale_age, id);
    this.addFindings(facts);
    this.addText(id, facts);
    if (facts.media_type === PDF && facts.pages !== null) this.addPdf(id, facts.pages, facts.pages_without_text);
  }

  private addFindings({ findings: found = {} }: DocumentFacts): void {
    for (const [type, count] of Object.entries(found)) {
      const { findings, documents } = this.findings.get(type) ?? { findings: 0, documents: 0 };
      this.findings.set(type, { findings: findings + count, documents: documents + 1 });
    }
  }

  private addText(id: string, { text, tokens, chunks, language, charset }: DocumentFacts): void {
    if (text === null) return;
    const { numbers, tallies, found } = this;
    this.withText += 1;
    numbers.characters.push(text.characters);
    numbers.tokens.push(tokens);
    numbers.chunks.push(chunks);
    tallies.language.add(language ?? 'und');
    if (charset !== null) tallies.charset.add(charset);
    this.replaced += text.replaced_characters;
    this.misread += text.misread_sequences;
    found.damaged.addIf(text.replaced_characters + text.misread_sequences > 0, id);
  }

  private addPdf(id: string, pages: number, withoutText: number): void {
    this.pdf.documents += 1;
    this.pdf.pages += pages;
    this.pdf.withoutText += Math.min(pages, withoutText);
    this.found.unreadable.addIf(withoutText >= pages, id);
    this.found.partlyReadable.addIf(withoutText > 0 && withoutText < pages, id);
  }

  build(): CountedProfile {
    const { numbers, tallies, found, pdf } = this;
    const list = (tally: Tally, whole = this.total): CountedValue[] => tally.list(MOST_VALUES, whole);
    return {
      documents: {
        total: this.total,
        by_status: list(tallies.status),
        with_text: this.withText,
        empty: found.empty.describe(),
        without_chunks: found.withoutChunks.describe(),
      },
      size_bytes: spreadOf(numbers.size),
      tokens: spreadOf(numbers.tokens),
      chunks: spreadOf(numbers.chunks),
      characters: spreadOf(numbers.characters),
      languages: list(tallies.language, this.withText),
      media_types: list(tallies.type),
      charsets: list(tallies.charset, this.withText),
      warnings: list(tallies.warning),
      stale: { policy: found.policy.describe(), embedding: found.embedding.describe(), age: found.age.describe() },
      metadata: { without: found.withoutMetadata.describe(), fields: list(tallies.field) },
      encoding: {
        damaged: found.damaged.describe(),
        replaced_characters: this.replaced,
        misread_sequences: this.misread,
      },
      findings: [...this.findings]
        .map(([type, counts]) => ({ type, ...counts }))
        .toSorted((a, b) => b.documents - a.documents || (a.type < b.type ? -1 : 1)),
      pdf: {
        documents: pdf.documents,
        pages: pdf.pages,
        pages_without_text: pdf.withoutText,
        readable_share: pdf.pages === 0 ? 1 : shareOf(pdf.pages - pdf.withoutText, pdf.pages),
        unreadable: found.unreadable.describe(),
        partly_readable: found.partlyReadable.describe(),
      },
    };
  }
}
