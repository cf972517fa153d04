/* Serves pictures in a thread, from the sources rather than from a bundle. */
import { serveTesseract } from '../../src/ocr/tesseract-worker.ts';

serveTesseract();
