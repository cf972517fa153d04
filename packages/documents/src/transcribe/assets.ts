/** Code that runs a speech model of the user, in the assets directory beside a bundle. */
export const transcriptionProcess = 'transcription-process.mjs';
