// Labels without information about the bytes. ASCII is the default of programs that write other bytes.
const empty = /^(?:utf-?8|x-user-defined|x-unknown|unknown-8bit)?$/i;
const ascii = /^(?:(?:us-?)?ascii|ansi_x3\.4-19(?:68|86)|iso[-_]?646(?:[-.]\S*)?|cp367|ibm367)$/i;

const encodingOf = (label: string): string | null => {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
};

const highBytes = Uint8Array.from({ length: 128 }, (_, index) => 128 + index);
const inWestern = new TextDecoder('windows-1252').decode(highBytes);
const asWord = Array.from(highBytes, (byte) => `=${byte.toString(16).toUpperCase()}`).join('');

/** Meaning of the charset labels of a mail. */
export interface MailCharsets {
  /** Returns the label in a declared charset, without quotes and further parameters. */
  readonly labelOf: (declared: string) => string;
  /** Whether a label says nothing about the bytes: it is missing, unknown, UTF-8 or ASCII. */
  readonly saysNothing: (label: string) => boolean;
  /** Whether a label means a charset of Western Europe, with which programs label texts in UTF-8. */
  readonly isWestern: (label: string) => boolean;
}

/** @param decodeWords Decodes words of mail headers, with the charsets that the mail parser knows. */
export const openMailCharsets = (decodeWords: (text: string) => string): MailCharsets => {
  /** The parser reads labels that it does not know as Windows-1252. */
  const isUnknown = (label: string): boolean =>
    encodingOf(label) === null && decodeWords(`=?${label}?Q?${asWord}?=`) === inWestern;
  return {
    labelOf: (declared) => /[^\s'";]+/.exec(declared)?.[0] ?? '',
    saysNothing: (label) => empty.test(label) || ascii.test(label) || isUnknown(label),
    isWestern: (label) => ['windows-1252', 'iso-8859-15'].includes(encodingOf(label) ?? ''),
  };
};
