import { createReadStream } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { ModelError } from './model.errors.js';
import { ModelSource, writePieces, type FetchOptions, type SourceFile } from './model-source.js';

/** Folders below the model's own that are looked into, and entries in all: beyond that it is no model's folder. */
const MAX_DEPTH = 2;
const MAX_ENTRIES = 10_000;

/** A model in a folder of this machine. Links are followed, as in a cache of Hugging Face. */
export class FolderSource extends ModelSource {
  readonly suggestedName: string;
  readonly resumable = false;

  constructor(readonly address: string) {
    super();
    this.suggestedName = basename(address);
  }

  async list(): Promise<readonly SourceFile[]> {
    const files: SourceFile[] = [];
    let seen = 0;
    const visit = async (inner: string, depth: number): Promise<void> => {
      for (const name of await readdir(join(this.address, inner))) {
        seen += 1;
        if (seen > MAX_ENTRIES) {
          throw new ModelError(`${this.address} holds more than ${MAX_ENTRIES} entries: it is no folder of a model.`);
        }
        const path = inner === '' ? name : `${inner}/${name}`;
        const found = await stat(join(this.address, path)).catch(() => undefined);
        if (found?.isFile() === true) files.push({ path, size: found.size });
        if (found?.isDirectory() === true && depth < MAX_DEPTH) await visit(path, depth + 1);
      }
    };
    await visit('', 0);
    return files;
  }

  async fetch(files: readonly SourceFile[], folder: string, options: FetchOptions): Promise<void> {
    for (const file of files) {
      await writePieces(createReadStream(join(this.address, file.path)), file, folder, options);
    }
  }
}
