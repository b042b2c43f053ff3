import { closeSync, mkdirSync, openSync, rmSync, writeSync } from 'node:fs';
import type { ParseWarning } from '../../document-parser.port.js';
import { ParseOutput } from '../../output/parse-output.js';
import { readParsedPart, type ParsedPart } from '../../output/parsed-part.js';
import type { FormatInput } from '../format-parser.js';
import type { OoxmlPackage, Relation } from '../ooxml/ooxml-package.js';

const MOST_PARTS = 200;
/** Text of all inserted files, which waits in memory until its place comes. */
const MOST_UNITS = 16 * 1024 * 1024;
const MOST_REASONS = 3;

/**
 * Pages, documents and texts that a program put into a document for Word to take over (`w:altChunk`). They are read before the body, by the parsers of
 * their formats: the body is one stream that cannot wait for them.
 */
export class InsertedParts {
  /** What is in those that were read. */
  readonly counts = { tables: 0, rows: 0, images: 0 };
  private readonly parts = new Map<string, ParsedPart>();
  private readonly inner: ParseWarning[] = [];
  private readonly reasons = new Set<string>();
  private missing = 0;
  private units = 0;

  static async read(
    parts: OoxmlPackage,
    relations: ReadonlyMap<string, Relation>,
    input: FormatInput,
  ): Promise<InsertedParts> {
    const inserted = new InsertedParts();
    for (const { id, type, target } of relations.values()) {
      if (type !== 'aFChunk' || target === undefined || inserted.parts.size >= MOST_PARTS) continue;
      await inserted.add(id, target, parts, input);
    }
    return inserted;
  }

  /** An inserted file, once: a second place that asks for it gets nothing. */
  take(id: string): ParsedPart | undefined {
    const part = this.parts.get(id);
    this.parts.delete(id);
    if (part === undefined) this.missing += 1;
    return part;
  }

  get warnings(): ParseWarning[] {
    if (this.missing === 0) return this.inner;
    const why = [...this.reasons].slice(0, MOST_REASONS).join(' ');
    const detail = `${this.missing} inserted files are not part of the document yet and were left out${why === '' ? '' : ` (${why.replace(/\.$/, '')})`}; open and save it in Word to include them.`;
    return [{ code: 'PARTIAL_CONTENT', detail }, ...this.inner];
  }

  private async add(id: string, target: string, parts: OoxmlPackage, { embedded }: FormatInput): Promise<void> {
    const path = embedded.makePath();
    const directory = embedded.makePath();
    mkdirSync(directory, { mode: 0o700 });
    const output = new ParseOutput(directory, MOST_UNITS);
    try {
      await this.unpack(target, path, parts, embedded);
      const outcome = await embedded.read({ path, fileName: target }, output, {});
      output.close();
      if (outcome.kind === 'skipped') this.reasons.add(outcome.reason);
      else if (this.units + output.position > MOST_UNITS) this.reasons.add('too much text');
      else {
        this.units += output.position;
        this.parts.set(id, readParsedPart(output));
        const { tables, table_rows: rows, images_seen: images } = outcome.fidelity;
        for (const [name, value] of Object.entries({ tables, rows, images })) {
          if (typeof value === 'number') this.counts[name as keyof InsertedParts['counts']] += value;
        }
        for (const { code, detail } of outcome.warnings) this.inner.push({ code, detail: `${target}: ${detail}` });
      }
    } finally {
      output.close();
      rmSync(path, { force: true });
      rmSync(directory, { recursive: true, force: true });
    }
  }

  private async unpack(
    target: string,
    path: string,
    parts: OoxmlPackage,
    embedded: FormatInput['embedded'],
  ): Promise<void> {
    const file = openSync(path, 'w', 0o600);
    try {
      for await (const piece of parts.stream(target)) {
        embedded.countBytes(piece.length);
        for (let at = 0; at < piece.length;) at += writeSync(file, piece, at);
      }
    } finally {
      closeSync(file);
    }
  }
}
