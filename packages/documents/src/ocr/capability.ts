import { capability } from '../../../../shared/kernel/capability.ts';
import { createTesseractOcr } from './tesseract.ts';
import type { OcrModel } from './port.ts';
import { createTextractOcr } from './textract.ts';

/** Reads the text of pictures; null if OCR is off in this deployment. */
export const ocrUse = capability<OcrModel | null>(['models.ocr'], ({ config, clock }) => {
  switch (config.models.ocrProvider) {
    case 'textract':
      return createTextractOcr({ region: config.region, clock });
    case 'embedded':
      return createTesseractOcr(config);
    case 'off':
      return null;
  }
});

/** Whether OCR is on in this deployment, for functions that do not run it. */
export const ocrEnabled = capability<boolean>([], ({ config }) => config.models.ocrProvider !== 'off');
