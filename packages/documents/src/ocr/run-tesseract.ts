/* Serves pictures in a thread, from the sources rather than from a bundle. */
import { serveTesseract } from './tesseract-worker.ts';

serveTesseract();
