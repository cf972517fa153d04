import assert from 'node:assert/strict';
import { test } from 'node:test';
import { fileOf, readWhole } from './read.ts';

const read = async (...file: Parameters<typeof fileOf>): Promise<readonly [string, readonly string[]]> => {
  const { inspection, sections } = await readWhole(fileOf(...file));
  return [inspection.format, sections.flatMap(({ text }) => text.split('\n\n'))];
};

/** Wraps lines of a calendar after so many bytes, within words and characters. */
const wrapped = (text: string, bytes: number): Buffer =>
  Buffer.concat(
    text.split('\n').map((line) => {
      const all = Buffer.from(line);
      const parts = Array.from({ length: Math.max(1, Math.ceil(all.length / bytes)) }, (_, at) =>
        all.subarray(at * bytes, (at + 1) * bytes),
      );
      return Buffer.concat(
        parts.flatMap((part, at) => [Buffer.from(at === 0 ? '' : '\r\n '), part]).concat(Buffer.from('\r\n')),
      );
    }),
  );

const calendar = `BEGIN:VCALENDAR
VERSION:2.0
METHOD:REQUEST
X-WR-CALNAME:Harbour board
BEGIN:VTIMEZONE
TZID:Europe/Oslo
BEGIN:STANDARD
DTSTART:19701025T030000
RRULE:FREQ=YEARLY;BYMONTH=10;BYDAY=-1SU
END:STANDARD
END:VTIMEZONE
BEGIN:VEVENT
UID:1@example.com
DTSTART;TZID=Europe/Oslo:20250310T140000
DTEND;TZID=Europe/Oslo:20250310T153000
RRULE:FREQ=WEEKLY;INTERVAL=2;BYDAY=MO,WE;UNTIL=20250601T000000Z
EXDATE;TZID=Europe/Oslo:20250324T140000
SUMMARY:Meeting about the dredging of the eastern channel
LOCATION:Old Customs House\\, room 2
ORGANIZER;CN="Berg, Kim":mailto:kim@example.org
ATTENDEE;CN=Bo;PARTSTAT=ACCEPTED:mailto:bo@example.org
ATTENDEE:MAILTO:erna@example.org
DESCRIPTION:Please read the report\\, page 12\\nBring the map\\; and a pen.
BEGIN:VALARM
TRIGGER:-PT15M
DESCRIPTION:Reminder
END:VALARM
END:VEVENT
BEGIN:VEVENT
DTSTART;VALUE=DATE:20250401
DTEND;VALUE=DATE:20250404
SUMMARY:Regatta
RRULE:FREQ=YEARLY;BYMONTH=4;BYDAY=1TU;COUNT=5;BYSETPOS=1
STATUS:CANCELLED
END:VEVENT
BEGIN:VEVENT
DTSTART:20250501T060000Z
DURATION:PT1H30M
SUMMARY:Low tide
END:VEVENT
BEGIN:VTODO
SUMMARY:Paint the buoy
DUE;VALUE=DATE:20250502
END:VTODO
END:VCALENDAR`;

const events = [
  `Summary: Meeting about the dredging of the eastern channel
Starts: 2025-03-10 14:00 (Europe/Oslo)
Ends: 2025-03-10 15:30 (Europe/Oslo)
Repeats: every 2 weeks on Monday and Wednesday until 2025-06-01 00:00 UTC
Except on: 2025-03-24 14:00 (Europe/Oslo)
Location: Old Customs House, room 2
Organizer: Berg, Kim <kim@example.org>
Attendees: Bo <bo@example.org> (accepted), erna@example.org
Description: Please read the report, page 12
Bring the map; and a pen.`,
  'Summary: Regatta\nStarts: 2025-04-01\nEnds: 2025-04-03\nRepeats: every year on first Tuesday in April, 5 times (BYSETPOS=1)\nStatus: cancelled',
  'Summary: Low tide\nStarts: 2025-05-01 06:00 UTC\nLasts: 1 hour 30 minutes',
  'Kind: Task\nSummary: Paint the buoy\nDue: 2025-05-02',
];

test('events and tasks of a calendar are read as lines with labels, however its lines are wrapped', async () => {
  for (const bytes of [1_000, 75, 20]) {
    const file = wrapped(calendar.replaceAll('\\\\', '\\'), bytes);
    assert.deepEqual(await read('board.ics', file, 'text/calendar'), ['ics', ['Harbour board', ...events]]);
    assert.deepEqual((await read('board.txt', file))[0], 'ics');
  }
  const cut = calendar.slice(0, calendar.indexOf('BEGIN:VTODO') - 12);
  assert.deepEqual((await read('cut.ics', cut))[1].length, 4);
});

test('an invitation in a mail is read once, in words', async () => {
  const part = (head: string): string => `--b\nContent-Type: text/calendar; method=REQUEST${head}\n\n${calendar}\n`;
  const mail = `From: a@example.org\nTo: b@example.org\nSubject: Invitation\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nPlease come.\n${part('')}${part('; name=invite.ics\nContent-Disposition: attachment; filename=invite.ics')}--b--\n`;
  const [format, blocks] = await read('a.eml', mail.replaceAll('\\\\', '\\'));
  assert.equal(format, 'eml');
  assert.deepEqual(blocks.slice(2), ['Please come.', 'Harbour board', ...events]);
});

test('contacts are read as lines with labels in every version of the format', async () => {
  const contacts = [
    'BEGIN:VCARD\nVERSION:2.1\nN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:J=C3=B8rgensen;S=C3=B8ren;Marie;Dr.\nFN;CHARSET=UTF-8;ENCODING=QUOTED-PRINTABLE:S=C3=B8ren J=C3=B8r=\ngensen\nTEL;CELL:+4520202020\nTEL;HOME;VOICE:+4530303030\nNOTE;ENCODING=QUOTED-PRINTABLE;CHARSET=ISO-8859-1:Sm=F8rrebr=F8d=0D=0Aat noon\nPHOTO;ENCODING=BASE64;JPEG:/9j/4AAQSkZJRg\n AAAQEAYABgAAD/2wBDAAgGBgcG\n\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:3.0\nN:Berg;Erna;;;\nORG:Harbour Authority;Dredging\nTITLE:Master\nEMAIL;TYPE=INTERNET,WORK:erna@example.org\nADR;TYPE=WORK:;;Quay 4;Nordstrand;;25845;Germany\nBDAY:19800517\nitem1.TEL:+49 4842 1\nitem1.X-ABLabel:_$!<Main>!$_\nCATEGORIES:friends,crew\nEND:VCARD',
    'BEGIN:VCARD\nVERSION:4.0\nFN:Kim\\, the pilot\nTEL;VALUE=uri;TYPE="voice,cell":tel:+47-1\nNOTE:First line\\nSecond line\nURL:https://example.org\nEND:VCARD',
  ];
  const expected = [
    'Name: Søren Jørgensen\nFull name: Dr. Søren Marie Jørgensen\nPhone (cell): +4520202020\nPhone (home): +4530303030\nNote: Smørrebrød\nat noon',
    'Name: Erna Berg\nOrganization: Harbour Authority, Dredging\nTitle: Master\nPhone (Main): +49 4842 1\nEmail (work): erna@example.org\nAddress (work): Quay 4, 25845 Nordstrand, Germany\nBirthday: 1980-05-17\nCategories: friends, crew',
    'Name: Kim, the pilot\nPhone (cell): +47-1\nWebsite: https://example.org\nNote: First line\nSecond line',
  ];
  for (const lineEnd of ['\n', '\r\n'])
    assert.deepEqual(await read('crew.vcf', contacts.join('\n').replaceAll('\n', lineEnd)), ['vcf', expected]);
});

test('times of availability, and free and busy times of a calendar are read', async () => {
  const read = async (...lines: readonly string[]): Promise<readonly string[]> => {
    const calendar = ['BEGIN:VCALENDAR', 'VERSION:2.0', ...lines, 'END:VCALENDAR'].join('\r\n');
    const { sections } = await readWhole(fileOf('a.ics', calendar));
    return sections.map(({ text }) => text);
  };
  const open = ['BEGIN:AVAILABLE', 'UID:2', 'SUMMARY:Lamp room open', 'DTSTART:20250310T090000Z', 'DURATION:PT8H'];
  assert.deepEqual(
    await read(
      'BEGIN:VAVAILABILITY',
      'BUSYTYPE:BUSY-UNAVAILABLE',
      ...open,
      'RRULE:FREQ=DAILY',
      'END:AVAILABLE',
      'END:VAVAILABILITY',
    ),
    [
      'Kind: Available\nSummary: Lamp room open\nStarts: 2025-03-10 09:00 UTC\nLasts: 8 hours\nRepeats: every day\n\nKind: Availability\nOtherwise: busy unavailable',
    ],
  );
  assert.deepEqual(
    await read(
      'BEGIN:VFREEBUSY',
      'FREEBUSY;FBTYPE=FREE:20250310T090000Z/20250310T100000Z',
      'FREEBUSY;FBTYPE=BUSY:20250310T100000Z/20250310T110000Z',
      'END:VFREEBUSY',
    ),
    [
      'Kind: Busy times\nBusy: 2025-03-10 10:00 UTC to 2025-03-10 11:00 UTC\nFree: 2025-03-10 09:00 UTC to 2025-03-10 10:00 UTC',
    ],
  );
});
