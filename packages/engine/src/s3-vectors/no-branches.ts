import { Unsupported } from '../unsupported.ts';

export const noBranches = async (): Promise<never> => {
  throw new Unsupported('branches', 'The engine s3_vectors has no branches');
};
