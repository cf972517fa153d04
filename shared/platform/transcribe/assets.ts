/** The code that runs a speech model of the user's own, in the assets directory beside a bundle. */
export const transcriptionProcess = 'transcription-process.mjs';
