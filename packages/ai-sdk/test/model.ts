import { MockLanguageModelV4 } from 'ai/test';

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: undefined, cacheWrite: undefined },
  outputTokens: { total: 1, text: 1, reasoning: undefined },
};

/** Model that searches for a question and then cites what it got, as a real one would. */
export const model = new MockLanguageModelV4({
  doGenerate: ({ prompt }) => {
    const last = prompt.at(-1);
    if (last?.role !== 'tool') {
      const input = JSON.stringify({ query: 'How hot is the water for green tea?' });
      return Promise.resolve({
        content: [{ type: 'tool-call', toolCallId: 'call-1', toolName: 'search', input }],
        finishReason: { unified: 'tool-calls', raw: undefined },
        usage,
        warnings: [],
      });
    }
    return Promise.resolve({
      content: [{ type: 'text', text: JSON.stringify(last.content) }],
      finishReason: { unified: 'stop', raw: undefined },
      usage,
      warnings: [],
    });
  },
});
