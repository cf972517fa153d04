/**
 * Returns the length of stored vectors: the quantizer of the vector index takes multiples of 8 only. Zeros at the end
 * change neither a cosine nor a euclidean distance.
 */
export const paddedDimensions = (dimensions: number): number => Math.ceil(dimensions / 8) * 8;
