import type { ParseWarning } from '../document-parser.port.js';
import type { EmbeddedFiles, EmbeddedOutcome } from './embedded-files.port.js';

/** Names in one warning, and warnings of embedded files that are passed on. */
const MAX_NAMED = 20;
const MAX_WARNINGS = 30;
const MAX_SKIPPED_UNITS = 1000;
/** Counts of embedded files that add up. */
const ADDED = [
  'pages',
  'tables',
  'table_rows',
  'images_seen',
  'images_extracted',
  'attachments_seen',
  'attachments_extracted',
];

/** Sums up what became of the files inside of a container. */
export class EmbeddedReport {
  seen = 0;
  read = 0;
  private readonly skippedFiles: { name: string; reason: string }[] = [];
  private readonly inner: ParseWarning[] = [];
  private readonly counts: Record<string, number> = {};
  private readonly innerSkipped: string[] = [];

  /** Notes the outcome of one file. */
  note(name: string, outcome: EmbeddedOutcome): void {
    this.seen += 1;
    if (outcome.kind === 'skipped') {
      this.skippedFiles.push({ name, reason: outcome.reason });
      return;
    }
    this.read += 1;
    for (const { code, detail } of outcome.warnings) {
      if (this.inner.length < MAX_WARNINGS) this.inner.push({ code, detail: `${name}: ${detail}` });
    }
    for (const key of ADDED) {
      const value = outcome.fidelity[key];
      if (typeof value === 'number') this.counts[key] = (this.counts[key] ?? 0) + value;
    }
    const { skipped } = outcome.fidelity;
    if (typeof skipped === 'string' && skipped !== '') this.innerSkipped.push(`${name}: ${skipped}`);
  }

  /** Reasons of the files that were left out, each once. */
  get reasons(): string[] {
    return [...new Set(this.skippedFiles.map(({ reason }) => reason))];
  }

  /** One warning that names what was left out, then those of the files that were read. */
  get warnings(): ParseWarning[] {
    const warnings = [...this.inner];
    if (this.skippedFiles.length === 0) return warnings;
    const named = this.skippedFiles
      .slice(0, MAX_NAMED)
      .map(({ name, reason }) => `${name} (${reason.replace(/\.$/, '')})`);
    const more = this.skippedFiles.length - named.length;
    const detail = `${this.skippedFiles.length} of ${this.seen} files inside were left out: ${named.join('; ')}${more > 0 ? `; and ${more} more` : ''}.`;
    return [{ code: 'ATTACHMENT_SKIPPED', detail }, ...warnings];
  }

  /** Counts over the container and everything in it. */
  get fidelity(): Record<string, number | string> {
    const { attachments_seen: seen = 0, attachments_extracted: extracted = 0, ...others } = this.counts;
    const skipped = [...this.skippedFiles.map(({ name }) => name), ...this.innerSkipped].join('; ');
    return {
      ...others,
      attachments_seen: this.seen + seen,
      attachments_extracted: this.read + extracted,
      ...(skipped !== '' && { skipped: skipped.slice(0, MAX_SKIPPED_UNITS).toWellFormed() }),
    };
  }
}

/** What an attached file is called; one without a name is called by its number (`index` from 0) and the extension of its type. */
export function nameAttached(
  { name, mediaType }: { readonly name: string; readonly mediaType: string | undefined },
  index: number,
  embedded: EmbeddedFiles,
): string {
  const clean = name
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    .replace(/^.*[/\\]/, '')
    .trim()
    .slice(-200)
    .toWellFormed();
  if (clean !== '') return clean;
  const extension = mediaType === undefined ? undefined : embedded.extensionOf(mediaType);
  const kind = mediaType === 'message/rfc822' ? 'message' : 'attachment';
  return extension === undefined ? `${kind}-${index + 1}` : `${kind}-${index + 1}.${extension}`;
}
