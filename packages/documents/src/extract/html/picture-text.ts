import { headOf, oneLine } from '../../../../../shared/kernel/text.ts';
import type { AttributeOf } from './tag-names.ts';

const fileName = /^[^\s]+\.(?:avif|bmp|gif|ico|jpe?g|png|svg|tiff?|webp)$/i;
const address = /^(?:https?:|data:|www\.|\/)/i;

/** Words that name no content: `logo`, `company logo`, `image 3`. */
const decorative =
  /^(?:(?:\p{L}+[\s-]){0,2}(?:logo|icon)|(?:image|img|photo|picture|pic|thumbnail|avatar|banner|spacer|arrow|bullet|divider|separator|placeholder|blank|pixel|tracking pixel|facebook|twitter|instagram|linkedin|youtube|x)[\s\d_-]*)$/iu;

const maxChars = 1_000;

/** Whether a description of a picture says what it shows, in place of its file name or purpose on the page. */
const isDescription = (text: string): boolean =>
  /\p{L}{2}/u.test(text) && !fileName.test(text) && !address.test(text) && !decorative.test(text);

/** Description of a picture or of an area of one; empty if it is decoration. @param name In upper case. */
export const pictureText = (name: string, attributeOf: AttributeOf): string => {
  if (name !== 'IMG' && name !== 'AREA') return '';
  if (/^(?:presentation|none)$/.test(attributeOf('role') ?? '')) return '';
  // Pictures of one pixel count the readers of a mail.
  if (/^[0-3]$/.test(attributeOf('width') ?? '') && /^[0-3]$/.test(attributeOf('height') ?? '')) return '';
  const text = headOf(oneLine(attributeOf('alt') ?? ''), maxChars);
  return isDescription(text) ? text : '';
};
