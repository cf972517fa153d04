import type * as z from 'zod';
import { decodeVector, encodeVector } from '../kernel/base64.ts';
import type { ReaderRequest, ReaderResponses } from './contracts.ts';

type Response<Vector = Float32Array> = ReaderResponses<Vector>[keyof ReaderResponses];

/** Returns a request in the form that `ReaderRequest` parses. */
export const encodeRequest = (request: ReaderRequest): z.input<typeof ReaderRequest> => {
  const { operation } = request;
  switch (operation.op) {
    case 'search': {
      const vector = operation.vector === null ? null : encodeVector(operation.vector);
      const ranking =
        operation.ranking === null
          ? null
          : {
              ...operation.ranking,
              queries:
                operation.ranking.queries?.map((query) => ({
                  ...query,
                  vector: query.vector === null ? null : encodeVector(query.vector),
                })) ?? null,
            };
      return { ...request, operation: { ...operation, vector, ranking } };
    }
    case 'recall':
      return { ...request, operation: { ...operation, vectors: operation.vectors?.map(encodeVector) ?? null } };
    default:
      return { ...request, operation };
  }
};

/** Returns a response with another representation of its vectors. */
const mapVectors = <From, To>(response: Response<From>, map: (vector: From) => To): Response<To> => {
  const mapRow = <Row extends { readonly vector: From | null }>({ vector, ...row }: Row) => ({
    ...row,
    vector: vector === null ? null : map(vector),
  });
  if ('hits' in response)
    return { ...response, hits: response.hits.map(({ row, ...hit }) => ({ ...hit, row: mapRow(row) })) };
  if ('rows' in response && typeof response.rows !== 'number') return { ...response, rows: response.rows.map(mapRow) };
  if ('vectors' in response && typeof response.vectors !== 'number')
    return { ...response, vectors: response.vectors.map(map) } as Response<To>;
  return response as Response<To>;
};

/** Returns a response as the reader function sends it: vectors are base64 of little-endian float32. */
export const encodeResponse = (response: Response): Response<string> => mapVectors(response, encodeVector);

export const decodeResponse = (response: Response<string>): Response => mapVectors(response, decodeVector);
