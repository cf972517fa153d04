const padded = (number: number, digits: number): string => String(number).padStart(digits, '0');

/** Returns the id of the row of a chunk. In order of id, the chunks of a job are in the order of the file. */
export const chunkId = (jobId: string, ordinal: number, position: number): string =>
  `${jobId}:${padded(ordinal, 6)}:${padded(position, 5)}`;

/** Returns the ordinal of the task that wrote a chunk. Null: the row has an id of its own. */
export const ordinalOfChunk = (jobId: string, id: string): number | null => {
  const [, ordinal] = /^:(\d{6}):\d{5,}$/.exec(id.startsWith(jobId) ? id.slice(jobId.length) : '') ?? [];
  return ordinal === undefined ? null : Number(ordinal);
};

/** Returns the ids of all chunks that the tasks of a job have written, in order. Rows may have been deleted since. */
export const chunkIds = (
  jobId: string,
  tasks: readonly { readonly ordinal: number; readonly chunksWritten: number }[],
): readonly string[] =>
  tasks
    .toSorted((one, other) => one.ordinal - other.ordinal)
    .flatMap(({ ordinal, chunksWritten }) =>
      Array.from({ length: chunksWritten }, (_, at) => chunkId(jobId, ordinal, at + 1)),
    );
