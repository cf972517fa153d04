import { capability } from '../../kernel/capability.ts';
import {
  type ContentPresigner,
  type ContentReader,
  type ContentWriter,
  openContentPresigner,
  openContentReader,
  openContentWriter,
} from './objects.ts';

export const contentReader = capability<ContentReader>(['content.read'], openContentReader);
export const contentWriter = capability<ContentWriter>(['content.write'], openContentWriter);
export const contentPresign = capability<ContentPresigner>(['content.presign'], openContentPresigner);
