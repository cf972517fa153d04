import {
  filesRead,
  pagePictureUses,
  PictureQuery,
  pictureWeight,
  readPagePicture,
  requireCitedJob,
} from '../../shared/files/index.ts';
import { endpoint } from '../../shared/http/endpoint.ts';
import { indexesRead } from '../../shared/indexes/index.ts';

export const getFilePage = endpoint({
  id: 'get-file-page',
  method: 'GET',
  path: '/v1/indexes/{index_id}/files/{job_id}/pages/{picture}',
  tag: 'Files',
  summary: 'Get the picture of a page',
  description:
    'Returns a page of a completed PDF or image as a PNG of at most 4 MB. Boxes of citations are shares of its width and height. An image is its page 1, and a TIFF has a page for each of its images. `attachment` names a file within it, as the citation does. Returns 404 with the number of `pages` beyond the last one, and 409 for other formats. A picture counts as five requests.',
  auth: { needs: 'read', servesBound: true },
  weight: pictureWeight,
  errorCodes: ['conflict'],
  uses: { indexes: indexesRead, files: filesRead, ...pagePictureUses },
  assets: ['readers'],
  timeoutSeconds: 29,
  memoryMb: 3008,
  query: PictureQuery,
  status: 200,
  produces: 'image/png',
  handle: async ({ caller, deps, path, query }) => {
    const { organizationId } = caller;
    const job = await requireCitedJob(deps, { organizationId, indexId: path.index_id, jobId: path.job_id });
    const png = await readPagePicture(deps, job, { page: Number.parseInt(path.picture, 10), ...query });
    return {
      body: Buffer.from(png).toString('base64'),
      isBase64: true,
      headers: { 'x-content-type-options': 'nosniff' },
    };
  },
});
