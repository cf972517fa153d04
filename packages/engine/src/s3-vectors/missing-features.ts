import { Unsupported } from '../unsupported.ts';

export const noBranches = async (): Promise<never> => {
  throw new Unsupported('branches', 'The engine s3_vectors has no branches');
};

export const noVersions = async (): Promise<never> => {
  throw new Unsupported('versions', 'The engine s3_vectors keeps no versions');
};
