import * as CFB from 'cfb';

/** A compound file (OLE) with these streams. */
export function makeCompound(streams: Readonly<Record<string, Buffer>>): Buffer {
  const container = CFB.utils.cfb_new();
  for (const [name, content] of Object.entries(streams)) CFB.utils.cfb_add(container, `/${name}`, content);
  CFB.utils.cfb_del(container, '/\u0001Sh33tJ5');
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Buffer);
}
