import { strToU8, zipSync } from 'fflate';

/** The members of an archive by their names. */
export type Parts = Readonly<Record<string, string>>;

/** An archive of texts. */
export const zipOf = (parts: Parts): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(parts).map(([name, text]) => [name, strToU8(text)])));

/** Relationships of a part, as type and target by id. */
export const relations = (targets: Readonly<Record<string, readonly [string, string]>>): string =>
  `<Relationships>${Object.entries(targets)
    .map(
      ([id, [type, target]]) =>
        `<Relationship Id="${id}" Type="http://schemas/relationships/${type}" Target="${target}"/>`,
    )
    .join('')}</Relationships>`;

/** An Open XML file around its main part. */
export const office = (kind: string, main: string, parts: Parts): Uint8Array =>
  zipOf({
    '[Content_Types].xml': `<Types><Override PartName="/${main}" ContentType="application/vnd.openxmlformats-officedocument.${kind}.main+xml"/></Types>`,
    '_rels/.rels': relations({ r: ['officeDocument', main] }),
    ...parts,
  });
