// Characters of the font Symbol, by first code of each row. Parts of tall brackets are left out.
const rows: readonly (readonly [number, string])[] = [
  [0x20, ' !∀#∃%&∋()∗+,−./0123456789:;<=>?'],
  [0x40, '≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_'],
  [0x61, 'αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼'],
  [0xa0, '€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…'],
  [0xbf, '↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊⟨®©™∑'],
  [0xf1, '⟩∫'],
];

/** Returns the character of the font Symbol for a code; undefined if Unicode has none. */
export const symbolCharacter = (code: number): string | undefined => {
  // Word maps the codes of symbol fonts to the private use area.
  const own = code >= 0xf000 && code <= 0xf0ff ? code - 0xf000 : code;
  const [first, signs] = rows.findLast(([start]) => own >= start) ?? [0, ''];
  return signs[own - first];
};
