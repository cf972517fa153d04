/** A file that is being written to the object store, or whose write has to be repeated. */
interface Upload {
  readonly send: () => Promise<void>;
  /** False once it failed. */
  done: Promise<boolean>;
}

/**
 * Files that the engine regards as written. They are uploaded in parallel. No reader needs them before a version of
 * their table names them, and writing a version waits for all of them.
 */
export interface PendingUploads {
  readonly start: (path: string, send: () => Promise<void>) => void;
  /** Resolves when a file is written. Throws where it can't be written. */
  readonly settled: (path: string) => Promise<void>;
  /** Resolves when all files of a table are written. Throws if one can't be written. */
  readonly settledUnder: (table: string) => Promise<void>;
}

const succeeded = (sent: Promise<void>): Promise<boolean> =>
  sent.then(
    () => true,
    () => false,
  );

export const pendingUploads = (): PendingUploads => {
  const uploads = new Map<string, Upload>();

  const run = (path: string, upload: Upload): void => {
    upload.done = succeeded(upload.send()).then((isDone) => {
      if (isDone && uploads.get(path) === upload) uploads.delete(path);
      return isDone;
    });
  };

  /** Repeats a failed upload once. Failed files are kept until they are written, so that no version lacks them. */
  const settled = async (path: string): Promise<void> => {
    const upload = uploads.get(path);
    if (upload === undefined || (await upload.done)) return;
    run(path, upload);
    if (!(await upload.done)) throw new Error(`a file of a table could not be written: ${path}`);
  };

  return {
    start: (path, send) => {
      const upload: Upload = { send, done: Promise.resolve(false) };
      uploads.set(path, upload);
      run(path, upload);
    },
    settled,
    settledUnder: async (table) => {
      await Promise.all([...uploads.keys()].filter((path) => path.startsWith(table)).map(settled));
    },
  };
};
