import type { DroppedFile } from '../uploads/dropped-files';

/** Documents of an invented workshop, which were written to try the console with. All are plain text, also the PDF. */
const TEXTS = import.meta.glob<string>('./files/*', { query: '?raw', import: 'default', eager: true });
const FOLDER = 'Fernhollow workshop';

/** The same as files, as if their folder had been dropped. */
export function sampleFiles(): readonly DroppedFile[] {
  return Object.entries(TEXTS).map(([address, text]) => {
    const name = address.slice(address.lastIndexOf('/') + 1);
    return { file: new File([text], name), path: `${FOLDER}/${name}` };
  });
}
