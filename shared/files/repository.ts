import { capability, type Runtime } from '../kernel/capability.ts';
import { openTable } from '../db/table.ts';
import { bindFileReader, bindFileWriter } from './bind.ts';
import { jobChanges } from './change-job.ts';
import { jobRemovals } from './change-removal.ts';
import { taskChanges } from './change-task.ts';
import type { FileReader, FileWriter } from './contracts.ts';
import { fileNames } from './file-names.ts';
import { readsOf } from './read.ts';

const openFileReader = (runtime: Runtime): FileReader => readsOf(openTable(runtime, 'files'));

export const openFileWriter = (runtime: Runtime): FileWriter => {
  const table = openTable(runtime, 'files');
  return { ...readsOf(table), ...fileNames(table), ...jobChanges(table), ...jobRemovals(table), ...taskChanges(table) };
};

export const filesRead = capability<FileReader>(['files.read'], openFileReader, bindFileReader);
export const filesWrite = capability<FileWriter>(['files.read', 'files.write'], openFileWriter, bindFileWriter);
