// Plain JavaScript, because older versions of Node.js cannot run the TypeScript that it starts.
import process from 'node:process';

const required = 24;
const [major] = process.versions.node.split('.').map(Number);

if (major < required) {
  process.stderr.write(
    `Strata needs Node.js ${required} or newer to run, and this is ${process.versions.node}: use "npm start", which brings it along.\n`,
  );
  process.exit(1);
}
const { start } = await import('./start.ts');
await start(process.argv.slice(2));
