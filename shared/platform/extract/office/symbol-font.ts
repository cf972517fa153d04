// What the font Symbol shows from these codes on, in the order of its codes. Left out are parts of tall brackets.
// Source: https://www.unicode.org/Public/MAPPINGS/VENDORS/ADOBE/symbol.txt
const rows: readonly (readonly [number, string])[] = [
  [0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?'],
  [0x40, '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_'],
  [0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'],
  [0xbf, '↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑'],
  [0xf1, '⟩∫'],
];

/** The sign that the font Symbol shows for a code; undefined where it shows none that Unicode has. */
export const symbolSign = (code: number): string | undefined => {
  // Word moves the codes of symbol fonts to where Unicode leaves room for private use.
  const own = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const [first, signs] = rows.findLast(([start]) => own >= start) ?? [0, ''];
  return signs[own - first];
};
