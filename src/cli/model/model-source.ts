import { mkdir, open } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { ModelError } from './model.errors.js';
import type { Progress } from './progress.js';

/** A file that a source offers. */
export interface SourceFile {
  /** Relative, with `/`, without a step that leads out. */
  readonly path: string;
  /** Bytes, where the source tells. */
  readonly size?: number;
  /** Hex, where the source names it. */
  readonly sha256?: string;
  /** Name of the content in git (hex SHA-1), where the source names it. */
  readonly gitBlob?: string;
}

/** What a fetch is given. */
export interface FetchOptions {
  readonly progress: Progress;
  readonly signal: AbortSignal;
}

/** Where a model comes from. */
export abstract class ModelSource {
  /** As people write it; is in messages and in the manifest. */
  abstract readonly address: string;
  /** What the model is called unless someone says otherwise. */
  abstract readonly suggestedName: string;
  /** Whether what was fetched is worth keeping when it is cut off. */
  abstract readonly resumable: boolean;

  /** Everything that the source offers. @throws ModelError */
  abstract list(signal: AbortSignal): Promise<readonly SourceFile[]>;

  /** Writes these files of the list below `folder`. @throws ModelError */
  abstract fetch(files: readonly SourceFile[], folder: string, options: FetchOptions): Promise<void>;
}

const MAX_PATH_CHARS = 400;

/** A path as a source names it, when it can be no other file than one below a folder; else undefined. */
export function harmlessPath(path: string): string | undefined {
  const plain = path.replace(/^(\.\/)+/, '');
  if (plain === '' || plain.length > MAX_PATH_CHARS || /[\\\p{Cc}]|^[a-z]:/iu.test(plain)) return undefined;
  const climbs = plain.split('/').some((part) => part === '' || part === '.' || part === '..');
  return climbs ? undefined : plain;
}

/** Writes what comes into a new file. The pieces are counted by `progress`. */
export async function writePieces(
  pieces: AsyncIterable<Uint8Array>,
  file: SourceFile,
  folder: string,
  { progress, signal }: FetchOptions,
): Promise<void> {
  const target = join(folder, file.path);
  await mkdir(dirname(target), { recursive: true });
  const handle = await open(target, 'w', 0o644);
  try {
    progress.begin(file.path, file.size);
    for await (const piece of pieces) {
      signal.throwIfAborted();
      await handle.writeFile(piece);
      progress.add(piece.length);
    }
    await handle.sync();
    progress.end();
  } finally {
    await handle.close();
  }
}

/** The file of this path, which was chosen from the list. */
export function fileOf(files: readonly SourceFile[], path: string): SourceFile {
  const found = files.find((file) => file.path === path);
  if (found === undefined) throw new ModelError(`${path} is missing.`);
  return found;
}
