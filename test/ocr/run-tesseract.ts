/* Serves pictures in a thread, from the sources rather than from a bundle. */
import { serveTesseract } from '../../shared/platform/ocr/tesseract-worker.ts';

serveTesseract();
