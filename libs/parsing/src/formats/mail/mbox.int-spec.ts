import { describe, expect, it } from 'vitest';
import { parseBytes } from '../../testing/parse-bytes.js';

const MAILBOX = `From ann@x.example Mon Jan  1 10:00:00 2024
From: Ann <ann@x.example>
Subject: Key code
Date: Mon, 1 Jan 2024 10:00:00 +0000

The door code is 4711.
From here it is easy.

>From the yard, go left.

From bob@x.example Tue Jan  2 11:00:00 2024
From: Bob <bob@x.example>
Subject: =?utf-8?Q?R=C3=A9union?=
MIME-Version: 1.0
Content-Type: multipart/mixed; boundary=b

--b
Content-Type: text/plain; charset=utf-8
Content-Transfer-Encoding: quoted-printable

At 14=3A30 in the caf=C3=A9.
--b
Content-Type: text/csv; name=prices.csv
Content-Disposition: attachment; filename=prices.csv

item,price
Lamp,19
--b--
`;

describe('a mailbox', () => {
  it.each(['a.mbox', 'Inbox'])('is its messages, each under its subject: %s', async (name) => {
    const { document, outline } = await parseBytes(MAILBOX.replaceAll('\n', '\r\n'), name);
    expect(document.mediaType).toBe('application/mbox');
    expect(outline).toEqual([
      'heading: Key code',
      'paragraph: From: Ann <ann@x.example>\nDate: Mon, 1 Jan 2024 10:00:00 +0000',
      'paragraph: The door code is 4711.\nFrom here it is easy.',
      'paragraph: From the yard, go left.',
      'heading: Réunion',
      'paragraph: From: Bob <bob@x.example>',
      'paragraph: At 14:30 in the café.',
      'heading: prices.csv',
      'table: item | price\nLamp | 19',
    ]);
    expect(document.fidelity).toMatchObject({ messages: 2, attachments_seen: 1 });
  });
});
