import { stat } from 'node:fs/promises';
import { resolve } from 'node:path';
import { ArchiveSource } from './archive-source.js';
import { FolderSource } from './folder-source.js';
import { isUnprotected, readHubAddress, type HubChoice } from './hub-address.js';
import { HubSource } from './hub-source.js';
import { ModelError } from './model.errors.js';
import type { ModelSource } from './model-source.js';

/** What SOURCE means: what is there on this machine comes first, then the address of a model. @throws ModelError */
export async function chooseSource(
  source: string,
  choice: HubChoice,
  warn: (line: string) => void,
): Promise<ModelSource> {
  const path = resolve(source);
  const found = await stat(path).catch(() => undefined);
  if (found?.isDirectory() === true) return new FolderSource(path);
  if (found?.isFile() === true) return ArchiveSource.open(path);
  const model = readHubAddress(source, choice);
  if (model === undefined) {
    throw new ModelError(
      `${source} is no folder, no archive and no model's address (org/name or https://host/org/name).`,
    );
  }
  if (isUnprotected(model)) {
    warn(`${model.base} is read without TLS: someone on the way can change the model and its checksums.`);
  }
  return new HubSource(model);
}
