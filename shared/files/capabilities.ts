import { capability } from '../kernel/capability.ts';
import type { FileReader, FileWriter } from './contracts.ts';
import { openFileReader, openFileWriter } from './repository.ts';

export const filesRead = capability<FileReader>(['files.read'], openFileReader);
export const filesWrite = capability<FileWriter>(['files.read', 'files.write'], openFileWriter);
