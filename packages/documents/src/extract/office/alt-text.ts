import { oneLine } from '../../../../../shared/kernel/text.ts';

const generic =
  /^(?:picture|image|img|photo|figure|graphic|shape|object|chart|diagram|logo|icon|text ?box|rectangle|oval|group|placeholder|content placeholder|bild|grafik|abbildung|objekt|diagramm|textfeld|rechteck|gruppe|imagen?|immagine|objet|objeto|oggetto|graphique|gráfico|grafico)?[\s\d#_.:()-]*$/i;
const fileName = /^\S*(?: \S+){0,5}\.(?:png|jpe?g|jfif|gif|bmp|tiff?|emf|wmf|svg|webp|heic|pdf)$/i;
const maxNameChars = 300;
const automatic =
  /\s*(?:Description automatically generated(?: with [a-z]+ confidence)?|AI-generated content may be incorrect)\.?\s*$/i;

/**
 * The description of a picture or a shape for people who cannot see it. Empty if no description was written: programs
 * fill it with a kind and a number, a file name or an address.
 */
export const altText = (...descriptions: readonly (string | undefined)[]): string => {
  for (const description of descriptions) {
    const text = oneLine(description ?? '').replace(automatic, '');
    const isName =
      text.length < maxNameChars && (generic.test(text) || fileName.test(text) || /^[a-z]+:\/\/\S+$/i.test(text));
    if (/\p{L}/u.test(text) && !isName) return text;
  }
  return '';
};
