import { capability } from '../../kernel/capability.ts';
import { createEmbeddedRecognizer } from './embedded.ts';
import type { Recognizer } from './port.ts';
import { createTextractRecognizer } from './textract.ts';

/** Reads the text of pictures; null where the deployment is set up without. */
export const recognizerUse = capability<Recognizer | null>(['models.recognize'], ({ config, clock }) => {
  switch (config.models.ocrProvider) {
    case 'textract':
      return createTextractRecognizer({ region: config.region, clock });
    case 'embedded':
      return createEmbeddedRecognizer(config);
    case 'off':
      return null;
  }
});

/** Whether the deployment reads the text of pictures, for whoever reads none itself. */
export const recognitionKnown = capability<boolean>([], ({ config }) => config.models.ocrProvider !== 'off');
