export interface DroppedFile {
  readonly file: File;
  /** Folders and name, where it came in a folder. */
  readonly path: string | undefined;
}

/** What operating systems leave in folders; nobody means to upload it. */
const LITTER = /^(\.DS_Store|Thumbs\.db|desktop\.ini)$|^\._/i;

/** The files of a drop, those in folders with their paths. */
export async function filesOf(transfer: DataTransfer): Promise<readonly DroppedFile[]> {
  // Entries have to be taken before the first await: afterwards the list is empty.
  const entries = [...transfer.items].map((item) => item.webkitGetAsEntry()).filter((entry) => entry !== null);
  const found: DroppedFile[] = [];
  for (const entry of entries) await collect(entry, '', found);
  return found;
}

/** The files of an input, which says their paths itself when a folder was chosen. */
export function chosenFiles(files: FileList): readonly DroppedFile[] {
  return [...files]
    .filter(({ name }) => !LITTER.test(name))
    .map((file) => ({ file, path: file.webkitRelativePath === '' ? undefined : file.webkitRelativePath }));
}

async function collect(entry: FileSystemEntry, folder: string, into: DroppedFile[]): Promise<void> {
  if (LITTER.test(entry.name)) return;
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    into.push({ file, path: folder === '' ? undefined : `${folder}${entry.name}` });
    return;
  }
  const reader = (entry as FileSystemDirectoryEntry).createReader();
  for (;;) {
    // A reader gives a hundred at a time, and nothing at the end.
    const some = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) return;
    for (const inner of some) await collect(inner, `${folder}${entry.name}/`, into);
  }
}
