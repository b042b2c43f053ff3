import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { ModelError } from './model.errors.js';
import { harmlessPath, type SourceFile } from './model-source.js';

/** The file in which a folder or an archive names checksums, as `sha256sum` writes it. */
export const CHECKSUM_FILE = 'SHA256SUMS';

/** A file as it lies in the model's folder. */
export interface InstalledFile {
  readonly path: string;
  readonly size: number;
  readonly sha256: string;
}

/** Path → SHA-256 (hex) of the lines of `sha256sum`. @throws ModelError for a line that is none */
export function readChecksums(text: string): ReadonlyMap<string, string> {
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  return new Map(
    lines.map((line) => {
      const [, sha256, name = ''] = /^([0-9a-fA-F]{64}) [ *](.+?)\r?$/.exec(line) ?? [];
      const path = harmlessPath(name);
      if (sha256 === undefined || path === undefined) {
        throw new ModelError(
          `${CHECKSUM_FILE} holds a line that is no checksum: ${JSON.stringify(line.slice(0, 120))}.`,
        );
      }
      return [path, sha256.toLowerCase()] as const;
    }),
  );
}

/** Reads a file and compares it with everything that its source says of it. @throws ModelError */
export async function verifyFile(folder: string, file: SourceFile, signal: AbortSignal): Promise<InstalledFile> {
  const found = await measure(join(folder, file.path), file.size, signal);
  if (file.size !== undefined && found.size !== file.size) {
    throw new ModelError(`${file.path} has ${found.size} bytes, and its source says ${file.size}.`);
  }
  if (file.sha256 !== undefined && found.sha256 !== file.sha256) {
    throw new ModelError(
      `${file.path} is damaged: its SHA-256 is ${found.sha256}, and its source says ${file.sha256}.`,
    );
  }
  if (file.gitBlob !== undefined && found.gitBlob !== file.gitBlob) {
    throw new ModelError(
      `${file.path} is damaged: git would call it ${found.gitBlob}, and its source says ${file.gitBlob}.`,
    );
  }
  return { path: file.path, size: found.size, sha256: found.sha256 };
}

interface Measured {
  readonly size: number;
  readonly sha256: string;
  /** Only right where the size is as it was announced. */
  readonly gitBlob: string;
}

async function measure(path: string, announced: number | undefined, signal: AbortSignal): Promise<Measured> {
  const sha256 = createHash('sha256');
  const blob = createHash('sha1').update(`blob ${announced ?? 0}\0`);
  let size = 0;
  for await (const piece of createReadStream(path, { signal }) as AsyncIterable<Buffer>) {
    size += piece.length;
    sha256.update(piece);
    blob.update(piece);
  }
  return { size, sha256: sha256.digest('hex'), gitBlob: blob.digest('hex') };
}
