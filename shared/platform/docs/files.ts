import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { capability, type Runtime } from '../../kernel/capability.ts';
import { lazily } from '../../kernel/made-once.ts';

/** The API description and the page that shows it. */
export interface ApiDocument {
  /** OpenAPI 3.1 as JSON text. */
  description(): Promise<string>;
  /** A whole HTML page. */
  page(): Promise<string>;
}

/** Keeps script text from ending its own element. */
const inScript = (text: string): string => text.replaceAll('</script', '<\\/script');

const pageOf = (description: string, script: string, style: string): string => `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Strata API</title>
<style>${style} body{margin:0}</style>
</head>
<body>
<div id="api"></div>
<script>${inScript(script)}</script>
<script>SwaggerUIBundle({spec:${inScript(description)},dom_id:'#api',deepLinking:true,persistAuthorization:true,validatorUrl:null});</script>
</body>
</html>
`;

const openDocument = ({ config }: Runtime): ApiDocument => {
  const read = (name: string): Promise<string> => readFile(join(config.assetsDirectory, name), 'utf8');
  const page = lazily(async () => {
    const files = await Promise.all([read('openapi.json'), read('swagger-ui-bundle.js'), read('swagger-ui.css')]);
    return pageOf(...files);
  });
  return { description: () => read('openapi.json'), page };
};

export const apiDocument = capability<ApiDocument>([], openDocument);
