import type { Sql } from './database.ts';
import { S3Error } from './s3-error.ts';

/** A row of `tags`, without the object that it belongs to. */
export interface Tag {
  readonly name: string;
  readonly value: string;
}

const maxTags = 10;
const maxNameCharacters = 128;
const maxValueCharacters = 256;

/** Reads the tags of a write from its header `x-amz-tagging`, which is encoded like a query. Throws `InvalidTag`. */
export const readTags = (header: string | undefined): readonly Tag[] => {
  const tags = Array.from(new URLSearchParams(header), ([name, value]) => ({ name, value }));
  const isSound =
    tags.length <= maxTags &&
    new Set(tags.map(({ name }) => name)).size === tags.length &&
    tags.every(
      ({ name, value }) => name !== '' && name.length <= maxNameCharacters && value.length <= maxValueCharacters,
    );
  if (!isSound) throw new S3Error('InvalidTag');
  return tags;
};

export const findTags = (sql: Sql, objectId: string): readonly Tag[] =>
  sql.all`SELECT name, value FROM tags WHERE objectId = ${objectId}` as Tag[];
