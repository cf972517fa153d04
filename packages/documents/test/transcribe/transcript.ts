/** What Amazon Transcribe writes for a text that is spoken at two words a second. */
export const transcriptOf = (text: string) => {
  const words = text.split(' ').map((word) => /^(.*?)([.,!?]?)$/.exec(word) ?? []);
  const items = words.flatMap(([, word = '', mark = ''], at) => [
    {
      id: at,
      type: 'pronunciation',
      alternatives: [{ confidence: '0.998', content: word }],
      start_time: (at * 0.5).toFixed(2),
      end_time: (at * 0.5 + 0.4).toFixed(2),
    },
    ...(mark === '' ? [] : [{ id: at, type: 'punctuation', alternatives: [{ confidence: '0.0', content: mark }] }]),
  ]);
  return {
    jobName: 'test-audio-task_1-m1',
    accountId: '000000000000',
    status: 'COMPLETED',
    results: { language_code: 'en-US', transcripts: [{ transcript: text }], items, audio_segments: [] },
  };
};
