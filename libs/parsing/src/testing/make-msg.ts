import * as CFB from 'cfb';

/** A file inside of a message of Outlook. */
export interface MsgFile {
  name: string;
  content: Buffer;
}

const PROPERTIES = '__properties_version1.0';

/** A message of Outlook for tests: strings as Unicode properties, in a compound file. */
export function makeMsg(
  message: { subject: string; body: string; from: string; to: string },
  files: readonly MsgFile[] = [],
): Buffer {
  const file = CFB.utils.cfb_new();
  const add = (path: string, content: Buffer): void => {
    CFB.utils.cfb_add(file, `/${path}`, content);
  };
  const addText = (folder: string, tag: string, text: string): void =>
    add(`${folder}__substg1.0_${tag}001F`, Buffer.from(text, 'utf16le'));
  add(PROPERTIES, Buffer.alloc(32));
  addText('', '001A', 'IPM.Note');
  addText('', '0037', message.subject);
  addText('', '1000', message.body);
  addText('', '0C1A', message.from);
  const recipient = '__recip_version1.0_#00000000/';
  const properties = Buffer.alloc(24);
  // PidTagRecipientType, an integer: 1 is the main recipient.
  properties.writeUInt32LE(0x0c150003, 8);
  properties.writeUInt32LE(1, 16);
  add(`${recipient}${PROPERTIES}`, properties);
  addText(recipient, '3001', message.to);
  files.forEach(({ name, content }, at) => {
    const folder = `__attach_version1.0_#${String(at).padStart(8, '0')}/`;
    add(`${folder}${PROPERTIES}`, Buffer.alloc(8));
    addText(folder, '3707', name);
    add(`${folder}__substg1.0_37010102`, content);
  });
  return Buffer.from(CFB.write(file, { type: 'buffer' }) as Uint8Array);
}
