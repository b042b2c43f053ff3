import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { delay } from '#libs/common';
import { verifyFile } from './checksums.js';
import { download, type Patience } from './download.js';
import { addressOfFile, addressOfList, addressOfModel, readListEntry, type HubModel } from './hub-address.js';
import { ModelError } from './model.errors.js';
import { ModelSource, type FetchOptions, type SourceFile } from './model-source.js';
import { request, TransientFailure } from './request.js';

const MAX_LIST_BYTES = 16 * 1024 * 1024;
const MAX_PAGES = 20;
const LIST_TRIES = 3;
const LIST_PAUSE_MS = 1000;

/** A model on a hub of Hugging Face's kind: lists its files with their sizes and checksums, and gives them in parts. */
export class HubSource extends ModelSource {
  readonly address: string;
  readonly suggestedName: string;
  readonly resumable = true;

  constructor(
    private readonly model: HubModel,
    private readonly patience: Patience = {},
  ) {
    super();
    this.address = `${addressOfModel(model)} (${model.revision})`;
    this.suggestedName = model.name;
  }

  async list(signal: AbortSignal): Promise<readonly SourceFile[]> {
    const files: SourceFile[] = [];
    let next: string | undefined = addressOfList(this.model);
    for (let page = 1; next !== undefined; page += 1) {
      if (page > MAX_PAGES) throw new ModelError(`${this.address} lists more files than any model has.`);
      const { entries, more } = await this.listPage(next, signal);
      files.push(...entries);
      next = more;
    }
    return files;
  }

  async fetch(files: readonly SourceFile[], folder: string, options: FetchOptions): Promise<void> {
    for (const file of files) {
      if (await this.isThere(file, folder, options)) continue;
      await download(
        {
          url: addressOfFile(this.model, file.path),
          label: file.path,
          target: join(folder, file.path),
          ...(file.size === undefined ? {} : { size: file.size }),
          isChecked: file.sha256 !== undefined || file.gitBlob !== undefined,
        },
        options,
        this.patience,
      );
    }
  }

  /** Whether a former run left the whole file, which only a checksum can tell. */
  private async isThere(file: SourceFile, folder: string, { progress, signal }: FetchOptions): Promise<boolean> {
    if (file.sha256 === undefined && file.gitBlob === undefined) return false;
    const found = await stat(join(folder, file.path)).catch(() => undefined);
    if (found === undefined || found.size !== file.size) return false;
    const isWhole = await verifyFile(folder, file, signal).then(
      () => true,
      (error: unknown) => {
        if (error instanceof ModelError) return false;
        throw error;
      },
    );
    if (isWhole) progress.say(`${file.path} is there already`);
    return isWhole;
  }

  private async listPage(
    url: string,
    signal: AbortSignal,
  ): Promise<{ entries: readonly SourceFile[]; more: string | undefined }> {
    const { text, headers } = await this.readText(url, signal);
    let list: unknown;
    try {
      list = JSON.parse(text);
    } catch {
      list = undefined;
    }
    if (!Array.isArray(list)) throw new ModelError(`${url} answers no list of files: it is no hub of models.`);
    const entries = list.map(readListEntry).filter((file) => file !== undefined);
    return { entries, more: nextPage(headers.get('link'), url) };
  }

  private async readText(url: string, signal: AbortSignal): Promise<{ text: string; headers: Headers }> {
    for (let tries = 1; ; tries += 1) {
      try {
        const answer = await request(url, { accept: 'application/json' }, signal, this.patience.silenceMs);
        const pieces: Uint8Array[] = [];
        let length = 0;
        for await (const piece of answer.pieces()) {
          pieces.push(piece);
          length += piece.length;
          if (length > MAX_LIST_BYTES) throw new ModelError(`${url} answers more than a list of files.`);
        }
        return { text: Buffer.concat(pieces).toString('utf8'), headers: answer.headers };
      } catch (error) {
        if (!(error instanceof TransientFailure)) throw error;
        if (tries >= LIST_TRIES) throw new ModelError(`${error.message}.`, { cause: error, resumable: true });
        await delay(Math.min(error.retryAfterMs ?? (this.patience.pauseMs ?? LIST_PAUSE_MS) * tries, 30_000), signal);
      }
    }
  }
}

/** The address of the next page, of the same server only. */
function nextPage(link: string | null, url: string): string | undefined {
  const [, target] = /<([^>]+)>\s*;\s*rel="?next"?/.exec(link ?? '') ?? [];
  if (target === undefined) return undefined;
  const next = new URL(target, url);
  if (next.origin !== new URL(url).origin)
    throw new ModelError(`The list of files goes on at another server, ${next.host}.`);
  return next.href;
}
