import { join, relative } from 'node:path';
import packageFile from '../package.json' with { type: 'json' };
import { renderHandbook } from './handbook/render-handbook.ts';
import { projectDirectory } from './support/project-directory.ts';

/** Renders the project's own handbook to `dist/handbook.pdf`. */
export const renderOwnHandbook = async (): Promise<{ readonly file: string; readonly pages: number }> => {
  const file = join(projectDirectory, 'dist', 'handbook.pdf');
  const sourceDirectory = join(projectDirectory, 'docs', 'handbook');
  const { pages } = await renderHandbook({ sourceDirectory, file, version: packageFile.version });
  return { file, pages };
};

if (import.meta.main) {
  const { file, pages } = await renderOwnHandbook();
  console.log(`${relative(process.cwd(), file)}: ${pages} pages`);
}
