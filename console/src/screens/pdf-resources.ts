/** Addresses of pdf.js's maps of characters and its fonts, which the service gives as it gives every file of the console. */
const MAPS = import.meta.glob<string>('../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
  query: '?url',
  import: 'default',
  eager: true,
});
const FONTS = import.meta.glob<string>('../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
  query: '?url',
  import: 'default',
  eager: true,
});

const byName = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, address]) => [path.slice(path.lastIndexOf('/') + 1), address]));

const ADDRESSES = new Map([...byName(MAPS), ...byName(FONTS)]);

/** What pdf.js asks for a file that a PDF needs and does not bring. */
export class PdfResources {
  async fetch({ filename }: { readonly filename: string }): Promise<Uint8Array> {
    const address = ADDRESSES.get(
      filename.endsWith('.bcmap') || filename.includes('.') ? filename : `${filename}.bcmap`,
    );
    if (address === undefined) throw new Error(`pdf.js asks for ${filename}, which the console does not have.`);
    const response = await fetch(address);
    if (!response.ok) throw new Error(`${filename} answered ${response.status}.`);
    return new Uint8Array(await response.arrayBuffer());
  }
}
