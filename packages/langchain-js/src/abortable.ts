import type { BaseRetriever } from '@langchain/core/retrievers';

/**
 * Makes `invoke` of a retriever reject with the reason of its signal. LangChain does not pass the signal on to the search, so
 * a request that is under way ends unread.
 */
export const abortable = <Retriever extends BaseRetriever>(retriever: Retriever): Retriever => {
  const invoke = retriever.invoke.bind(retriever);
  retriever.invoke = async (input, options) => {
    const signal = options?.signal;
    if (signal === undefined) return invoke(input, options);
    signal.throwIfAborted();
    let stop = (): void => {};
    const aborted = new Promise<never>((_, reject) => {
      stop = () => reject(signal.reason as Error);
      signal.addEventListener('abort', stop, { once: true });
    });
    try {
      return await Promise.race([invoke(input, options), aborted]);
    } finally {
      signal.removeEventListener('abort', stop);
    }
  };
  return retriever;
};
