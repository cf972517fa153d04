import type { ChosenFile } from './uploads.ts';

/** Whether a file of a folder is one that people mean: none of an operating system, of an editor or of a version control. */
const isMeant = (path: string): boolean =>
  !path.split('/').some((part) => part.startsWith('.') || part === 'Thumbs.db' || part === 'desktop.ini');

const readEntries = async (folder: FileSystemDirectoryEntry): Promise<readonly FileSystemEntry[]> => {
  const reader = folder.createReader();
  const entries: FileSystemEntry[] = [];
  // Each call returns a part of the entries, and the last one none.
  for (;;) {
    const part = await new Promise<FileSystemEntry[]>((resolve, reject) => reader.readEntries(resolve, reject));
    if (part.length === 0) return entries;
    entries.push(...part);
  }
};

const filesOf = async (entry: FileSystemEntry): Promise<readonly ChosenFile[]> => {
  const name = entry.fullPath.replace(/^\//, '');
  if (entry.isFile) {
    const file = await new Promise<File>((resolve, reject) => (entry as FileSystemFileEntry).file(resolve, reject));
    return [{ name, file }];
  }
  const entries = await readEntries(entry as FileSystemDirectoryEntry);
  const found = await Promise.all(entries.filter((each) => isMeant(each.name)).map(filesOf));
  return found.flat();
};

/** Returns the files that were dropped, with those in dropped folders. */
export const readDrop = async (transfer: DataTransfer): Promise<readonly ChosenFile[]> => {
  // The items are gone after the first pause.
  const items = [...transfer.items].map((item) => ({ entry: item.webkitGetAsEntry(), file: item.getAsFile() }));
  const found = await Promise.all(
    items.map(async ({ entry, file }): Promise<readonly ChosenFile[]> => {
      if (entry !== null) return filesOf(entry);
      return file === null ? [] : [{ name: file.name, file }];
    }),
  );
  return found.flat();
};

/** Returns the files of an input, with their paths in the chosen folder. */
export const readInput = (files: readonly File[]): readonly ChosenFile[] =>
  files
    .map((file) => ({ name: file.webkitRelativePath === '' ? file.name : file.webkitRelativePath, file }))
    .filter(({ name, file }) => file.webkitRelativePath === '' || isMeant(name));
